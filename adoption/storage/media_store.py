"""Storage of photos and uploaded files: a folder, or a bucket that several machines share."""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from flask import current_app

from adoption.errors import Unavailable
from adoption.storage.circuit_breaker import Breaker

if TYPE_CHECKING:
    from adoption.settings import Settings

PIECE = 1_048_576
"""The size of the pieces in which a large file is copied, in bytes."""

PATIENCE = timedelta(seconds=4)
"""The timeout of a request to a bucket. A request is tried at most twice."""
PATIENCE_OF_PAGES = timedelta(seconds=1)
"""The timeout of a request for a page. A waiting page delays other pages. After a timeout the breaker opens,
so no further page waits."""
UNREACHABLE = "The photos cannot be reached at the moment."


class StoredFile(NamedTuple):
    name: str
    written_at: datetime


class MediaStore:
    """A store of files by name. Each file is written completely or not at all, and survives a power failure.

    Every method raises Unavailable if the store is unreachable or full.

    A store that was used before a fork must not be used in the child process. The child lacks obstore's
    threads and would wait for them forever.
    """

    def __init__(self, url: str) -> None:
        """``url`` is an absolute path or ``s3://BUCKET/PREFIX``. A bucket needs the usual ``AWS_``
        variables."""
        from obstore.store import LocalStore, S3Store  # loaded with the first photo

        self.folder = None if url.startswith("s3://") else Path(url)
        self.breaker = Breaker(self.answers)
        self.store: Any
        self.for_pages: Any
        if self.folder:
            self.store = self.for_pages = LocalStore(self.folder, mkdir=True)
        else:
            self.store, self.for_pages = (
                S3Store.from_url(
                    url,
                    client_options={"allow_http": True, "timeout": patience, "connect_timeout": patience},
                    retry_config={"max_retries": 1, "retry_timeout": patience},
                )
                for patience in (PATIENCE, PATIENCE_OF_PAGES)
            )

    def keep(self, files: Mapping[str, bytes]) -> None:
        """Write files. Replace existing files with the same names."""
        with raising_unavailable():
            for name, content in files.items():
                self.store.put(name, content)
                if self.folder:
                    sync_to_disk(self.folder / name)
            if self.folder:
                for folder in {(self.folder / name).parent for name in files}:
                    sync_to_disk(folder)

    def read(self, name: str) -> bytes | None:
        """Return the content of a file; None if there is no such file."""
        with raising_unavailable():
            try:
                return bytes(self.store.get(name).bytes())
            except FileNotFoundError:
                return None

    def read_for_page(self, name: str) -> bytes | None:
        """Return the content of a file; None if there is no such file.

        If the bucket does not answer, do not retry. A worker renders one page after the other, so a slow
        photo would delay all other pages.
        """
        from obstore.exceptions import GenericError

        if self.breaker.is_open:
            raise Unavailable(UNREACHABLE)
        with raising_unavailable():
            try:
                return bytes(self.for_pages.get(name).bytes())
            except FileNotFoundError:
                return None
            except GenericError:  # a timeout, or no connection
                if self.folder is None:
                    self.breaker.open()
                raise

    def answers(self) -> bool:
        """Return whether the bucket answers, even with an error."""
        from obstore.exceptions import BaseError, GenericError

        try:
            self.for_pages.head("answers")
        except GenericError:
            return False
        except (BaseError, FileNotFoundError):
            return True
        return True

    def copy_to(self, name: str, file: IO[bytes]) -> bool:
        """Copy the content of a stored file to an open file. Return False if there is no such stored file."""
        with raising_unavailable():
            try:
                for piece in self.store.get(name).stream(min_chunk_size=PIECE):
                    file.write(bytes(piece))
            except FileNotFoundError:
                return False
            return True

    def has(self, name: str) -> bool:
        with raising_unavailable():
            try:
                self.store.head(name)
            except FileNotFoundError:
                return False
            return True

    def files(self, folder: str | None = None) -> Iterator[StoredFile]:
        """Yield the files of a folder, or all files, in any order."""
        with raising_unavailable():
            for some in self.store.list(folder):
                for each in some:
                    yield StoredFile(each["path"], each["last_modified"])

    def drop(self, names: Iterable[str]) -> None:
        """Remove files. Ignore missing files."""
        with raising_unavailable():
            for name in names:
                try:
                    self.store.delete(name)
                except FileNotFoundError:
                    continue


@contextmanager
def raising_unavailable() -> Iterator[None]:
    from obstore.exceptions import BaseError

    try:
        yield
    except (BaseError, OSError) as error:
        raise Unavailable(UNREACHABLE) from error


def sync_to_disk(path: Path) -> None:
    """Write a file or folder to disk (fsync). Ignore a path that was removed."""
    try:
        opened = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def the_media_store() -> MediaStore:
    """Return the application's store. It is opened on first use."""
    kept = current_app.extensions
    if "homeward.photos" not in kept:
        settings: Settings = current_app.config["HOMEWARD"]
        kept["homeward.photos"] = MediaStore(settings.media_url)
    store: MediaStore = kept["homeward.photos"]
    return store

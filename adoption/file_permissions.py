"""Permissions of database files: only the service's own user can read them, even in a folder that others can
read."""

import stat
from contextlib import suppress
from pathlib import Path

from adoption.settings import Settings

SQLITE = "sqlite:///"


def keep_files_private(settings: Settings) -> None:
    """Deny other users of the machine access to the databases.

    The process's umask protects new files. Files of an earlier version may still be readable.
    """
    for url in (settings.database_url, settings.quota_url, settings.queue_url):
        if url.startswith(SQLITE):
            file = url.removeprefix(SQLITE).partition("?")[0]
            for each in (file, f"{file}-wal", f"{file}-shm"):
                close_to_others(Path(each))


def close_to_others(file: Path) -> None:
    with suppress(OSError):  # the file does not exist, or belongs to another user
        mode = stat.S_IMODE(file.stat().st_mode)
        if mode & 0o077:
            file.chmod(mode & 0o700)

"""Files that only the service's own user may read, whatever the permissions of their folder."""

import stat
from contextlib import suppress
from pathlib import Path

from adoption.settings import Settings

SQLITE = "sqlite:///"


def keep_files_private(settings: Settings) -> None:
    """Deny other users of the machine access to the databases.

    The process's umask does it for new files; files of an earlier version may be readable.
    """
    for url in (settings.database_url, settings.quota_url, settings.queue_url):
        if url.startswith(SQLITE):
            file = url.removeprefix(SQLITE).partition("?")[0]
            for each in (file, f"{file}-wal", f"{file}-shm"):
                close_to_others(Path(each))


def close_to_others(file: Path) -> None:
    with suppress(OSError):  # it does not exist, or is another user's
        mode = stat.S_IMODE(file.stat().st_mode)
        if mode & 0o077:
            file.chmod(mode & 0o700)

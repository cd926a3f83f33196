"""Database files are private, even in a folder that others can read."""

import os
import stat
import subprocess
import sys
from pathlib import Path


def test_database_files_in_an_open_folder_are_private(tmp_path: Path) -> None:
    folder = tmp_path / "open"
    folder.mkdir()
    folder.chmod(0o755)
    earlier = folder / "homeward.sqlite3"
    earlier.touch(0o644)
    environ = {"HOMEWARD_INSTANCE": str(folder), "PATH": os.environ["PATH"]}
    command = [str(Path(sys.executable).with_name("homeward")), "db", "upgrade"]
    subprocess.run(command, env=environ, check=True, capture_output=True, umask=0o022)
    modes = {
        file.name: stat.S_IMODE(file.stat().st_mode) & 0o077 for file in folder.iterdir() if file.is_file()
    }
    assert "homeward.sqlite3" in modes
    assert set(modes.values()) == {0}, modes

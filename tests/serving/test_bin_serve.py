"""``bin/serve``, the README's first command."""

import json
import os
import re
import signal
import socket
import subprocess
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from tests.servers import free_port


def test_bin_serve_has_a_demo_with_photos_and_prints_a_curl_command(root: Path, tmp_path: Path) -> None:
    environ = {**os.environ, "HOMEWARD_INSTANCE": str(tmp_path), "PORT": str(free_port())}
    first, second = run_bin_serve(root, environ), run_bin_serve(root, environ)
    assert first == second, "a later start prints the same key and sign-in"


def run_bin_serve(root: Path, environ: dict[str, str]) -> tuple[str, str]:
    """Start the service, run the printed command, and stop.

    Return the lines with the sign-in and the key.
    """
    serving = subprocess.Popen([root / "bin" / "serve"], env=environ, stdout=subprocess.PIPE, text=True)
    try:
        assert serving.stdout is not None
        found = ""
        for line in serving.stdout:
            found += line
            if "curl" in line:
                break
        [curl] = re.findall(r"^ +(curl .+)$", found, re.MULTILINE)
        printed = subprocess.run(["bash", "-c", curl], capture_output=True, text=True, check=True).stdout
        animals = json.loads(printed)
        assert len(animals) == 3
        assert set(animals[0]) == {"id", "name", "categoryId", "status"}
        check_photos(int(environ["PORT"]))
        [owner] = re.findall(r"Demo owner +(.+)", found)
        [key] = re.findall(r"Demo key +(\S+)", found)
        return owner, key
    finally:
        serving.send_signal(signal.SIGINT)
        serving.wait()


def check_photos(port: int) -> None:
    """Check that the first page has photos, and that they can be loaded."""
    page = get(port, "/").read().decode()
    files = set(re.findall(r"/media/[0-9a-f]{64}-[0-9]+\.(?:avif|webp)", page))
    assert len(files) > 7
    assert {get(port, file).headers.get_content_maintype() for file in files} == {"image"}


def get(port: int, path: str) -> Any:
    return urlopen(f"http://127.0.0.1:{port}{path}", timeout=30)


def test_a_port_in_use_is_an_error(root: Path, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        environ = {**os.environ, "HOMEWARD_INSTANCE": str(tmp_path), "PORT": str(port)}
        done = subprocess.run([root / "bin" / "serve"], env=environ, capture_output=True, text=True)
    assert done.returncode == 1
    assert f"Error: Port {port} cannot be used" in done.stderr


def test_an_invalid_setting_stops_the_start_with_an_error(root: Path, tmp_path: Path) -> None:
    environ = {**os.environ, "HOMEWARD_INSTANCE": str(tmp_path), "HOMEWARD_WORKERS": "many"}
    done = subprocess.run([root / "bin" / "serve"], env=environ, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.strip() == "Error: HOMEWARD_WORKERS must be a whole number from 1 to 256, not 'many'."

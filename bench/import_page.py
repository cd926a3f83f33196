"""A spreadsheet import through the page: ``python -m bench.import_page [ROWS]``.

The benchmark uploads a file in ShelterManager's format like a member of staff, starts the import, and waits
until the page shows the end. Meanwhile a visitor requests the catalogue continuously. The benchmark prints
the seconds from the click to the end, the peak memory of the importing process, and the slowest answer of the
catalogue.
"""

import re
import subprocess
import sys
import tempfile
import threading
import time
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode

from bench.import_speed import write_file
from bench.instances import HOMEWARD, Instance, new_instance
from bench.measure import HOST, Server, fetch

EMAIL, PASSWORD = "bench@example.org", "a password of the bench"
BOUNDARY = "bench-bench-bench"
LOOKED_EACH = 0.05


class Browser:
    """A minimal browser of a person who is signed in."""

    def __init__(self, port: int) -> None:
        self.port, self.cookies = port, dict[str, str]()

    def ask(self, method: str, path: str, body: bytes = b"", kind: str = "") -> tuple[int, str, str]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {
            "Host": HOST,
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
        }
        connection.request(method, path, body or None, headers | ({"Content-Type": kind} if kind else {}))
        answer = connection.getresponse()
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie":
                key, _, rest = value.partition("=")
                self.cookies[key] = rest.partition(";")[0]
        text = answer.read().decode()
        connection.close()
        return answer.status, text, answer.headers.get("Location", "")

    def send(self, path: str, page: str, **fields: str) -> tuple[int, str, str]:
        form = urlencode({"csrf_token": self.token(page), **fields}).encode()
        return self.ask("POST", path, form, "application/x-www-form-urlencoded")

    def upload(self, path: str, file: Path) -> str:
        parts = (
            f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="csrf_token"\r\n\r\n{self.token(path)}\r\n'
            f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{file.name}"\r\n\r\n'
        )
        body = parts.encode() + file.read_bytes() + f"\r\n--{BOUNDARY}--\r\n".encode()
        status, text, where = self.ask("POST", path, body, f"multipart/form-data; boundary={BOUNDARY}")
        if status != 303:
            sys.exit(f"The upload was answered {status}: {text[:2000]}")
        return where

    def token(self, page: str) -> str:
        found = re.search(r'name="csrf_token" value="([^"]+)"', self.ask("GET", page)[1])
        assert found, page
        return found[1]


class Visitor(threading.Thread):
    """A visitor who requests the catalogue until stopped, and records the duration of each answer."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self.port, self.over, self.seconds = port, threading.Event(), list[float]()

    def run(self) -> None:
        while not self.over.wait(LOOKED_EACH):
            begun = time.perf_counter()
            status, _ = fetch(self.port, "/")
            assert status == 200, status
            self.seconds.append(time.perf_counter() - begun)


def worker_of(server: Server) -> int:
    """Return the process of the job queue, found by its process name."""
    for pid in server.family():
        if Path(f"/proc/{pid}/comm").read_text().strip() == "homeward-worker":
            return pid
    sys.exit("There is no process that runs the queue.")


def peak(pid: int) -> float:
    """Return the peak memory of a process, in MB."""
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    assert found, pid
    return int(found[1]) / 1024


def account(instance: Instance) -> str:
    command = [*HOMEWARD, "account", "create", "Bench", "--owner", EMAIL, "--password-stdin"]
    ran = subprocess.run(
        command, env=instance.environment(), input=PASSWORD, capture_output=True, text=True, check=True
    )
    instance.homeward("project", "publish", ran.stdout.strip())
    return ran.stdout.strip()


def measure(server: Server, slug: str, file: Path, run: str) -> None:
    browser = Browser(server.port)
    browser.send("/sign-in", "/sign-in", email=EMAIL, password=PASSWORD)
    begun = time.perf_counter()
    where = browser.upload(f"/projects/{slug}/imports", file)
    uploaded = time.perf_counter() - begun
    visitor = Visitor(server.port)
    visitor.start()
    begun = time.perf_counter()
    status, text, _ = browser.send(f"{where}/start", where, run=run)
    assert status == 303, text[:2000]
    while 'id="import-progress"' in (text := browser.ask("GET", where)[1]):
        time.sleep(LOOKED_EACH)
    seconds = time.perf_counter() - begun
    visitor.over.set()
    visitor.join()
    numbers = dict(re.findall(r"<dt>([A-Za-z ]+)</dt><dd class=\"figure\">([\d,]+)</dd>", text))
    slowest, middle = max(visitor.seconds), sorted(visitor.seconds)[len(visitor.seconds) // 2]
    print(
        f"{run:7} uploaded in {uploaded:.2f} s, done {seconds:.1f} s after the click, "
        f"peak {peak(worker_of(server)):.0f} MB, "
        f"catalogue {len(visitor.seconds)} times: {middle * 1000:.0f} ms, "
        f"slowest {slowest * 1000:.0f} ms; {numbers}"
    )


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000
    with tempfile.TemporaryDirectory() as folder:
        instance = new_instance(Path(folder) / "instance")
        slug, file = account(instance), Path(folder) / "animals.csv"
        write_file(file, rows)
        print(f"{rows:,} rows, {file.stat().st_size / 1e6:.1f} MB")
        with instance.serve() as server:
            for run in ("try", "import", "import"):
                measure(server, slug, file, run)


if __name__ == "__main__":
    main()

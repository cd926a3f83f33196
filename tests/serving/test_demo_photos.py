"""Photos of the demo on the first start."""

import re
from pathlib import Path

from tests.servers import free_port
from tests.serving.conftest import Running


def test_the_first_start_serves_the_photos_of_the_demo(tmp_path: Path) -> None:
    running = Running(tmp_path / "instance", free_port())
    try:
        running.start()
        page = running.get("/").body.decode()
        files = re.findall(r"/media/[0-9a-f]{64}-[0-9]+\.(?:avif|webp)", page)
        assert len(files) > 7
        for file in set(files):
            answer = running.get(file)
            assert (answer.status, answer.headers["content-type"].split("/")[0]) == (200, "image")
    finally:
        if running.process is not None and running.process.poll() is None:
            running.kill()

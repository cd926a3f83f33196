"""Background processes that send emails.

The tests cover restarts, shutdown, and ``homeward worker``.
"""

import asyncio
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from apiflask import APIFlask
from flask_migrate import upgrade
from sqlalchemy import select

from adoption.mail import outbox
from adoption.mail.models import OutgoingEmail
from adoption.projects.publication import publish_site
from adoption.settings import Settings
from adoption.storage import queue
from adoption.storage.database import db, reading, transaction
from portal.animals.application_form_seal import new_seal
from tests import servers
from tests.applying import ANSWERS
from tests.serving.conftest import HOMEWARD, Running, children, is_alive
from tests.waiting import wait_for
from wsgi import create_app


def email_files(instance: Path) -> list[Path]:
    return sorted((instance / "mail").glob("*.eml"))


def is_sent(*processes: int) -> bool:
    return not any(is_alive(str(each)) for each in processes)


def apply(running: Running) -> str:
    """Publish a shelter and apply for its animal, with a form opened a minute ago.

    Return the path of the applicant's private page.
    """
    body = {"name": "Biscuit", "categoryId": 2}
    added = running.ask("POST", "/v1/pets", running.keys["business"], body).json
    app = create_app(Settings.from_environment({"HOMEWARD_INSTANCE": str(running.instance)}))
    with app.app_context():
        publish_site("business")
        form = new_seal(added["id"], time.time() - 60).sealed()  # type: ignore[index, call-overload]
        db.engine.dispose()
    connection = HTTPConnection("127.0.0.1", running.port, timeout=30)
    kind = {"Content-Type": "application/x-www-form-urlencoded", "Connection": "close"}
    filled_in = urlencode({**ANSWERS, "form": form}, doseq=True)
    connection.request("POST", f"/animals/{added['id']}/applications", filled_in, kind)  # type: ignore[index, call-overload]
    answer = connection.getresponse()
    assert answer.status == 303, answer.read()
    return str(answer.getheader("Location")).removesuffix("?sent")


def test_serve_sends_emails_and_stops_cleanly(serve: Callable[..., Running]) -> None:
    running = serve()
    link = apply(running)
    wait_for("two mails", lambda: len(email_files(running.instance)) == 2)
    to_adopter, to_shelter = (mail.read_text() for mail in email_files(running.instance))
    assert "To: sam@example.org" in to_adopter
    assert f"http://localhost:{running.port}{urlsplit(link).path}" in to_adopter
    assert "Reply-To: sam@example.org" in to_shelter
    assert running.get(urlsplit(link).path).status == 200
    queue = running.queue_id()
    assert running.stop() == 0
    assert is_sent(queue)
    assert list(running.instance.glob("*.sqlite3-wal")) == [], "a copy of the files is complete"


def test_a_dead_queue_process_is_restarted_until_the_server_is_killed(
    serve: Callable[..., Running], capfd: pytest.CaptureFixture[str]
) -> None:
    running = serve()
    assert running.process is not None
    first = running.queue_id()
    os.kill(first, signal.SIGKILL)
    wait_for("the killed queue to be gone", lambda: is_sent(first))
    second = running.queue_id()
    apply(running)
    wait_for("two mails", lambda: len(email_files(running.instance)) == 2)
    [keeper] = children(running.process.pid, "homeward-keeper")
    running.kill()
    wait_for("the queue and its keeper to be gone", lambda: is_sent(second, keeper))
    assert (
        f"The queue worker {first} was ended by SIGKILL. Another takes its place." in capfd.readouterr().err
    )


def test_a_killed_supervisor_of_the_queue_is_restarted(
    serve: Callable[..., Running],
) -> None:
    running = serve()
    assert running.process is not None
    first = running.queue_id()
    [keeper] = children(running.process.pid, "homeward-keeper")
    os.kill(keeper, signal.SIGKILL)
    wait_for("the killed keeper and its queue to be gone", lambda: is_sent(first, keeper))
    second = running.queue_id()
    apply(running)
    wait_for("two mails", lambda: len(email_files(running.instance)) == 2)
    assert running.stop() == 0
    wait_for("the queue to be gone", lambda: is_sent(second))


def test_a_web_worker_imports_no_code_of_other_processes() -> None:
    code = "import sys, wsgi; app = wsgi.create_app(); print({'huey', 'acme'} & set(sys.modules))"
    found = subprocess.run([HOMEWARD[0], "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "set()"


@pytest.fixture(params=["embedded", "scaled"])
def instance(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[APIFlask]:
    """A migrated service whose queue no process runs."""
    environ = {"HOMEWARD_INSTANCE": str(tmp_path)}
    with ExitStack() as running:
        if request.param == "scaled":
            environ["HOMEWARD_DATABASE_URL"] = running.enter_context(servers.postgres())
            environ["HOMEWARD_QUEUE_URL"] = running.enter_context(servers.redis())
        app = create_app(Settings.from_environment(environ))
        with app.app_context():
            upgrade()
            app.config["ENVIRON"] = environ
            yield app
            app.extensions["homeward.driver_connections"].close()
            db.engine.dispose()


@contextmanager
def worker(app: APIFlask, **environ: str) -> Iterator["subprocess.Popen[bytes]"]:
    settings = {**os.environ, **app.config["ENVIRON"], **environ}
    process = subprocess.Popen([*HOMEWARD, "worker"], env=settings)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def write(recipient: str = "sam@example.org") -> None:
    with transaction() as session:
        outbox.add_email(session, recipient, "Hello", "A text.\n")


def all_sent() -> bool:
    with reading() as session:
        return (
            session.scalar(select(OutgoingEmail.id).where(OutgoingEmail.sent_at.is_(None)).limit(1)) is None
        )


def test_the_worker_command_sends_waiting_and_new_emails(instance: APIFlask) -> None:
    write()
    with worker(instance) as process:
        wait_for("what was left to be sent", all_sent)
        write("kim@example.org")
        queue.start_job("send_letters")
        wait_for("what came to be sent", all_sent)
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 0
    assert len(email_files(instance.config["HOMEWARD"].instance)) == 2


class SlowServer:
    """A mail server that accepts an email only when the test allows that."""

    def __init__(self) -> None:
        self.began, self.let = threading.Event(), threading.Event()
        self.taken = 0

    async def handle_DATA(self, _server: SMTP, _session: Session, _envelope: Envelope) -> str:  # noqa: N802
        self.began.set()
        await asyncio.to_thread(self.let.wait)
        self.taken += 1
        return "250 OK"


def test_a_worker_that_is_stopped_finishes_its_email(instance: APIFlask) -> None:
    slow, port = SlowServer(), servers.free_port()
    server = Controller(slow, hostname="localhost", port=port)
    server.start()
    try:
        for number in range(3):
            write(f"adopter{number}@example.org")
        with worker(instance, HOMEWARD_MAIL_URL=f"smtp://localhost:{port}") as process:
            assert slow.began.wait(60)
            process.send_signal(signal.SIGTERM)
            slow.let.set()
            assert process.wait() == 0
    finally:
        slow.let.set()
        server.stop()
    with reading() as session:
        sent = session.scalars(select(OutgoingEmail).where(OutgoingEmail.sent_at.is_not(None))).all()
    assert len(sent) == slow.taken == 3


def test_an_invalid_mail_setting_stops_the_start_with_an_error(tmp_path: Path) -> None:
    environ = {**os.environ, "HOMEWARD_INSTANCE": str(tmp_path), "HOMEWARD_MAIL_URL": "mail.example:25"}
    done = subprocess.run([*HOMEWARD, "worker"], env=environ, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith("Error: HOMEWARD_MAIL_URL must be smtp://")

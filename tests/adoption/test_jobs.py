"""Background jobs, with the queue in a file and in Redis."""

import errno
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest
from apiflask import APIFlask
from flask import Flask

from adoption import jobs
from adoption.errors import Unavailable
from adoption.mail import outbox
from adoption.settings import Settings
from adoption.storage import queue
from adoption.storage.database import transaction
from adoption.storage.queue import open_queue, queue_of, register_jobs
from tests.mailbox import stored_emails
from tests.servers import free_port
from wsgi import create_app


def write_email() -> None:
    with transaction() as session:
        outbox.add_email(session, "sam@example.org", "Hello", "A text.\n")


def run_all_jobs(app: Flask) -> None:
    """Run all queued jobs, as a worker does."""
    huey = queue_of(app).huey
    while len(huey):
        huey.execute(huey.dequeue())


def test_an_email_is_sent_by_a_job_after_its_transaction(app: APIFlask) -> None:
    run_all_jobs(app)
    with transaction() as session:
        outbox.add_email(session, "sam@example.org", "Hello", "A text.\n")
        assert len(queue_of(app).huey) == 0, "not before it is stored"
        session.expunge_all()
    run_all_jobs(app)
    write_email()
    assert stored_emails()[0].sent_at is None, "not in the request"
    run_all_jobs(app)
    assert stored_emails()[0].sent_at is not None


def test_another_process_runs_a_queued_job(app: APIFlask) -> None:
    run_all_jobs(app)
    queue.start_job("send_letters")
    assert len(open_queue(app).huey) == 1


def test_unsent_emails_are_found_every_minute(app: APIFlask) -> None:
    huey = queue_of(app).huey
    for minute in (0, 1, 59):
        due = [task.name for task in huey.read_periodic(datetime(2026, 11, 28, 9, minute, tzinfo=UTC))]
        assert {"send_letters", "run_imports"} <= set(due)
    night = huey.read_periodic(datetime(2026, 11, 28, 3, 20, tzinfo=UTC))
    assert {task.name for task in night} >= {"send_letters", "forget_letters"}


def test_a_forged_job_is_not_run(app: APIFlask, settings: Settings) -> None:
    write_email()
    queue_of(app).huey.flush()
    stranger = Flask("stranger")
    stranger.config["HOMEWARD"] = settings.model_copy(update={"secret_key": "another" * 8})
    register_jobs(stranger, jobs.JOBS)
    open_queue(stranger).tasks["send_letters"]()
    with pytest.raises(ValueError, match="mismatch"):
        run_all_jobs(app)
    assert stored_emails()[0].attempts == 0


@pytest.mark.settings("embedded")
@pytest.mark.parametrize("url", ["sqlite:///{folder}/nowhere/queue.sqlite3", "redis://127.0.0.1:{port}/0"])
def test_a_request_succeeds_while_the_queue_is_down(
    app: APIFlask, url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    address = url.format(folder=tmp_path, port=free_port())
    alone = create_app(
        Settings.from_environment({"HOMEWARD_INSTANCE": str(tmp_path), "HOMEWARD_QUEUE_URL": address})
    )
    with alone.app_context():
        queue.start_job("send_letters")
    assert "send_letters could not be started" in caplog.text


@pytest.mark.settings("embedded")
def test_the_queue_has_its_own_file(app: APIFlask, settings: Settings) -> None:
    queue.start_job("send_letters")
    with sqlite3.connect(settings.queue_url.removeprefix("sqlite:///")) as file:
        tables = {name for (name,) in file.execute("SELECT name FROM sqlite_master")}
    assert "task" in tables
    assert "animals" not in tables


@pytest.mark.parametrize(
    "passing",
    [Unavailable("Busy."), OSError(errno.ENOSPC, "full"), psycopg.OperationalError("away\nand far")],
)
def test_a_job_without_its_database_is_one_line_in_the_log(
    app: APIFlask, caplog: pytest.LogCaptureFixture, passing: Exception
) -> None:
    def tidy() -> None:
        raise passing

    queue.with_app(app, tidy)()
    [found] = caplog.records
    assert "tidy could not be done now" in found.getMessage()
    assert found.exc_info is None
    assert "\n" not in found.getMessage()


def test_an_error_in_a_job_is_logged_with_its_traceback(app: APIFlask) -> None:
    def broken() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        queue.with_app(app, broken)()

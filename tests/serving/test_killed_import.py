"""An import whose process is killed half way."""

import io
import json
import os
import signal
from datetime import UTC, datetime

from apiflask import APIFlask
from sqlalchemy import select, update

from adoption.accounts.account_creation import create_account
from adoption.audit.actors import OPERATOR
from adoption.imports import start_and_cancel, uploads
from adoption.imports.models import Import
from adoption.imports.queries import STALE_AFTER
from adoption.storage import queue
from adoption.storage.database import reading, transaction
from tests.factories import count_animals
from tests.serving.test_worker import instance, wait_for, worker

__all__ = ["instance"]

ROWS = 2_500
FILE = "code,name,species\n" + "".join(f"A{number},Rex {number},Dog\n" for number in range(ROWS))


def the_import() -> Import:
    with reading() as session:
        return session.scalars(select(Import)).one()


def test_an_import_whose_process_is_killed_is_finished_by_the_next(
    instance: APIFlask,
) -> None:
    _, project = create_account("Elm Road Rescue", "owner@elm.example", "pro")
    made = uploads.upload_spreadsheet(project.id, "animals.csv", io.BytesIO(FILE.encode()), OPERATOR)
    start_and_cancel.request_run(project.id, made.id, False, OPERATOR)
    with worker(instance) as process:
        wait_for("the first rows to be in", lambda: the_import().rows_done)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    killed = the_import()
    assert killed.state == "running"
    assert 0 < count_animals() < ROWS
    assert count_animals() == killed.created, "animals and progress are saved together"
    # The clock is past the moment when a silent job counts as dead.
    with transaction() as session:
        long_ago = datetime.now(UTC) - STALE_AFTER * 2
        session.execute(update(Import).values(beat_at=long_ago))
    with worker(instance):
        queue.start_job("run_imports")
        wait_for("the import to be done", lambda: the_import().state == "done")
    result = json.loads(the_import().result)
    assert (result["created"], result["updated"], result["unchanged"]) == (ROWS, 0, 0)
    assert count_animals() == ROWS

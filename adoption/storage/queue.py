"""The queue of background jobs. ``homeward serve`` and ``homeward worker`` run it.

huey removes a job from its queue before it runs the job, so a killed process loses its job. Therefore the
work itself is stored in rows, and the next run of the job continues the work. Runs of a job can repeat or
overlap.
"""

import logging
import sqlite3
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from flask import Flask, current_app
from redis import ConnectionPool, RedisError

from adoption.errors import Unavailable
from adoption.settings import Settings
from adoption.storage.database import cause_of, is_unavailable

if TYPE_CHECKING:
    from huey import Huey

log = logging.getLogger("homeward.jobs")

STOPPING = threading.Event()
"""The event that is set when this process takes no more jobs. Long jobs then end early."""


class Job(NamedTuple):
    do: Callable[[], None]
    recurs: Mapping[str, str]
    """The schedule of the job in UTC, as arguments of huey's ``crontab``."""


def register_jobs(app: Flask, jobs: Mapping[str, Job]) -> None:
    app.extensions["homeward.jobs"] = {
        name: Job(with_app(app, do), recurs) for name, (do, recurs) in jobs.items()
    }


def start_job(name: str) -> None:
    """Start a job within about a second, in the process that runs the queue.

    Call this after the rows that the job needs are committed. If the queue is unreachable, the failure is
    only logged, because the job's next scheduled run does the work.
    """
    try:
        queue_of(current_app).tasks[name]()
    except (sqlite3.Error, RedisError, OSError) as error:
        log.warning("%s could not be started: %s", name, error)


class Queue(NamedTuple):
    huey: "Huey"
    tasks: Mapping[str, Callable[..., Any]]
    """The tasks by job name. A call of a task adds it to the queue."""


def queue_of(app: Flask) -> Queue:
    """Return the application's queue. The queue is opened on first use, because most web workers never use
    it."""
    queue: Queue = app.extensions.get("homeward.queue") or open_queue(app)
    app.extensions["homeward.queue"] = queue
    return queue


def open_queue(app: Flask) -> Queue:
    from huey import crontab

    huey = connect_queue(app.config["HOMEWARD"])
    tasks = {}
    for name, (do, recurs) in app.extensions["homeward.jobs"].items():
        tasks[name] = huey.periodic_task(crontab(**recurs), name=name)(do)
    return Queue(huey, tasks)


def connect_queue(settings: Settings) -> "Huey":
    from huey import RedisHuey, SqliteHuey
    from huey.serializer import SignedSerializer

    # Data in the queue is signed, because huey unpickles it.
    rest = {"results": False, "serializer": SignedSerializer(settings.secret_key, "homeward.jobs")}
    if settings.queue_url.startswith("sqlite:///"):
        file = settings.queue_url.removeprefix("sqlite:///")
        return SqliteHuey("homeward", filename=file, fsync=False, timeout=2, **rest)
    pool = ConnectionPool.from_url(settings.queue_url, socket_connect_timeout=1, socket_timeout=3)
    return RedisHuey("homeward", connection_pool=pool, **rest)


def with_app(app: Flask, do: Callable[[], None]) -> Callable[[], None]:
    """Return a job that runs in the application's context. If a store is unavailable, the job logs one line
    and ends."""

    def work() -> None:
        try:
            with app.app_context():
                do()
        except Exception as error:
            if not (isinstance(error, Unavailable) or is_unavailable(error)):
                raise
            log.warning("%s could not be done now: %s", do.__name__, cause_of(error))

    return work

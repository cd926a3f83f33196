"""The queue of jobs outside requests, which `serve` and `worker` run.

huey takes a job off its queue before it runs, so one whose process is killed is gone. What is to be done
stands in rows therefore: a job is safe to run twice and at the same time, and the next run finds whatever
was left.
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
"""Set once this process takes no more jobs: one that lasts comes to its end then."""


class Job(NamedTuple):
    do: Callable[[], None]
    recurs: Mapping[str, str]
    """When, as huey's ``crontab`` takes it, in UTC."""


def know(app: Flask, jobs: Mapping[str, Job]) -> None:
    """Have the application's queue know these jobs by their names."""
    app.extensions["homeward.jobs"] = {
        name: Job(within(app, do), recurs) for name, (do, recurs) in jobs.items()
    }


def start(name: str) -> None:
    """Have a job run within about a second by the process that runs the queue.

    To be called once the rows that it needs are committed. Where the queue cannot be reached the log tells,
    and the caller goes on: what recurs will find the work.
    """
    try:
        queue_of(current_app).tasks[name]()
    except (sqlite3.Error, RedisError, OSError) as error:
        log.warning("%s could not be started: %s", name, error)


class Queue(NamedTuple):
    huey: "Huey"
    tasks: Mapping[str, Callable[..., Any]]
    """By the job's name: calling one puts it into the queue."""


def queue_of(app: Flask) -> Queue:
    """The application's queue. It is opened by the first that needs it: most web workers never do."""
    queue: Queue = app.extensions.get("homeward.queue") or open_queue(app)
    app.extensions["homeward.queue"] = queue
    return queue


def open_queue(app: Flask) -> Queue:
    from huey import crontab

    huey = connect(app.config["HOMEWARD"])
    tasks = {}
    for name, (do, recurs) in app.extensions["homeward.jobs"].items():
        tasks[name] = huey.periodic_task(crontab(**recurs), name=name)(do)
    return Queue(huey, tasks)


def connect(settings: Settings) -> "Huey":
    from huey import RedisHuey, SqliteHuey
    from huey.serializer import SignedSerializer

    # What is read from the queue is unpickled, so it has to be of our own making.
    rest = {"results": False, "serializer": SignedSerializer(settings.secret_key, "homeward.jobs")}
    if settings.queue_url.startswith("sqlite:///"):
        file = settings.queue_url.removeprefix("sqlite:///")
        return SqliteHuey("homeward", filename=file, fsync=False, timeout=2, **rest)
    pool = ConnectionPool.from_url(settings.queue_url, socket_connect_timeout=1, socket_timeout=3)
    return RedisHuey("homeward", connection_pool=pool, **rest)


def within(app: Flask, do: Callable[[], None]) -> Callable[[], None]:
    """The job as the queue runs it. A store that is away is one line in the log: the next run does it."""

    def work() -> None:
        try:
            with app.app_context():
                do()
        except Exception as error:
            if not (isinstance(error, Unavailable) or is_unavailable(error)):
                raise
            log.warning("%s could not be done now: %s", do.__name__, cause_of(error))

    return work

"""The queue: what is done outside requests, and what recurs.

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

from adoption.settings import Settings

if TYPE_CHECKING:
    from huey import Huey

log = logging.getLogger("homeward.jobs")

STOPPING = threading.Event()
"""Set once this process takes no more jobs: one that lasts comes to its end then."""


def send_letters() -> None:
    from adoption.mail import outbox
    from adoption.mail.posts import post_of

    outbox.send_due(post_of(current_app.config["HOMEWARD"]))


def forget_letters() -> None:
    from adoption.mail import outbox

    outbox.forget()


def forget_applicants() -> None:
    from datetime import timedelta

    from adoption.orders import forgetting

    forgetting.purge(timedelta(days=current_app.config["HOMEWARD"].keep_applications_days))


def forget_changes() -> None:
    from adoption.animals import bulk

    bulk.forget()


def run_imports() -> None:
    from adoption.imports import running

    running.run_waiting()


def forget_imports() -> None:
    from adoption.imports import actions

    actions.forget()


def forget_sign_ins() -> None:
    from adoption.accounts import invitations, sign_ins

    sign_ins.forget()
    invitations.forget()


def forget_usage() -> None:
    from adoption.accounts import usage

    usage.forget()


def tidy_search() -> None:
    from adoption.animals import search_index

    search_index.tidy()


def check_domains() -> None:
    from adoption.domains import rechecks, terms

    rechecks.run(terms.the_terms())


def order_certificates() -> None:
    from adoption.certificates import rounds, terms

    if (known := terms.the_terms()) and rounds.run(known):
        start("order_certificates")


class Job(NamedTuple):
    do: Callable[[], None]
    recurs: Mapping[str, str]
    """When, as huey's ``crontab`` takes it, in UTC."""


EACH_MINUTE: Mapping[str, str] = {}

# Two consumers, and so a job twice, do no harm: each takes what the other has not yet claimed.
JOBS = {
    "send_letters": Job(send_letters, EACH_MINUTE),  # and started by whoever has written one
    "forget_sign_ins": Job(forget_sign_ins, {"hour": "3", "minute": "30"}),
    "forget_usage": Job(forget_usage, {"hour": "3", "minute": "25"}),
    "forget_letters": Job(forget_letters, {"hour": "3", "minute": "20"}),
    "tidy_search": Job(tidy_search, {"hour": "4", "minute": "10"}),
    "run_imports": Job(run_imports, EACH_MINUTE),  # and started by whoever has started one
    "check_domains": Job(check_domains, EACH_MINUTE),
    "order_certificates": Job(order_certificates, EACH_MINUTE),  # and started with each verification
    "forget_imports": Job(forget_imports, {"hour": "3", "minute": "50"}),
    "forget_changes": Job(forget_changes, {"minute": "35"}),
    "forget_applicants": Job(forget_applicants, {"hour": "3", "minute": "40"}),
}


def start(name: str) -> None:
    """Have a job done within a second or so by whoever runs the queue.

    To be called once the rows that it needs are committed. Where the queue cannot be reached the log tells,
    and the caller goes on: what recurs will find the work.
    """
    try:
        queue_of(current_app._get_current_object()).tasks[name]()  # type: ignore[attr-defined]
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
    for name, (do, recurs) in JOBS.items():
        tasks[name] = huey.periodic_task(crontab(**recurs), name=name)(within(app, do))
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
    def work() -> None:
        with app.app_context():
            do()

    return work

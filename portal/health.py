"""For whoever watches over the service: is the process up, and can it reach what it needs?"""

import logging

from flask import Response
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from adoption.accounts.quota_stores import the_quotas
from adoption.animals.models import Category
from adoption.database import reading
from adoption.errors import Unavailable
from portal import people

log = logging.getLogger("homeward.portal")
NOT_KEPT = {"Cache-Control": "no-store"}


@people.get("/healthz")
def health() -> Response:
    return Response("ok\n", content_type="text/plain; charset=utf-8", headers=NOT_KEPT)


@people.get("/readyz")
def readiness() -> Response:
    """200 when the database answers and has its tables, and requests can be counted; else 503."""
    try:
        with reading() as session:
            ready = session.scalar(select(Category.id).limit(1)) is not None
        the_quotas().check()
    except (SQLAlchemyError, Unavailable) as error:
        log.warning("not ready: %s", error)
        ready = False
    if ready:
        return Response("ok\n", content_type="text/plain; charset=utf-8", headers=NOT_KEPT)
    sentence = "The database or the quota store cannot be used now.\n"
    headers = {**NOT_KEPT, "Retry-After": "5"}
    return Response(sentence, 503, content_type="text/plain; charset=utf-8", headers=headers)

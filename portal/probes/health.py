"""For whoever watches over the service: is the process up, and can it reach what it needs?"""

import logging

from flask import Response
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from adoption.accounts.quotas.stores import the_quotas
from adoption.animals.models import AnimalCategory
from adoption.errors import Unavailable
from adoption.storage.database import cause_of, reading
from portal import people

log = logging.getLogger("homeward.portal")
NOT_KEPT = {"Cache-Control": "no-store"}


@people.get("/healthz")
def health() -> Response:
    return Response("ok\n", content_type="text/plain; charset=utf-8", headers=NOT_KEPT)


@people.get("/readyz")
def readiness() -> Response:
    """200 when the database answers and has its tables, and requests can be counted; else 503."""
    stores = {"database": database_answers, "quota store": quotas_answer}
    away = [name for name, answers in stores.items() if not answers()]
    if not away:
        return Response("ok\n", content_type="text/plain; charset=utf-8", headers=NOT_KEPT)
    sentence = f"The {' and the '.join(away)} cannot be used now.\n"
    headers = {**NOT_KEPT, "Retry-After": "5"}
    return Response(sentence, 503, content_type="text/plain; charset=utf-8", headers=headers)


def database_answers() -> bool:
    try:
        with reading() as session:
            return session.scalar(select(AnimalCategory.id).limit(1)) is not None
    except SQLAlchemyError as error:
        log.warning("not ready: %s", cause_of(error))
        return False


def quotas_answer() -> bool:
    try:
        the_quotas().require()
    except Unavailable as error:
        log.warning("not ready: %s", cause_of(error))
        return False
    return True

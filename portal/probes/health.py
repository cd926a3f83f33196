"""Health checks: whether the process runs, and whether it can reach its database and quota store."""

import logging

from flask import Response
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from adoption.accounts.quotas.configured_storage import the_quota_storage
from adoption.animals.models import AnimalCategory
from adoption.errors import Unavailable
from adoption.storage.database import cause_of, reading
from portal import portal_blueprint

log = logging.getLogger("homeward.portal")
NO_STORE = {"Cache-Control": "no-store"}


@portal_blueprint.get("/healthz")
def health() -> Response:
    return Response("ok\n", content_type="text/plain; charset=utf-8", headers=NO_STORE)


@portal_blueprint.get("/readyz")
def readiness() -> Response:
    """Return 200 if the database has its tables and the quota store works, else 503."""
    stores = {"database": is_database_ready, "quota store": is_quota_store_ready}
    failed = [name for name, is_ready in stores.items() if not is_ready()]
    if not failed:
        return Response("ok\n", content_type="text/plain; charset=utf-8", headers=NO_STORE)
    sentence = f"The {' and the '.join(failed)} cannot be used now.\n"
    headers = {**NO_STORE, "Retry-After": "5"}
    return Response(sentence, 503, content_type="text/plain; charset=utf-8", headers=headers)


def is_database_ready() -> bool:
    try:
        with reading() as session:
            return session.scalar(select(AnimalCategory.id).limit(1)) is not None
    except SQLAlchemyError as error:
        log.warning("not ready: %s", cause_of(error))
        return False


def is_quota_store_ready() -> bool:
    try:
        the_quota_storage().require_available()
    except Unavailable as error:
        log.warning("not ready: %s", cause_of(error))
        return False
    return True

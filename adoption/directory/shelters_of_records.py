"""The shelters of a page of animals' records."""

from collections.abc import Iterable
from datetime import datetime
from functools import cache
from typing import NamedTuple

from sqlalchemy import and_, case, select

from adoption.accounts.models import Account
from adoption.directory.shelter_records import ShelterRecord
from adoption.domains.live_domains import orders_certificates
from adoption.domains.site_lookup import PLAN_GIVES, PRIMARY, is_live_primary, live_parameters
from adoption.projects.models import Deploy, Project
from adoption.projects.published_sites import LIVE
from adoption.storage.json_arrays import is_in_json_array, json_array
from adoption.storage.prepared_statements import Prepared

TEXTS = ShelterRecord._fields[3:-1]


class RecordShelter(NamedTuple):
    """The shelter of an animal, and the currency of its fees."""

    shelter: ShelterRecord
    """The published texts. An unpublished shelter, which only its own keys read, has its draft texts."""
    currency: str


@cache
def shelters_statement(orders: bool) -> Prepared:
    is_live = Deploy.id.is_not(None)
    *texts, currency = (
        case((is_live, getattr(Deploy, text)), else_=getattr(Project, text)) for text in (*TEXTS, "currency")
    )
    return Prepared(
        select(Project.id, Project.slug, PRIMARY.verified_host, *texts, Project.petfinder_id, currency)
        .join(Account, Account.id == Project.account_id)
        .outerjoin(Deploy, LIVE)
        .outerjoin(PRIMARY, and_(is_live_primary(orders), PLAN_GIVES))
        .where(is_in_json_array(Project.id, "project_ids"))
    )


def shelters_by_id(project_ids: Iterable[int], now: datetime) -> dict[int, RecordShelter]:
    """Return the shelters of these projects. The reader may see an animal of each."""
    found = shelters_statement(orders_certificates()).rows(
        project_ids=json_array(set(project_ids)), **live_parameters(now)
    )
    return {row[0]: RecordShelter(ShelterRecord(*row[:-1]), row[-1]) for row in found}

"""The shelters of a page of animals' records."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import and_, case, select

from adoption.accounts.models import Account
from adoption.animals.allowed_values import ID_LARGEST
from adoption.directory.shelter_records import ShelterRecord
from adoption.domains.live_domains import orders_certificates
from adoption.domains.site_lookup import PLAN_GIVES, PRIMARY, is_live_primary, live_parameters
from adoption.places.models import ProjectPlace
from adoption.projects.models import Deploy, Project
from adoption.projects.published_sites import LIVE
from adoption.storage.json_arrays import is_in_json_array, json_array
from adoption.storage.prepared_statements import Prepared


class RecordShelter(NamedTuple):
    """The shelter of an animal, and the currency of its fees."""

    shelter: ShelterRecord
    """The published texts. An unpublished shelter, which only its own keys read, has its draft texts."""
    currency: str


OWN_COLUMNS = {
    "id": Project.id,
    "slug": Project.slug,
    "primary": PRIMARY.verified_host,
    "petfinder_id": Project.petfinder_id,
    "lat": ProjectPlace.lat,
    "lng": ProjectPlace.lng,
}
"""The columns of a ``ShelterRecord`` that are not texts of the site."""


def shelter_column(name: str) -> Any:
    """Return the column for a value of a shelter.

    If the site has no live deploy, texts are from the draft.
    """
    if name in OWN_COLUMNS:
        return OWN_COLUMNS[name]
    return case((Deploy.id.is_not(None), getattr(Deploy, name)), else_=getattr(Project, name))


@cache
def shelters_statement(orders: bool, is_for_directory: bool) -> Prepared:
    return Prepared(
        select(*map(shelter_column, (*ShelterRecord._fields, "currency")))
        .select_from(Project)
        .join(Account, Account.id == Project.account_id)
        .join(Deploy, LIVE, isouter=not is_for_directory)
        .outerjoin(PRIMARY, and_(is_live_primary(orders), PLAN_GIVES))
        .outerjoin(ProjectPlace, ProjectPlace.project_id == Project.id)
        .where(
            is_in_json_array(Project.id, "project_ids"), *([Project.in_directory] if is_for_directory else [])
        )
    )


def shelters_by_id(
    project_ids: Iterable[int], now: datetime, is_for_directory: bool
) -> dict[int, RecordShelter]:
    """Return the shelters of these projects.

    The caller has checked that the reader may see their animals. A shelter can disappear after that check: if
    its project was deleted, or for the directory, if its site was taken offline or left the directory.
    """
    found = shelters_statement(orders_certificates(), is_for_directory).rows(
        project_ids=json_array(set(project_ids)), **live_parameters(now)
    )
    return {row[0]: RecordShelter(ShelterRecord(*row[:-1]), row[-1]) for row in found}


BY_SLUG = Prepared(select(Project.id).where(is_in_json_array(Project.slug, "slugs")))
NO_PROJECT = 0


def find_project_ids(shelters: Sequence[str]) -> tuple[int, ...]:
    """Return the project ids of shelters that are given by id or slug. Unknown ones match no animal."""
    ids = [int(each) for each in shelters if is_id(each)]
    slugs = json_array(each for each in shelters if not is_id(each))
    return (*ids, *(row[0] for row in BY_SLUG.rows(slugs=slugs))) or (NO_PROJECT,)


def is_id(text: str) -> bool:
    return text.isascii() and text.isdigit() and int(text) <= ID_LARGEST

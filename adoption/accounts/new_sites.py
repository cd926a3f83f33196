"""Additional sites, which owners add to their account."""

from datetime import UTC, datetime
from typing import NamedTuple

from adoption.accounts.project_access import ProjectAccess
from adoption.accounts.quotas.throttles import HOUR, Throttle
from adoption.audit import trail
from adoption.audit.actors import Actor
from adoption.errors import Invalid
from adoption.projects import validation
from adoption.projects.models import Project
from adoption.projects.slugs import free_slug, retry_while_taken, why_slug_numbered
from adoption.storage.database import reading, transaction
from adoption.translations import message

OF_ONE_ACCOUNT = Throttle(
    "sites", 10, HOUR, message("You have added many sites. Wait {wait}, then add more.")
)
"""The limit on an account's new sites, because no other shelter can use the slug of a site."""
INHERITED = (
    "contact_email",
    "contact_phone",
    "place",
    "country",
    "language",
    "currency",
    "colour",
    "time_zone",
    "in_directory",
)
"""The columns that a new site copies from an existing site."""


def check_new_site_name(name: str) -> str:
    """Return the cleaned name. Raises Invalid if the name is invalid."""
    try:
        return validation.check_site_name(name)
    except ValueError as error:
        raise Invalid([("name", str(error))]) from error


class SlugPreview(NamedTuple):
    slug: str
    why_numbered: str
    """A sentence about why the slug contains a number; empty if the slug contains none."""


def preview_slug(name: str) -> SlugPreview:
    """Return the slug that a site with this name would get now."""
    with reading() as session:
        return SlugPreview(free_slug(session, name), why_slug_numbered(session, name))


def add_site(access: ProjectAccess, name: str, by: Actor, now: datetime | None = None) -> Project:
    """Add an unpublished site to an account. All members of the account can access the site.

    Raises Invalid if the name is invalid, and TooMany above the limit.
    """
    now, name = now or datetime.now(UTC), check_new_site_name(name)
    OF_ONE_ACCOUNT.demand(str(access.account.id), now.timestamp())
    return retry_while_taken(lambda: insert_site(access, name, by, now))


def insert_site(access: ProjectAccess, name: str, by: Actor, now: datetime) -> Project:
    with transaction() as session:
        project = Project(
            account_id=access.account.id,
            slug=free_slug(session, name),
            name=name,
            created_at=now,
            **{name: getattr(access.project, name) for name in INHERITED},
        )
        session.add(project)
        session.flush()
        trail.record(session, by, "site.added", access.account.id, project.id, name, now=now)
        return project

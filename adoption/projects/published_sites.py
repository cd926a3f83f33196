"""Published sites: lookup by slug, with the texts of the live deploy."""

from typing import NamedTuple

from sqlalchemy import and_, bindparam, select

from adoption.projects.models import Deploy, Project
from adoption.storage.database import reading
from adoption.storage.prepared_statements import Prepared


class Site(NamedTuple):
    """A published project as visitors see it, with the texts of its live deploy."""

    project_id: int
    slug: str
    name: str
    about: str
    place: str
    contact_email: str
    contact_phone: str
    colour: str
    currency: str
    website: str
    adoption_policy: str
    time_zone: str


LIVE = and_(Deploy.project_id == Project.id, Deploy.number == Project.live_deploy)
"""The condition that joins a project with its live deploy. Unpublished projects have no live deploy."""
OF_SITE = (
    Project.id,
    Project.slug,
    *(getattr(Deploy, text) for text in Site._fields[2:-1]),
    Project.time_zone,
)
"""The columns of a ``Site``, in the order of its fields."""
_sites = select(*OF_SITE).join(Deploy, LIVE)
SITE = Prepared(_sites.where(Project.slug == bindparam("slug")))


def find_published_site(slug: str) -> Site | None:
    """Return the published site with this slug, or None."""
    row = SITE.first(slug=slug)
    return None if row is None else Site._make(row)


def has_colour(colour: str) -> bool:
    """Return whether a published site, or a draft with a preview, has this colour."""
    draft = select(Project.id).where(Project.colour == colour).limit(1)
    site = select(Project.id).join(Deploy, LIVE).where(Deploy.colour == colour).limit(1)
    with reading() as session:
        return session.scalar(draft) is not None or session.scalar(site) is not None

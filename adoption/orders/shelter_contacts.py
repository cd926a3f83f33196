"""A shelter's contact details, for applicants."""

from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.platform_addresses import platform_link
from adoption.projects.models import Deploy, Project
from adoption.projects.published_sites import LIVE
from adoption.storage.database import reading


class ShelterContact(NamedTuple):
    """A shelter's name and contact details, for applicants."""

    name: str
    contact_email: str
    contact_phone: str
    time_zone: str
    animals_link: str
    """The URL of the page with the shelter's animals; empty while the site is offline."""


def shelter_contact(session: Session, project_id: int) -> ShelterContact:
    """Return the published contact details. If nothing is published, return the details in the draft."""
    live = select(Deploy).join(Project, LIVE).where(Project.id == project_id)
    project = session.get_one(Project, project_id)
    deploy = session.scalar(live)
    texts = deploy or project
    link = platform_link(f"?shelter={project.slug}") if deploy else ""
    return ShelterContact(texts.name, texts.contact_email, texts.contact_phone, project.time_zone, link)


def load_shelter_contact(project_id: int) -> ShelterContact:
    with reading() as session:
        return shelter_contact(session, project_id)

"""Deploys: the live deploy, the history of deploys, and unpublished changes of texts."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.errors import NotFound
from adoption.projects.models import SITE_TEXTS, Deploy, Project, SiteTexts

NUMBER_LARGEST = 2**31 - 1
"""The largest number that the column ``Deploy.number`` can contain."""


class TextDifference(NamedTuple):
    """A text of the site whose draft differs from the live text."""

    text: str
    """The name of the text, from ``SITE_TEXTS``."""
    live: str
    draft: str


def find_live_deploy(session: Session, project: Project) -> Deploy | None:
    """Return the deploy that visitors see; None if the site is not published."""
    number = project.live_deploy
    return None if number is None else find_successful_deploy(session, project.id, number)


def find_successful_deploy(session: Session, project_id: int, number: int) -> Deploy:
    """Return a successful deploy of this project. Raises NotFound if the deploy failed or does not exist."""
    deploy = select(Deploy).where(Deploy.project_id == project_id, Deploy.number == number, Deploy.succeeded)
    found = session.scalar(deploy) if number <= NUMBER_LARGEST else None
    if found is None:
        raise NotFound("There is no such deploy.")
    return found


def list_deploys(session: Session, project_id: int, before: int | None, limit: int) -> Sequence[Deploy]:
    """Return the deploys of a project, newest first; with ``before``, only deploys with lower numbers."""
    found = select(Deploy).where(Deploy.project_id == project_id)
    if before is not None and before <= NUMBER_LARGEST:
        found = found.where(Deploy.number < before)
    return session.scalars(found.order_by(Deploy.number.desc()).limit(limit)).all()


def first_published_at(session: Session, project_id: int) -> datetime | None:
    """Return the time when the project was first published; None if the project was never published."""
    succeeded = select(Deploy.created_at).where(Deploy.project_id == project_id, Deploy.succeeded)
    return session.scalar(succeeded.order_by(Deploy.number).limit(1))


def compare_texts(draft: SiteTexts, live: SiteTexts) -> list[TextDifference]:
    """Return the texts that visitors would see changed if the draft were published now."""
    both = [(text, getattr(live, text), getattr(draft, text)) for text in SITE_TEXTS]
    return [TextDifference(*each) for each in both if each[1] != each[2]]

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import count

from slugify import slugify
from sqlalchemy import func, select, true
from sqlalchemy.orm import Session

from adoption.database import transaction
from adoption.projects.models import SITE_TEXTS, Deploy, Project
from adoption.projects.queries import project_named

RESERVED = {"admin", "api", "docs", "mail", "staging", "static", "www"}
"""Hosts below the platform's own that are not a shelter's to have."""

SLUG_LONGEST = 50  # leaves room for a number within the 63 letters of a host's label


def free_slug(session: Session, name: str) -> str:
    """The name as a host label, with a number behind it where another project has it already."""
    [slug] = free_slugs(session, [name])
    return slug


def free_slugs(session: Session, names: Sequence[str]) -> list[str]:
    """A slug for each name, all of them different, from one look at those that are taken."""
    bases = [slugify(name, max_length=SLUG_LONGEST) or "project" for name in names]
    like = Project.slug.startswith(bases[0]) if len(bases) == 1 else true()
    taken = RESERVED | set(session.scalars(select(Project.slug).where(like)))
    numbers: dict[str, Iterator[int]] = {}
    slugs = []
    for base in bases:
        number = numbers.setdefault(base, count(1))
        slug = next(slug for n in number if (slug := base if n == 1 else f"{base}-{n}") not in taken)
        taken.add(slug)  # "Elm" twice and "Elm 2" come to one slug as well
        slugs.append(slug)
    return slugs


def publish(slug: str, now: datetime | None = None) -> Deploy:
    """Publish a project's site: a numbered deploy, live at once when it succeeded.

    A failed one tells why in ``reason`` and leaves what was live as it was. Raises NotFound.
    """
    with transaction() as session:
        project = project_named(session, slug)
        # Two that publish at once take turns, so that each deploy gets a number of its own.
        session.refresh(project, with_for_update=True)
        last = session.scalar(select(func.max(Deploy.number)).where(Deploy.project_id == project.id))
        reason = why_not_publishable(project)
        deploy = Deploy(
            project_id=project.id,
            number=(last or 0) + 1,
            succeeded=not reason,
            reason=reason,
            **{text: getattr(project, text) for text in SITE_TEXTS},
            created_at=now or datetime.now(UTC),
        )
        session.add(deploy)
        if deploy.succeeded:
            project.live_deploy = deploy.number
        return deploy


def why_not_publishable(project: Project) -> str:
    """The first thing that a visitor would miss, as a sentence; empty when nothing is missing."""
    if not project.name.strip():
        return "The site has no name. Give the project a name, then publish again."
    if not project.contact_email.strip():
        return (
            "Adopters would have nobody to write to. Give the project a contact address, then publish again."
        )
    return ""

"""Slugs: host labels of projects below the platform's host."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import count
from typing import TypeVar

from flask import current_app
from slugify import slugify
from sqlalchemy import func, select, true
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from adoption.projects.models import Project
from adoption.projects.reserved_slugs import is_reserved
from adoption.settings import Settings

T = TypeVar("T")

SLUG_LONGEST = 50  # so that a slug with a number still fits into the 63 characters of a label


def host_label_of_name(name: str) -> str:
    """Return the name as a host label: in ASCII and lower case, with hyphens for spaces."""
    return slugify(name, max_length=SLUG_LONGEST) or "project"


def free_slug(session: Session, name: str) -> str:
    """Return the name as a host label. Add a number if the label is reserved or taken."""
    [slug] = free_slugs(session, [name])
    return slug


def free_slugs(session: Session, names: Sequence[str]) -> list[str]:
    """Return a different slug for each name, with one query."""
    settings: Settings = current_app.config["HOMEWARD"]
    bases = [host_label_of_name(name) for name in names]
    like = Project.slug.startswith(bases[0]) if len(bases) == 1 else true()
    taken = set(session.scalars(select(Project.slug).where(like)))
    taken |= {base for base in bases if is_reserved(base, settings)}
    numbers: dict[str, Iterator[int]] = {}
    slugs = []
    for base in bases:
        number = numbers.setdefault(base, count(1))
        slug = next(slug for n in number if (slug := base if n == 1 else f"{base}-{n}") not in taken)
        taken.add(slug)  # two names in the list never get the same slug
        slugs.append(slug)
    return slugs


def why_slug_numbered(session: Session, name: str) -> str:
    """Return the reason why the slug of this name has a number, as a sentence; empty if the name is free."""
    settings: Settings = current_app.config["HOMEWARD"]
    base = host_label_of_name(name)
    if is_reserved(base, settings):
        return f"The address “{base}” is reserved, because visitors could take it for a page of ours."
    is_taken = session.scalar(select(func.count()).where(Project.slug == base))
    return f"Another site already has the address “{base}”." if is_taken else ""


def retry_while_taken(insert: Callable[[], T]) -> T:
    """Return the result of an insert. If a concurrent request takes the slug, repeat the insert."""
    for _ in range(9):
        with suppress(IntegrityError):
            return insert()
    return insert()

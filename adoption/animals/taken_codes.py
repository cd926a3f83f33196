"""Codes of animals, which are unique in a project."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from adoption.animals.models import Animal
from adoption.errors import Invalid
from adoption.translations import gettext


def find_code_holder(
    session: Session, project_id: int, code: str | None, animal_id: int | None
) -> str | None:
    """Return the name of another animal in the project with this code; None if there is no such animal."""
    if not code:
        return None
    theirs = select(Animal.name).where(Animal.project_id == project_id, Animal.code == code)
    return session.scalar(theirs.where(Animal.id != animal_id) if animal_id else theirs)


def refuse_taken_code(session: Session, project_id: int, code: str | None, animal_id: int | None) -> None:
    holder = find_code_holder(session, project_id, code, animal_id)
    if holder is not None:
        raise Invalid([("code", taken_code_sentence(holder))])


def taken_code_sentence(holder: str) -> str:
    return gettext(
        "%(animal)s has this code already. Write another code, or leave the field empty", animal=holder
    )


@contextmanager
def unique_code() -> Iterator[None]:
    """Raise Invalid if the database rejects the code because a concurrent request saved the same code."""
    try:
        yield
    except IntegrityError as error:
        raise Invalid([("code", taken_code_sentence(gettext("Another animal")))]) from error

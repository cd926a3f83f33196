"""Whoever changes animals of a project, and how it is told to the audit log."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.audit import trail
from adoption.audit.trail import OPERATOR, Actor
from adoption.database import transaction
from adoption.projects.models import Project

NAMES_TOLD = 5


class Editor(NamedTuple):
    """Somebody at work on the animals of one project."""

    actor: Actor
    account_id: int
    project_id: int

    def note(self, session: Session, action: str, thing: str, detail: str, now: datetime) -> None:
        """Have the audit log tell of it, within the transaction of what it tells of."""
        trail.record(session, self.actor, action, self.account_id, self.project_id, thing, detail, now)


def named(animal_id: int, name: str) -> str:
    """An animal as the audit log names it: several may have one name."""
    return f"{name} ({animal_id})"


def named_together(animals: list[tuple[int, str]]) -> tuple[str, str]:
    """What something was done to, and who they are where it was done to several at once."""
    if len(animals) == 1:
        return named(*animals[0]), ""
    told = [named(*each) for each in animals[:NAMES_TOLD]]
    rest = len(animals) - len(told)
    return f"{len(animals):,} animals", ", ".join(told) + (f" and {rest:,} more" if rest else "")


def record_by_operator(slug: str, action: str, thing: str, detail: str = "") -> None:
    """Note what a command has done to a project over many transactions, now that all of it is done."""
    with transaction() as session:
        project_id, account_id = session.execute(
            select(Project.id, Project.account_id).where(Project.slug == slug)
        ).one()
        trail.record(session, OPERATOR, action, account_id, project_id, thing, detail)

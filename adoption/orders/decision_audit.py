"""The colleague who works on applications, and the audit entries of that work."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy.orm import Session

from adoption.audit import trail
from adoption.audit.trail import Actor
from adoption.orders.application_cases import Ref
from adoption.text_joining import listed


class Roots(NamedTuple):
    """The addresses that emails link to. An id or a token is added at the end."""

    animals: str
    applications: str
    shelter: str
    """The page of the shelter's own animals, to which nothing is added; empty while its site is offline."""


class Desk(NamedTuple):
    """A colleague, their project, and the addresses for emails."""

    account_id: int
    project_id: int
    by: Actor
    roots: Roots


def record_decision(
    session: Session, desk: Desk, action: str, names: list[str], ref: Ref | int, now: datetime
) -> None:
    """Add an audit entry. It is kept longer than the applicant's data, so it names only the animals."""
    thing = f"{listed(names)} (application {ref})"
    trail.record(session, desk.by, action, desk.account_id, desk.project_id, thing, now=now)

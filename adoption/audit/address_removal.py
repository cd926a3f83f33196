"""Removal of network and email addresses from old entries of the audit log.

The action stays in the log. While the user exists, ``user_id`` still leads to the user's name.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from sqlalchemy import and_, case, or_, select, update

from adoption.audit.actors import FORGOTTEN
from adoption.audit.models import AuditEntry
from adoption.storage.database import reading, transaction

KEPT = timedelta(days=365)
"""The time after which the addresses in an entry are removed. By default, applications keep personal data for
the same time."""
AT_ONCE = 500
"""The number of entries that one transaction changes."""

HAS_ACTOR = AuditEntry.actor.contains("@")
HAS_THING = and_(
    AuditEntry.thing.contains("@"),
    or_(AuditEntry.action.startswith("member."), AuditEntry.action.startswith("invitation.")),
)
"""The SQL condition for entries whose thing is an email address. Only entries about the team can have such a
thing. In any other entry, an ``@`` is part of a name."""
WITHOUT_ADDRESSES = update(AuditEntry).values(
    address="",
    actor=case((HAS_ACTOR, FORGOTTEN), else_=AuditEntry.actor),
    thing=case((HAS_THING, ""), else_=AuditEntry.thing),
)


def remove_old_addresses(now: datetime | None = None) -> int:
    """Remove the addresses from entries older than ``KEPT``. Return the number of changed entries."""
    before, after, number = (now or datetime.now(UTC)) - KEPT, 0, 0
    while ids := due_entry_ids(before, after):
        with transaction() as session:
            of_ids = WITHOUT_ADDRESSES.where(AuditEntry.id.in_(ids))
            session.execute(of_ids, execution_options={"synchronize_session": False})
        after, number = ids[-1], number + len(ids)
    return number


def due_entry_ids(before: datetime, after: int) -> Sequence[int]:
    """Return the next ids, above ``after``, of old entries with an address."""
    found = select(AuditEntry.id).where(AuditEntry.id > after, AuditEntry.created_at < before)
    with_address = found.where(or_(AuditEntry.address != "", HAS_ACTOR, HAS_THING))
    with reading() as session:
        return session.scalars(with_address.order_by(AuditEntry.id).limit(AT_ONCE)).all()

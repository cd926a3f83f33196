"""Actors in the audit log: users, the operator and the service itself."""

from datetime import datetime
from typing import NamedTuple

from adoption.translations import message


class Actor(NamedTuple):
    """The person or program that acts."""

    user_id: int | None
    name: str
    """The actor's email address, or "the operator"."""
    address: str = ""
    """The network address; empty on the service's own machine."""
    proved_at: datetime | None = None
    """The time when the password or a passkey was last used in the actor's browser."""


OPERATOR = Actor(None, message("the operator"))
"""The actor of the command line."""


SERVICE = Actor(None, "the service")
"""The actor of the service's own jobs."""


FORGOTTEN = message("a member")
"""The replacement for an actor's email address in an old entry."""

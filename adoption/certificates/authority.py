"""A certificate authority, as the rest of the application sees it."""

from datetime import datetime
from typing import NamedTuple, Protocol

PENDING, READY, PROCESSING, VALID, INVALID = "pending", "ready", "processing", "valid", "invalid"
"""States of an order (RFC 8555, section 7.1.6)."""


class Refused(Exception):
    """The authority says no; ``code`` is its problem's type without the prefix, ``detail`` its own words."""

    def __init__(self, code: str, detail: str, not_before: datetime | None = None) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
        self.not_before = not_before
        """When it wants to be asked again at the soonest, where it says so."""


class Unreached(Exception):
    """The authority could not be asked, or gave no answer that can be read. It may have done its work."""


class Forgotten(Unreached):
    """The authority does not know us any more; so our account there is forgotten."""


class Challenge(NamedTuple):
    token: str
    key_authorization: str
    waits: bool
    """Whether the authority waits to be told that it may look."""


class Stage(NamedTuple):
    """How far an order is (RFC 8555, 7.1.6)."""

    status: str
    challenge: Challenge | None = None
    """Of a pending order: where the host has to answer."""


class Account(NamedTuple):
    address: str
    key: str
    """JSON Web Key."""


class Authority(Protocol):
    """What is asked of an authority; each may raise Refused or Unreached."""

    def order(self, host: str) -> str:
        """Order a certificate; return the order's address."""

    def stage(self, order: str) -> Stage:
        """How far it is. Raises Refused where it came to nothing."""

    def begin_validation(self, order: str) -> None:
        """Tell it that the host answers the challenge."""

    def finalize(self, order: str, request: bytes) -> None:
        """Have it issue for this signing request, PEM."""

    def chain(self, order: str) -> str:
        """The certificates that were issued, PEM, the host's own first."""

    def renewal(self, chain: str) -> tuple[datetime | None, datetime]:
        """When it wants a certificate renewed, if it says so, and when to ask again (RFC 9773)."""


class Accounts(Protocol):
    """Where it is kept who we are to an authority."""

    def get(self) -> Account | None: ...
    def keep(self, account: Account) -> Account:
        """Keep it, unless one was kept meanwhile; return the one that counts."""

    def forget(self, address: str) -> None:
        """Forget the account at this address, where it still is the one."""

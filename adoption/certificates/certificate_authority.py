"""A certificate authority, as the rest of the application sees it."""

from datetime import datetime
from typing import NamedTuple, Protocol

PENDING, READY, PROCESSING, VALID, INVALID = "pending", "ready", "processing", "valid", "invalid"
"""States of an order (RFC 8555, section 7.1.6)."""
HTTP_01, DNS_01 = "http-01", "dns-01"
"""Types of challenges (RFC 8555, sections 8.3 and 8.4)."""


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

    was_answered = False
    """Whether it answered all the same, so that it is not down."""

    def __init__(self, words: str, not_before: datetime | None = None) -> None:
        super().__init__(words)
        self.not_before = not_before
        """When it wants to be asked again at the soonest, where it says so."""


class Unaccepted(Unreached):
    """The authority answered, and did not accept the request for a passing reason."""

    was_answered = True


class Forgotten(Unaccepted):
    """The authority does not know us any more; so our account there is forgotten."""


class AcmeChallenge(NamedTuple):
    token: str
    answer: str
    """What the host answers: the key authorization of HTTP-01, the text of the TXT record of DNS-01."""
    waits: bool
    """Whether the authority waits to be told that it may look."""


class Stage(NamedTuple):
    """How far an order is (RFC 8555, 7.1.6)."""

    status: str
    challenges: tuple[AcmeChallenge, ...] = ()
    """Of a pending order: one for each name whose control is not shown yet."""
    not_before: datetime | None = None
    """When the authority wants to be asked again at the soonest, where it says so."""


class AcmeAccount(NamedTuple):
    address: str
    key: str
    """JSON Web Key."""


class Authority(Protocol):
    """What is asked of an authority; each may raise Refused or Unreached."""

    def order(self, *hosts: str) -> str:
        """Order one certificate for these hosts; return the order's address."""

    def stage(self, order: str, kind: str = HTTP_01) -> Stage:
        """Return how far an order is, with its challenges of a type. Raise Refused if it failed."""

    def begin_validation(self, order: str, kind: str = HTTP_01) -> None:
        """Tell the authority that the challenges of a type are answered."""

    def finalize(self, order: str, request: bytes) -> None:
        """Have it issue for this signing request, PEM."""

    def chain(self, order: str) -> str:
        """The certificates that were issued, PEM, the host's own first."""

    def renewal(self, chain: str) -> tuple[datetime | None, datetime]:
        """When it wants a certificate renewed, if it says so, and when to ask again (RFC 9773)."""


class Accounts(Protocol):
    """Where it is kept who we are to an authority."""

    def get(self) -> AcmeAccount | None: ...
    def keep(self, account: AcmeAccount) -> AcmeAccount:
        """Keep it, unless one was kept meanwhile; return the one that counts."""

    def forget(self, address: str) -> None:
        """Forget the account at this address, where it still is the one."""

"""The interface to a certificate authority."""

from datetime import datetime
from typing import NamedTuple, Protocol

PENDING, READY, PROCESSING, VALID, INVALID = "pending", "ready", "processing", "valid", "invalid"
"""States of an order (RFC 8555, section 7.1.6)."""
HTTP_01, DNS_01 = "http-01", "dns-01"
"""Types of challenges (RFC 8555, sections 8.3 and 8.4)."""


class Refused(Exception):
    """The authority refused. ``code`` is the type of its problem without the prefix, ``detail`` its text."""

    def __init__(self, code: str, detail: str, not_before: datetime | None = None) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
        self.not_before = not_before
        """The earliest time for the next request, if the authority sets one."""


class Unreached(Exception):
    """The authority did not answer, or not readably. It may have processed the request nevertheless."""

    was_answered = False
    """Whether it answered nevertheless, so that it is not down."""

    def __init__(self, words: str, not_before: datetime | None = None) -> None:
        super().__init__(words)
        self.not_before = not_before
        """The earliest time for the next request, if the authority sets one."""


class Unaccepted(Unreached):
    """The authority answered, but did not accept the request for a temporary reason."""

    was_answered = True


class Forgotten(Unaccepted):
    """The authority no longer knows our account, which is therefore deleted here."""


class AcmeChallenge(NamedTuple):
    token: str
    answer: str
    """The key authorization for HTTP-01, or the text of the TXT record for DNS-01."""
    waits: bool
    """Whether the authority waits for the request to validate."""


class Stage(NamedTuple):
    """The state of an order at the authority (RFC 8555, 7.1.6)."""

    status: str
    challenges: tuple[AcmeChallenge, ...] = ()
    """Challenges of a pending order, one for each name that is not validated yet."""
    not_before: datetime | None = None
    """The earliest time for the next request, if the authority sets one."""


class AcmeAccount(NamedTuple):
    address: str
    key: str
    """JSON Web Key."""


class Authority(Protocol):
    """Requests to an authority. Each may raise Refused or Unreached."""

    def order(self, *hosts: str) -> str:
        """Order one certificate for these hosts. Return the order's address."""

    def stage(self, order: str, kind: str = HTTP_01) -> Stage:
        """Return the state of an order, with its challenges of one type. Raise Refused if it failed."""

    def begin_validation(self, order: str, kind: str = HTTP_01) -> None:
        """Request validation of the challenges of one type."""

    def finalize(self, order: str, request: bytes) -> None:
        """Request the certificate for this signing request, in PEM."""

    def chain(self, order: str) -> str:
        """Return the issued certificates in PEM, the host's own first."""

    def renewal(self, chain: str) -> tuple[datetime | None, datetime]:
        """Return the renewal time, if the authority sets one, and when to ask again (RFC 9773)."""


class Accounts(Protocol):
    """Storage of our account at an authority."""

    def get(self) -> AcmeAccount | None: ...
    def keep(self, account: AcmeAccount) -> AcmeAccount:
        """Store an account, unless another was stored meanwhile. Return the stored one."""

    def forget(self, address: str) -> None:
        """Delete the stored account if it has this address."""

"""The interface to a certificate authority."""

from datetime import datetime
from typing import NamedTuple, Protocol

PENDING, READY, PROCESSING, VALID, INVALID = "pending", "ready", "processing", "valid", "invalid"
"""States of an order (RFC 8555, section 7.1.6)."""
HTTP_01, DNS_01 = "http-01", "dns-01"
"""Types of challenges (RFC 8555, sections 8.3 and 8.4)."""


class AuthorityRefused(Exception):
    """A request that the authority refused.

    ``code`` is the type of the problem without the prefix, or our own code. ``detail`` is the problem's text.
    """

    def __init__(self, code: str, detail: str, not_before: datetime | None = None) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
        self.not_before = not_before
        """The earliest time for the next request, if the authority sets one."""


class AuthorityUnreached(Exception):
    """The authority did not answer, or its answer was not readable. It may have processed the request."""

    was_answered = False
    """Whether the authority sent a response. An authority that responds is not down."""

    def __init__(self, words: str, not_before: datetime | None = None) -> None:
        super().__init__(words)
        self.not_before = not_before
        """The earliest time for the next request, if the authority sets one."""


class TemporaryRejection(AuthorityUnreached):
    """The authority answered, but rejected the request for a temporary reason."""

    was_answered = True


class AccountForgotten(TemporaryRejection):
    """The authority no longer knows our account, and we deleted the stored account."""


class AcmeChallenge(NamedTuple):
    token: str
    answer: str
    """The key authorization for HTTP-01, or the TXT record's text for DNS-01."""
    waits: bool
    """Whether the authority waits for our request to validate the challenge."""


class OrderStage(NamedTuple):
    """The state of an order at the authority (RFC 8555, 7.1.6)."""

    status: str
    challenges: tuple[AcmeChallenge, ...] = ()
    """Challenges of a pending order, one for each name that is not validated yet."""
    not_before: datetime | None = None
    """The earliest time for the next request, if the authority sets one."""


class AcmeAccount(NamedTuple):
    address: str
    key: str
    """The account's private key as a JSON Web Key."""


class Authority(Protocol):
    """Requests to a certificate authority. Each can raise AuthorityRefused or AuthorityUnreached."""

    def order(self, *hosts: str) -> str:
        """Order one certificate for these hosts. Return the order's address."""

    def stage(self, order: str, kind: str = HTTP_01) -> OrderStage:
        """Return an order's state, with the order's challenges of one type.

        Raises AuthorityRefused if the order failed.
        """

    def begin_validation(self, order: str, kind: str = HTTP_01) -> None:
        """Request validation of an order's challenges of one type."""

    def finalize(self, order: str, request: bytes) -> None:
        """Request the certificate for this signing request, in PEM."""

    def chain(self, order: str) -> str:
        """Return the issued certificate chain in PEM, with the host's certificate first."""

    def renewal(self, chain: str) -> tuple[datetime | None, datetime]:
        """Return the renewal time, and the time at which to request the renewal time again (RFC 9773).

        The renewal time is None if the authority does not set one.
        """


class Accounts(Protocol):
    """A store with our account at an authority."""

    def get(self) -> AcmeAccount | None: ...
    def keep(self, account: AcmeAccount) -> AcmeAccount:
        """Store an account, unless another process has already stored one. Return the stored account."""

    def forget(self, address: str) -> None:
        """Delete the stored account if the account has this address."""

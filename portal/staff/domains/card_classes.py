"""The data classes of the cards on the page of domains. ``cards`` fills them in."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from adoption.certificates.certificate_states import CertificateStatus
from adoption.certificates.order_queue import QueueState
from adoption.domains.dns_providers import Provider
from adoption.domains.models import Domain


class SetupStep(NamedTuple):
    """A step of the setup of a domain, such as "DNS verified"."""

    state: str
    """``done``, ``failed``, ``current`` or ``todo``."""
    label: str
    more: str


class Check(NamedTuple):
    """The result of a check: what was found, and what is expected."""

    type: str
    name: str
    result: str
    """``pass``, ``wait`` or ``fail``."""
    verdict: str
    fix: str = ""
    why: str = ""
    expected: str = ""
    found: tuple[tuple[str, bool], ...] = ()
    """The values that were found. Each value has a flag for whether the value is right."""
    instead: str = ""
    """A text before ``expected``, if the expected record and the checked record have different types."""
    quote: str = ""
    """The certificate authority's description of a failure."""
    at: str = ""
    """The time of the check, in words. Empty if the page shows the time elsewhere."""
    link: str = ""
    """The authority's page on which the owner can end a pause of certificates. Empty without a pause."""
    addresses: tuple[str, ...] = ()
    """Addresses for A and AAAA records that the owner can add instead of the expected record."""
    needs_shelter: bool = True
    """Whether the shelter has to change something if the check does not pass. False if we have to change
    something."""


class CardNotice(NamedTuple):
    """A notice about the certificate, below the steps of a card."""

    title: str
    text: str
    quote: str = ""
    """The certificate authority's description of a failure."""
    at: str = ""
    """The time when the authority reported the failure, in words."""
    todo: str = ""
    """What the owner has to do."""
    link: str = ""
    """The authority's page on which the owner can end a pause of certificates. Empty without a pause."""


class Value(NamedTuple):
    """A DNS record that the owner has to add."""

    type: str
    name: str
    value: str


class EarlyCertificateOffer(NamedTuple):
    """The offer of a certificate before the owner moves a website here. It needs one more DNS record."""

    values: tuple[Value, ...]
    status: str
    """The status of the record, in sentences. Empty before the first check."""
    tone: str
    """``good`` or ``warn``. Empty for a status that is neither."""
    is_begun: bool
    """Whether DNS has the record, even if its value is wrong."""


class DomainCard(NamedTuple):
    """The card of a domain."""

    id: int
    name: str
    ascii: str
    """The domain's name in DNS (Punycode). Empty if it is the same as ``name``."""
    address: str
    primary: bool
    awaited: bool
    """Whether the domain becomes the primary domain when it is live."""
    live: bool
    """Whether the site's other addresses can redirect their visitors to the domain."""
    keeps_https: bool
    """Whether browsers use only https at the domain for a year (HSTS)."""
    verified: bool
    """Whether a check has ever verified the domain."""
    right: bool
    """Whether the domain's DNS was correct at the last check."""
    route: str
    """The domain that this domain redirects to. Empty if this domain shows the site."""
    status: int
    """The HTTP status of the redirect; 0 if the domain does not redirect."""
    tag: tuple[str, str, str]
    """The tone, symbol and text of the domain's status."""
    steps: tuple[SetupStep, ...]
    notice: CardNotice | None
    heading: str
    """The heading above ``checks``."""
    checks: tuple[Check, ...]
    values: tuple[Value, ...]
    """The DNS records that the owner has to add."""
    detour: tuple[str, ...]
    """Advice for an apex whose DNS provider has no record that can lead the apex here: what to do, and why.
    Otherwise empty."""
    early: EarlyCertificateOffer | None
    """The offer of a certificate before the owner moves a website here. None if it is not offered."""
    provider: Provider | None
    """The DNS provider. None if it is not recognised."""
    proof: str
    """A sentence about why ``values`` contains a TXT record. Empty without a TXT record."""
    unanswered: str
    """A sentence about a last check without an answer: why DNS did not answer, and when. Empty if DNS
    answered."""
    silent: bool
    """Whether DNS has not answered for so long that visitors cannot reach the site either."""
    remembered: str
    """A sentence about the old records that resolvers may still have cached, and their effect on visitors.
    Otherwise empty."""
    next_try: str
    """A sentence about when the next certificate order begins.

    Empty if no order is planned, or if pressing Re-verify can make the order begin earlier.
    """
    word: str
    """The domain's status as a word. Screen readers announce some changes of it (``announcements.NEWS``)."""
    pace: int
    """The number of seconds between two requests of the page for changes of this domain. 0 if nothing changes
    without the user."""
    focus: str = ""
    """The part of the card that gets the focus: ``button`` or ``name``. Empty if no part gets it."""


class Surroundings(NamedTuple):
    """The data that all cards of a page share."""

    domains: Sequence[Domain]
    target: str
    """The host to which the DNS records of domains point."""
    addresses: tuple[str, ...]
    """The IP addresses of our servers, for an apex whose DNS provider has no ALIAS records."""
    issuer: str
    """The name of the certificate authority in CAA records."""
    proofs: dict[int, str]
    """The reason why the owner of a domain has to add a TXT record, by domain id.

    Contains only domains whose reason is known before any check.
    """
    shows: bool
    """Whether domains can show the site, because the plan includes domains and the site is published."""
    certificates: bool
    """Whether this server orders certificates."""
    statuses: dict[int, CertificateStatus]
    """The status of the certificate of each domain, by domain id."""
    limited_until: datetime | None
    """The time until which the authority accepts no orders from this service. None if it accepts orders."""
    queue: QueueState
    """The state of the queue of certificate orders."""
    challenge_zone: str
    """The DNS zone that answers DNS-01 challenges. Empty if this server does not use DNS-01."""
    scheme: str
    port: str
    secured_port: str
    now: datetime

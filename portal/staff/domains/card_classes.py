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
    """The values that were found, each with whether it is right."""
    instead: str = ""
    """A text before ``expected`` if the expected record has another type than the checked one."""
    quote: str = ""
    """The certificate authority's own words about a failure."""
    at: str = ""
    """When the check was made, in words. Empty if the page shows the time elsewhere."""
    link: str = ""
    """The authority's page on which the owner can resume paused certificates. Empty if none are paused."""
    addresses: tuple[str, ...] = ()
    """Addresses for A and AAAA records that the owner can add instead of the expected record."""
    needs_shelter: bool = True
    """Whether the shelter, not we, must change something if the check does not pass."""


class CardNotice(NamedTuple):
    """A notice about the certificate, below the steps of a card."""

    title: str
    text: str
    quote: str = ""
    """The certificate authority's own words about a failure."""
    at: str = ""
    """When the authority reported the failure, in words."""
    todo: str = ""
    """What the owner has to do."""
    link: str = ""
    """The authority's page on which the owner can resume paused certificates. Empty if none are paused."""


class Value(NamedTuple):
    """A DNS record that the owner has to add."""

    type: str
    name: str
    value: str


class EarlyCertificateOffer(NamedTuple):
    """The offer of a certificate before the owner moves a website here: one more DNS record."""

    values: tuple[Value, ...]
    status: str
    """The status of the record, in sentences. Empty before the first check."""
    tone: str
    """``good`` or ``warn``. Empty for a status that is neither."""
    is_begun: bool
    """Whether DNS has the record, with a right or a wrong value."""


class DomainCard(NamedTuple):
    """The card of a domain."""

    id: int
    name: str
    ascii: str
    """The domain's name in DNS (Punycode). Empty if it is the same as ``name``."""
    address: str
    primary: bool
    awaited: bool
    """Whether the domain becomes the primary domain as soon as it is live."""
    live: bool
    """Whether the domain can receive visitors of the site's other addresses."""
    keeps_https: bool
    """Whether browsers use only https at the domain for a year (HSTS)."""
    verified: bool
    """Whether a check has ever verified the domain."""
    right: bool
    """Whether the domain's DNS was correct at the last check."""
    route: str
    """The domain that this domain redirects to. Empty if it shows the site."""
    status: int
    """The HTTP status of the redirect. 0 if there is none."""
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
    """What to do, and why, if the DNS provider has no record that can lead an apex here. Otherwise empty."""
    early: EarlyCertificateOffer | None
    """The offer of a certificate before the owner moves a website here. None if it is not offered."""
    provider: Provider | None
    """The DNS provider. None if it is not recognised."""
    proof: str
    """A sentence about why ``values`` include a TXT record. Empty if they do not."""
    unanswered: str
    """A sentence about why and when the last check got no answer. Empty if it got an answer."""
    silent: bool
    """Whether DNS has not answered for so long that visitors cannot reach the site either."""
    remembered: str
    """A sentence about what visitors may still see because of cached DNS records. Otherwise empty."""
    next_try: str
    """A sentence about when the next certificate order begins, if Re-verify cannot bring it forward.

    Otherwise empty.
    """
    word: str
    """The domain's status as a word. Screen readers announce some changes of it (``announcements.NEWS``)."""
    pace: int
    """The seconds between polls of the page for this domain. 0 if nothing changes without the user."""
    focus: str = ""
    """What gets the focus: ``button``, ``name``, or nothing if empty."""


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
    """Why the owner of a domain has to add a TXT record, by domain id.

    Only domains for which this is known before any check.
    """
    shows: bool
    """Whether domains show the site: the plan includes domains, and the site is published."""
    certificates: bool
    """Whether this server orders certificates."""
    statuses: dict[int, CertificateStatus]
    """The status of the certificate of each domain, by domain id."""
    limited_until: datetime | None
    """Until when the authority accepts no orders from this service. None if it accepts orders."""
    queue: QueueState
    """The state of the queue of certificate orders."""
    challenge_zone: str
    """The DNS zone that answers DNS-01 challenges. Empty if this server does not use DNS-01."""
    scheme: str
    port: str
    secured_port: str
    now: datetime

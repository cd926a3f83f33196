"""What the page of domains shows of each domain, and the data that all of them share."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from adoption.certificates.certificate_states import CertificateStatus
from adoption.certificates.order_queue import QueueState
from adoption.domains.dns_providers import Provider
from adoption.domains.models import Domain


class SetupStep(NamedTuple):
    state: str
    """``done``, ``failed``, ``current`` or ``todo``."""
    label: str
    more: str


class Check(NamedTuple):
    """Something that was checked: what was found, and what is expected."""

    type: str
    name: str
    result: str
    """``pass``, ``wait`` or ``fail``."""
    verdict: str
    fix: str = ""
    why: str = ""
    expected: str = ""
    found: tuple[tuple[str, bool], ...] = ()
    """Each value, and whether it is right."""
    instead: str = ""
    """A text before the expected value, if that belongs to a record of another type."""
    quote: str = ""
    """The certificate authority's own words."""
    at: str = ""
    """When that was found out, in words; empty if it is shown elsewhere."""
    link: str = ""
    """The authority's page that lifts a pause; empty without one."""
    addresses: tuple[str, ...] = ()
    """For A and AAAA records that may take the place of the expected value."""
    needs_shelter: bool = True
    """Whether the shelter has to change something if the check does not pass."""


class CardNotice(NamedTuple):
    title: str
    text: str
    quote: str = ""
    """The certificate authority's own words."""
    at: str = ""
    """When it said so."""
    todo: str = ""
    link: str = ""
    """The authority's page that lifts a pause; empty without one."""


class Value(NamedTuple):
    """A record to add."""

    type: str
    name: str
    value: str


class EarlyCertificateOffer(NamedTuple):
    """The part of a card about the record for certificates before the switch."""

    values: tuple[Value, ...]
    status: str
    """Its status, in sentences; empty before the first check."""
    tone: str
    """``good``, ``warn`` or empty."""
    is_begun: bool
    """Whether the record is there, right or wrong."""


class DomainCard(NamedTuple):
    id: int
    name: str
    ascii: str
    """The name in DNS, if it differs."""
    address: str
    primary: bool
    awaited: bool
    """Whether it becomes the primary domain as soon as it is live."""
    live: bool
    """Whether visitors of the site's other addresses may be redirected to it."""
    keeps_https: bool
    """Whether browsers keep it on https for a year."""
    verified: bool
    right: bool
    """Whether its DNS is correct."""
    route: str
    """The domain that it redirects to; empty if it shows the site."""
    status: int
    tag: tuple[str, str, str]
    """Tone, symbol and text of its status."""
    steps: tuple[SetupStep, ...]
    notice: CardNotice | None
    heading: str
    """Above ``checks``."""
    checks: tuple[Check, ...]
    values: tuple[Value, ...]
    detour: tuple[str, ...]
    """What to do if the provider has no record that can lead an apex here, and why; otherwise empty."""
    early: EarlyCertificateOffer | None
    """The record for a certificate before the switch; None if it is not offered."""
    provider: Provider | None
    """The DNS provider, if it is recognised."""
    proof: str
    """Why a TXT record is among the values, as a sentence; empty if there is none."""
    unanswered: str
    """Why and when the last check failed to get an answer, as a sentence; empty if it got one."""
    silent: bool
    """Whether that has lasted so long that visitors cannot reach the site either."""
    remembered: str
    """What visitors may still see because of earlier DNS records, as a sentence; otherwise empty."""
    next_try: str
    """When the next order begins if Re-verify cannot bring it forward, as a sentence; otherwise empty."""
    word: str
    """The domain's status as a word. Screen readers announce some of its changes (``poll.NEWS``)."""
    pace: int
    """Seconds until the page asks again; 0 if nothing changes by itself."""
    focus: str = ""
    """What gets the focus: ``button`` or ``name``."""


class Surroundings(NamedTuple):
    """The data that all cards of a page share."""

    domains: Sequence[Domain]
    target: str
    addresses: tuple[str, ...]
    """The edge's, for an apex whose DNS provider has no ALIAS."""
    issuer: str
    """The certificate authority as CAA records name it."""
    proofs: dict[int, str]
    """By the domain's id: why its owner has to add a TXT record, if that is known before any check."""
    shows: bool
    """Whether plan and deploy let domains show the site."""
    certificates: bool
    """Whether this server orders certificates."""
    statuses: dict[int, CertificateStatus]
    """By the domain's id."""
    limited_until: datetime | None
    """Until when the authority accepts no order for any domain; None if it accepts them."""
    queue: QueueState
    """What orders that are due wait for."""
    challenge_zone: str
    """The zone that answers challenges of DNS-01; empty if this server does not use it."""
    scheme: str
    port: str
    secured_port: str
    now: datetime

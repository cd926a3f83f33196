"""What the page of domains shows of each, and what all of them have in common."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from adoption.certificates.certificate_states import CertificateStatus
from adoption.certificates.order_queue import QueueState
from adoption.domains.models import Domain
from adoption.domains.providers import Provider


class SetupStep(NamedTuple):
    state: str
    """``done``, ``failed``, ``current`` or ``todo``."""
    label: str
    more: str


class Check(NamedTuple):
    """What was looked at, as it is beside what it should be."""

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
    """Words before the expected value, where that belongs to a record of another type."""
    quote: str = ""
    """The certificate authority's own words."""
    at: str = ""
    """When that was found out, in words, where it is not told elsewhere."""
    link: str = ""
    """The authority's page that lifts a pause; empty where there is none."""
    addresses: tuple[str, ...] = ()
    """For A and AAAA records that may take the place of the expected value."""


class CardNotice(NamedTuple):
    title: str
    text: str
    quote: str = ""
    """The certificate authority's own words."""
    at: str = ""
    """When it has said them."""
    todo: str = ""
    link: str = ""
    """The authority's page that lifts a pause; empty where there is none."""


class Value(NamedTuple):
    """A record to make."""

    type: str
    name: str
    value: str


class EarlyCertificateOffer(NamedTuple):
    """What a card says about the record for certificates before the switch."""

    values: tuple[Value, ...]
    status: str
    """How far it is, in sentences; empty before the first check."""
    tone: str
    """``good``, ``warn`` or empty."""
    is_begun: bool
    """Whether the record is there, right or wrong."""


class DomainCard(NamedTuple):
    id: int
    name: str
    ascii: str
    """The same as DNS has it, where that differs."""
    address: str
    primary: bool
    awaited: bool
    """Whether it becomes the primary one as soon as it is live."""
    live: bool
    """Whether visitors of the site's other addresses may be redirected to it."""
    keeps_https: bool
    """Whether browsers keep it on https for a year."""
    verified: bool
    right: bool
    """Whether its DNS is as it should be."""
    route: str
    """Where it sends its visitors; empty where it shows the site."""
    status: int
    tag: tuple[str, str, str]
    """Tone, symbol and words for how it stands."""
    steps: tuple[SetupStep, ...]
    notice: CardNotice | None
    heading: str
    """Above ``checks``."""
    checks: tuple[Check, ...]
    values: tuple[Value, ...]
    detour: tuple[str, ...]
    """What to do where the provider has no record that can lead an apex here, and why; otherwise empty."""
    early: EarlyCertificateOffer | None
    """The record for a certificate before the switch; None where there is none to offer."""
    provider: Provider | None
    """Who has the domain's DNS, where that is recognised."""
    proof: str
    """Why a TXT record is among them, as a sentence; empty where none is."""
    unanswered: str
    """Why and when nobody could look, as a sentence; empty where the last look found something out."""
    silent: bool
    """Whether that has lasted so long that visitors miss the site too."""
    remembered: str
    """What visitors may still see of what stood in DNS before, as a sentence; empty where that is over."""
    next_try: str
    """When a certificate is tried again that nobody can hurry, as a sentence; empty otherwise."""
    word: str
    """How far it is: whoever listens hears of another one."""
    pace: int
    """Seconds after which it is worth looking again; 0 where nothing changes by itself."""
    focus: str = ""
    """``button`` or ``name``, whichever takes the focus now."""


class Surroundings(NamedTuple):
    """What all cards of a page have in common."""

    domains: Sequence[Domain]
    target: str
    addresses: tuple[str, ...]
    """The edge's, for an apex whose DNS provider has no ALIAS."""
    issuer: str
    """The certificate authority as CAA records name it."""
    proofs: dict[int, str]
    """By the domain's id: why its owner has to add a TXT record, where that is known before any check."""
    shows: bool
    """Whether plan and deploy let domains show the site."""
    certificates: bool
    """Whether this server orders some."""
    standings: dict[int, CertificateStatus]
    """By the domain's id."""
    limited_until: datetime | None
    """Until when the authority takes no order for any domain; None where it does."""
    queue: QueueState
    """What orders that are due wait for."""
    challenge_zone: str
    """The zone that answers challenges of DNS-01; empty where this server does not use it."""
    scheme: str
    port: str
    secured_port: str
    now: datetime

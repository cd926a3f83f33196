from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import pytest
from cryptography.fernet import Fernet

from adoption.certificates import worker_loop
from adoption.certificates.certificate_states import CertificateStatus, certificate_statuses
from adoption.certificates.config import CertificateConfig
from adoption.certificates.dns_challenges.records import DnsChallenges
from adoption.certificates.key_encryption import Vault
from adoption.certificates.models import AcmeOrder, Certificate
from adoption.certificates.tls_probe import NotOffered
from adoption.domains.models import Domain
from adoption.projects.models import Project
from adoption.storage.database import reading, transaction
from tests import domains
from tests.authority import Twin
from tests.factories import NOW
from tests.mailbox import letters_to

OWNER = "owner@example.org"
"""Who is written to about Elm Road's."""


@dataclass
class World:
    """A clock that moves when somebody waits, an authority, and an edge that shows what it can fetch."""

    now: datetime = NOW
    ca: Twin = field(default_factory=lambda: Twin(now=NOW))
    vault: Vault = field(default_factory=lambda: Vault([Fernet.generate_key().decode()]))
    edge: Exception | str | None = None
    """What the edge does instead of showing the newest certificate."""
    platform_host: str = ""
    """The platform's own host, where its certificate is ordered."""
    dns: DnsChallenges | None = None

    def serial_shown(self, host: str) -> str:
        if isinstance(self.edge, Exception):
            raise self.edge
        with reading() as session:
            held = session.query(Certificate).join(Domain, Domain.id == Certificate.domain_id)
            found = held.filter(Domain.host == host).one_or_none()
        if self.edge is None and found is None:
            raise NotOffered("The server for HTTPS showed no certificate.")
        return self.edge or found.serial

    @property
    def terms(self) -> CertificateConfig:
        return CertificateConfig(self.ca, self.vault, self.serial_shown, self.platform_host, self.dns)

    def wait(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)
        self.ca.now = self.now

    def round(self, **after: float) -> None:
        """Rounds of work for about a minute, so long after the last."""
        self.wait(timedelta(**after).total_seconds())
        ends = self.now + timedelta(seconds=50)
        while worker_loop.run_rounds(self.terms, lambda: self.now, lambda: self.now.timestamp(), self.wait):
            if self.now > ends:
                break

    def standing(self, domain_id: int) -> CertificateStatus:
        with reading() as session:
            return certificate_statuses(session, [domain_id], self.now)[domain_id]


@pytest.fixture
def world() -> World:
    return World()


def verified(project: Project, host: str, **rest: Any) -> int:
    """A domain that may have a certificate; gives its id."""
    return domains.row(project.id, host, **{"caa_allows": True, "verified_at": NOW, **rest})


def press(domain_id: int, now: datetime) -> None:
    with transaction() as session:
        session.get_one(Domain, domain_id).pressed_at = now


def held(domain_id: int) -> Certificate:
    with reading() as session:
        return session.get_one(Certificate, domain_id)


def orders(domain_id: int) -> list[AcmeOrder]:
    with reading() as session:
        return session.query(AcmeOrder).filter_by(domain_id=domain_id).order_by(AcmeOrder.id).all()


def subjects() -> list[str]:
    """Of all that was written to the owner."""
    return [letter.subject for letter in letters_to(OWNER)]

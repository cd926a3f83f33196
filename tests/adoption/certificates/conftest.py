from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import pytest
from cryptography.fernet import Fernet

from adoption.certificates import worker_loop
from adoption.certificates.authority_and_edge_setup import CertificateConfig
from adoption.certificates.certificate_states import CertificateStatus, certificate_statuses
from adoption.certificates.dns_challenges.txt_records import DnsChallenges
from adoption.certificates.key_encryption import Vault
from adoption.certificates.models import AcmeOrder, Certificate
from adoption.certificates.tls_probe import CertificateNotOffered
from adoption.domains.models import Domain
from adoption.projects.models import Project
from adoption.storage.database import reading, transaction
from tests import domains
from tests.authority import FakeAuthority
from tests.factories import NOW
from tests.mailbox import emails_to

OWNER = "owner@example.org"
"""The owner of Elm Road, who gets the emails."""


@dataclass
class Simulation:
    """A clock that advances by waiting, an authority, and an edge that shows the stored certificates."""

    now: datetime = NOW
    ca: FakeAuthority = field(default_factory=lambda: FakeAuthority(now=NOW))
    vault: Vault = field(default_factory=lambda: Vault([Fernet.generate_key().decode()]))
    edge: Exception | str | None = None
    """The error that the edge raises, or the serial number that the edge shows.

    None for the newest certificate.
    """
    platform_host: str = ""
    """The platform's own host. Empty if the service orders no certificate for that host."""
    dns: DnsChallenges | None = None

    def serial_shown(self, host: str) -> str:
        if isinstance(self.edge, Exception):
            raise self.edge
        with reading() as session:
            held = session.query(Certificate).join(Domain, Domain.id == Certificate.domain_id)
            found = held.filter(Domain.host == host).one_or_none()
        if self.edge is None and found is None:
            raise CertificateNotOffered("The server for HTTPS showed no certificate.")
        return self.edge or found.serial

    @property
    def config(self) -> CertificateConfig:
        return CertificateConfig(self.ca, self.vault, self.serial_shown, self.platform_host, self.dns)

    def wait(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)
        self.ca.now = self.now

    def run(self, **after: float) -> None:
        """Advance the clock by this duration, then work for about a minute."""
        self.wait(timedelta(**after).total_seconds())
        ends = self.now + timedelta(seconds=50)
        while worker_loop.run_rounds(self.config, lambda: self.now, lambda: self.now.timestamp(), self.wait):
            if self.now > ends:
                break

    def status(self, domain_id: int) -> CertificateStatus:
        with reading() as session:
            return certificate_statuses(session, [domain_id], self.now)[domain_id]


@pytest.fixture
def simulation() -> Simulation:
    return Simulation()


def verified_domain(project: Project, host: str, **rest: Any) -> int:
    """Insert a verified domain whose CAA records allow a certificate. Return the domain's id."""
    return domains.add_verified_row(project.id, host, **{"caa_allows": True, "verified_at": NOW, **rest})


def press_verify(domain_id: int, now: datetime) -> None:
    with transaction() as session:
        session.get_one(Domain, domain_id).pressed_at = now


def certificate_of(domain_id: int) -> Certificate:
    with reading() as session:
        return session.get_one(Certificate, domain_id)


def orders_of(domain_id: int) -> list[AcmeOrder]:
    with reading() as session:
        return session.query(AcmeOrder).filter_by(domain_id=domain_id).order_by(AcmeOrder.id).all()


def subjects() -> list[str]:
    """Return the subjects of all emails to the owner."""
    return [email.subject for email in emails_to(OWNER)]

"""A fake certificate authority with the interface of the real one."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from adoption.certificates.authority_interface import (
    HTTP_01,
    INVALID,
    PENDING,
    READY,
    VALID,
    AcmeChallenge,
    AuthorityRefused,
    OrderStage,
)

KEY = ec.generate_private_key(ec.SECP256R1())


def issue(request: bytes, not_before: datetime, days: float = 90, host: str | None = None) -> str:
    """Return a certificate for a signing request, as PEM."""
    asked = x509.load_pem_x509_csr(request)
    names = asked.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    if host is not None:
        names = x509.SubjectAlternativeName([x509.DNSName(host)])
    made = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([]))
        .issuer_name(x509.Name([]))
        .public_key(asked.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(not_before)
        .not_valid_after(not_before + timedelta(days=days))
        .add_extension(names, critical=True)
    )
    return made.sign(KEY, hashes.SHA256()).public_bytes(serialization.Encoding.PEM).decode()


@dataclass
class FakeAuthority:
    """An authority that issues certificates for any host. It can fail in each known way."""

    now: datetime = datetime(2026, 1, 2, tzinfo=UTC)
    days: float = 90
    clock_lag: timedelta = timedelta()
    """How late the authority's clock is."""
    requests: list[tuple[str, str]] = field(default_factory=list)
    """The received requests. Each request has a host, or the address of an order."""
    status: dict[str, str] = field(default_factory=dict)
    """The status of each order, by the order's address."""
    chains: dict[str, str] = field(default_factory=dict)
    error: Exception | None = None
    """An error that every request raises."""
    refusal: AuthorityRefused | None = None
    """The result of failed validations. None if validations succeed."""
    wrong_host: str | None = None
    wants_renewal: datetime | None = None

    def record(self, what: str, of: str) -> None:
        self.requests.append((what, of))
        if self.error is not None:
            raise self.error

    def order(self, *hosts: str) -> str:
        self.record("order", " ".join(hosts))
        address = f"https://ca.test/order/{len(self.status) + 1}"
        self.status[address] = PENDING
        return address

    def stage(self, order: str, kind: str = HTTP_01) -> OrderStage:
        self.record("stage", order)
        status = self.status[order]
        if status == INVALID:
            assert self.refusal is not None
            raise self.refusal
        if status == PENDING:
            return OrderStage(
                status, (AcmeChallenge(f"token-of-{order[-1]}", f"answer-of-{order[-1]}", True),)
            )
        return OrderStage(status)

    def begin_validation(self, order: str, kind: str = HTTP_01) -> None:
        self.record("validate", order)
        self.status[order] = INVALID if self.refusal else READY

    def finalize(self, order: str, request: bytes) -> None:
        self.record("finalize", order)
        self.chains[order] = issue(request, self.now - self.clock_lag, self.days, self.wrong_host)
        self.status[order] = VALID

    def chain(self, order: str) -> str:
        self.record("chain", order)
        return self.chains[order]

    def renewal(self, chain: str) -> tuple[datetime | None, datetime]:
        self.record("renewal", chain)
        return self.wants_renewal, self.now + timedelta(hours=6)

    def count(self, what: str) -> int:
        return sum(kind == what for kind, _ in self.requests)

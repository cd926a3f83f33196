from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from adoption.certificates.certificate_authority import HTTP_01
from adoption.storage.database import Base, Identity

ORDERING, VALIDATING, FAILED = "ordering", "validating", "failed"
UNDER_WAY = text("state <> 'failed'")


class Certificate(Base):
    """The newest certificate of a domain, which edges show. It is deleted with the domain."""

    __tablename__ = "certificates"

    domain_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("domains.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    chain: Mapped[str] = mapped_column(Text)
    """PEM, the host's own certificate first."""
    private_key: Mapped[str] = mapped_column(Text)
    """PEM, encrypted by the vault."""
    serial: Mapped[str] = mapped_column(String(40))
    """Hexadecimal, as the edge shows it."""
    issued_at: Mapped[datetime]
    not_after: Mapped[datetime]
    renew_at: Mapped[datetime] = mapped_column(index=True)
    ask_renewal_at: Mapped[datetime] = mapped_column(index=True)
    """When to ask the authority again whether it wants an earlier renewal (RFC 9773)."""
    live_since: Mapped[datetime | None]
    """When visitors first got a certificate of this domain. Renewals do not change it."""
    seen_at: Mapped[datetime | None]
    """When a check first found this certificate at the edge; None before."""
    looked_at: Mapped[datetime | None]
    """When the edge was last checked."""
    next_look_at: Mapped[datetime | None] = mapped_column(index=True)
    """When the edge is next checked; None once it shows this certificate."""
    unseen_why: Mapped[str] = mapped_column(Text, default="")
    """What the edge showed instead, as a sentence; empty if it was not checked or is right."""


class AcmeOrder(Base):
    """An attempt to have a certificate issued (RFC 8555, 7.4).

    A domain has at most one order under way. Failed orders stay until one succeeds, so that they can be
    counted: the authority limits failures per hour.
    """

    __tablename__ = "certificate_orders"
    __table_args__ = (
        CheckConstraint("state IN ('ordering', 'validating', 'failed')", name="state_known"),
        Index(
            "uq_certificate_orders_under_way",
            "domain_id",
            unique=True,
            sqlite_where=UNDER_WAY,
            postgresql_where=UNDER_WAY,
        ),
    )

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    domain_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("domains.id", ondelete="CASCADE"), index=True
    )
    state: Mapped[str] = mapped_column(String(10), default=ORDERING)
    private_key: Mapped[str] = mapped_column(Text)
    """The private key of the new certificate: PEM, encrypted by the vault."""
    address: Mapped[str] = mapped_column(Text, default="")
    """The order's address at the authority; empty until the authority has accepted it."""
    method: Mapped[str] = mapped_column(String(10), default=HTTP_01, server_default=HTTP_01)
    """The type of the challenge: ``http-01`` or ``dns-01``."""
    token: Mapped[str] = mapped_column(Text, default="")
    """The token of the HTTP-01 challenge (RFC 8555, 8.3), which the authority requests from the host."""
    key_authorization: Mapped[str] = mapped_column(Text, default="")
    """The response to that request."""
    began_at: Mapped[datetime]
    next_step_at: Mapped[datetime | None] = mapped_column(index=True)
    """When the next step is due; None if the order failed."""
    unreached: Mapped[int] = mapped_column(default=0)
    """Steps in a row that could not reach the authority."""
    postponed_at: Mapped[datetime | None]
    """When the last of them failed; None during a step, and if the authority was reached."""
    unreached_why: Mapped[str] = mapped_column(Text, default="")
    code: Mapped[str] = mapped_column(String(60), default="")
    """The type of the authority's problem document (RFC 8555, 6.7), without its prefix."""
    detail: Mapped[str] = mapped_column(Text, default="")
    """The authority's description."""
    failed_at: Mapped[datetime | None]
    next_try_at: Mapped[datetime | None]


class CertificateNotice(Base):
    """News about the certificate of a domain that its owners have not been emailed about yet."""

    __tablename__ = "certificate_notices"

    domain_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("domains.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    code: Mapped[str] = mapped_column(String(60), default="")
    """Why the order failed; empty if the domain went live."""
    detail: Mapped[str] = mapped_column(Text, default="")
    next_try_at: Mapped[datetime | None]
    created_at: Mapped[datetime]


class AuthorityOutage(Base):
    """The current or last outage of the authority: at most one row, which stays."""

    __tablename__ = "authority_outages"

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    failing_since: Mapped[datetime | None]
    """When the first order in a row could not reach the authority; None if the last one did."""
    down_since: Mapped[datetime | None]
    """The same, as soon as enough orders failed that the authority counts as down."""
    probes: Mapped[int] = mapped_column(default=0)
    probed_at: Mapped[datetime | None]
    next_probe_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]
    """When the last outage ended."""


class PlatformCertificate(Base):
    """The certificate of the platform's own host, and the order for the next one.

    Certificates of shelters are tied to their domains and deleted with them. This one belongs to the
    installation.
    """

    __tablename__ = "platform_certificates"

    host: Mapped[str] = mapped_column(String(253), primary_key=True)
    hosts: Mapped[str] = mapped_column(Text, default="")
    """The names in the certificate, with spaces between; empty before there is one."""
    chain: Mapped[str] = mapped_column(Text, default="")
    """PEM, the host's own certificate first."""
    private_key: Mapped[str] = mapped_column(Text, default="")
    """PEM, encrypted by the vault."""
    not_after: Mapped[datetime | None]
    order_key: Mapped[str] = mapped_column(Text, default="")
    """The private key of the next certificate, PEM, encrypted; empty while nothing is ordered."""
    order_address: Mapped[str] = mapped_column(Text, default="")
    """The order's address at the authority; empty until the authority has accepted it."""
    method: Mapped[str] = mapped_column(String(10), default=HTTP_01, server_default=HTTP_01)
    """The type of the challenge: ``http-01`` or ``dns-01``."""
    token: Mapped[str] = mapped_column(Text, default="")
    """The token of the HTTP-01 challenge (RFC 8555, 8.3)."""
    key_authorization: Mapped[str] = mapped_column(Text, default="")
    """The answer to that challenge."""
    began_at: Mapped[datetime | None]
    """When the order under way began."""
    next_step_at: Mapped[datetime]
    """When the order continues, or the next one begins."""
    failures: Mapped[int] = mapped_column(default=0)
    """Failed orders in a row."""
    code: Mapped[str] = mapped_column(String(60), default="")
    """Why the last order failed, as in ``problem_advice``; empty after a success."""
    detail: Mapped[str] = mapped_column(Text, default="")
    """The same in the authority's words."""


class AuthorityAccount(Base):
    """Our account at a certificate authority (RFC 8555, 7.1.2)."""

    __tablename__ = "authority_accounts"

    directory: Mapped[str] = mapped_column(String(500), primary_key=True)
    address: Mapped[str] = mapped_column(Text)
    private_key: Mapped[str] = mapped_column(Text)
    """JSON Web Key, encrypted by the vault."""

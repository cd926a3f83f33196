from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from adoption.certificates.authority_interface import HTTP_01
from adoption.storage.database import Base, Identity

ORDERING, VALIDATING, FAILED = "ordering", "validating", "failed"
UNDER_WAY = text("state <> 'failed'")


class Certificate(Base):
    """The newest certificate of a domain, which the edges use. It is deleted with the domain."""

    __tablename__ = "certificates"

    domain_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("domains.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    chain: Mapped[str] = mapped_column(Text)
    """The certificates in PEM, with the host's certificate first."""
    private_key: Mapped[str] = mapped_column(Text)
    """The private key in PEM, encrypted by the vault."""
    serial: Mapped[str] = mapped_column(String(40))
    """The serial number in hexadecimal, as the edge shows it."""
    issued_at: Mapped[datetime]
    not_after: Mapped[datetime]
    renew_at: Mapped[datetime] = mapped_column(index=True)
    ask_renewal_at: Mapped[datetime] = mapped_column(index=True)
    """The time of the next request to the authority for a renewal time (RFC 9773)."""
    live_since: Mapped[datetime | None]
    """The time when visitors first got a certificate of this domain. Renewals do not change it."""
    seen_at: Mapped[datetime | None]
    """The time when a check first found this certificate at the edge; None until then."""
    looked_at: Mapped[datetime | None]
    """The time of the last check of the edge."""
    next_look_at: Mapped[datetime | None] = mapped_column(index=True)
    """The time of the next check of the edge; None once the edge shows this certificate."""
    unseen_why: Mapped[str] = mapped_column(Text, default="")
    """A sentence about what the edge showed in place of this certificate. Empty before the first check, and
    if the edge showed this certificate."""


class AcmeOrder(Base):
    """An attempt to get a certificate issued (RFC 8555, 7.4).

    A domain has at most one order under way. Failed orders are stored until an order succeeds: the authority
    limits failures per hour, so we count them.
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
    """The order's address at the authority; empty until the authority has accepted the order."""
    method: Mapped[str] = mapped_column(String(10), default=HTTP_01, server_default=HTTP_01)
    """The type of the challenge: ``http-01`` or ``dns-01``."""
    token: Mapped[str] = mapped_column(Text, default="")
    """The token of the HTTP-01 challenge (RFC 8555, 8.3). The authority requests the token from the host."""
    key_authorization: Mapped[str] = mapped_column(Text, default="")
    """The host's response to the authority's request for the token."""
    began_at: Mapped[datetime]
    next_step_at: Mapped[datetime | None] = mapped_column(index=True)
    """The time of the next step; None if the order failed."""
    unreached: Mapped[int] = mapped_column(default=0)
    """The number of steps in a row that could not reach the authority."""
    postponed_at: Mapped[datetime | None]
    """The time of the last step that could not reach the authority. None during a step, and if the last step
    reached the authority."""
    unreached_why: Mapped[str] = mapped_column(Text, default="")
    """The reason why the last step could not reach the authority, as a sentence; empty otherwise."""
    code: Mapped[str] = mapped_column(String(60), default="")
    """The type of the authority's problem document (RFC 8555, 6.7), without its prefix."""
    detail: Mapped[str] = mapped_column(Text, default="")
    """The authority's description of the problem."""
    failed_at: Mapped[datetime | None]
    next_try_at: Mapped[datetime | None]


class CertificateNotice(Base):
    """News about a domain's certificate that has not been emailed to the owners yet."""

    __tablename__ = "certificate_notices"

    domain_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("domains.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    code: Mapped[str] = mapped_column(String(60), default="")
    """The code of the order's failure; empty if the domain went live."""
    detail: Mapped[str] = mapped_column(Text, default="")
    next_try_at: Mapped[datetime | None]
    created_at: Mapped[datetime]


class AuthorityOutage(Base):
    """The current or last outage of the authority. The table has at most one row, which is never deleted."""

    __tablename__ = "authority_outages"

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    failing_since: Mapped[datetime | None]
    """The time of the first failure in a row of orders that could not reach the authority. None if the last
    order reached the authority."""
    down_since: Mapped[datetime | None]
    """The value of ``failing_since`` while the authority counts as down; None otherwise."""
    probes: Mapped[int] = mapped_column(default=0)
    probed_at: Mapped[datetime | None]
    next_probe_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]
    """The end of the last outage."""


class PlatformCertificate(Base):
    """The certificate of the platform's own host, and the order for the next certificate.

    The table of shelters' certificates cannot contain this certificate, because each row there needs a
    domain.
    """

    __tablename__ = "platform_certificates"

    host: Mapped[str] = mapped_column(String(253), primary_key=True)
    hosts: Mapped[str] = mapped_column(Text, default="")
    """The names in the certificate, separated by spaces; empty without a certificate."""
    chain: Mapped[str] = mapped_column(Text, default="")
    """The certificates in PEM, with the host's certificate first."""
    private_key: Mapped[str] = mapped_column(Text, default="")
    """The private key in PEM, encrypted by the vault."""
    not_after: Mapped[datetime | None]
    order_key: Mapped[str] = mapped_column(Text, default="")
    """The next certificate's private key in PEM, encrypted. Empty without an order."""
    order_address: Mapped[str] = mapped_column(Text, default="")
    """The order's address at the authority; empty until the authority has accepted the order."""
    method: Mapped[str] = mapped_column(String(10), default=HTTP_01, server_default=HTTP_01)
    """The type of the challenge: ``http-01`` or ``dns-01``."""
    token: Mapped[str] = mapped_column(Text, default="")
    """The token of the HTTP-01 challenge (RFC 8555, 8.3)."""
    key_authorization: Mapped[str] = mapped_column(Text, default="")
    """The answer to the HTTP-01 challenge."""
    began_at: Mapped[datetime | None]
    """The time when the current order began; None without an order."""
    next_step_at: Mapped[datetime]
    """The time when the order continues, or the next order begins."""
    failures: Mapped[int] = mapped_column(default=0)
    """The number of failed orders in a row."""
    code: Mapped[str] = mapped_column(String(60), default="")
    """The code of the last order's failure, as in ``problem_advice``; empty after a success."""
    detail: Mapped[str] = mapped_column(Text, default="")
    """The authority's description of the last failure; empty after a success."""


class AuthorityAccount(Base):
    """Our account at a certificate authority (RFC 8555, 7.1.2)."""

    __tablename__ = "authority_accounts"

    directory: Mapped[str] = mapped_column(String(500), primary_key=True)
    address: Mapped[str] = mapped_column(Text)
    private_key: Mapped[str] = mapped_column(Text)
    """The private key as a JSON Web Key, encrypted by the vault."""

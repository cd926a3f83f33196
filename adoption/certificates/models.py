from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from adoption.certificates.certificate_authority import HTTP_01
from adoption.storage.database import Base, Identity

ORDERING, VALIDATING, FAILED = "ordering", "validating", "failed"
UNDER_WAY = text("state <> 'failed'")


class Certificate(Base):
    """What edges are given for a domain: the newest that was issued. It goes with the domain."""

    __tablename__ = "certificates"

    domain_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("domains.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    chain: Mapped[str] = mapped_column(Text)
    """PEM, the host's own certificate first."""
    private_key: Mapped[str] = mapped_column(Text)
    """PEM, sealed by the vault."""
    serial: Mapped[str] = mapped_column(String(40))
    """Hexadecimal, as the edge shows it."""
    issued_at: Mapped[datetime]
    not_after: Mapped[datetime]
    renew_at: Mapped[datetime] = mapped_column(index=True)
    ask_renewal_at: Mapped[datetime] = mapped_column(index=True)
    """When the authority is asked again whether it wants that to be earlier (RFC 9773)."""
    live_since: Mapped[datetime | None]
    """When visitors first got a certificate of this domain: renewals do not change it."""
    seen_at: Mapped[datetime | None]
    """When the edge was seen to show this one; None before."""
    looked_at: Mapped[datetime | None]
    """When the edge was last asked."""
    next_look_at: Mapped[datetime | None] = mapped_column(index=True)
    """When it is asked again; None once it was seen."""
    unseen_why: Mapped[str] = mapped_column(Text, default="")
    """What the edge showed instead, as a sentence; empty where it was not asked or is right."""


class AcmeOrder(Base):
    """An attempt to have a certificate issued (RFC 8555, 7.4).

    One of a domain is under way at most; those that failed stay until one succeeds, so that there are never
    more of them in an hour than the authority allows.
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
    """Of the certificate to come: PEM, sealed by the vault."""
    address: Mapped[str] = mapped_column(Text, default="")
    """The order's own at the authority; empty until it has taken it."""
    method: Mapped[str] = mapped_column(String(10), default=HTTP_01, server_default=HTTP_01)
    """The type of challenge that the order is answered by: ``http-01`` or ``dns-01``."""
    token: Mapped[str] = mapped_column(Text, default="")
    """Of the HTTP-01 challenge (RFC 8555, 8.3): what the authority asks the host for."""
    key_authorization: Mapped[str] = mapped_column(Text, default="")
    """And what the host answers."""
    began_at: Mapped[datetime]
    next_step_at: Mapped[datetime | None] = mapped_column(index=True)
    """When it is gone on with; None where it failed."""
    unreached: Mapped[int] = mapped_column(default=0)
    """How often in a row the authority could not be reached."""
    postponed_at: Mapped[datetime | None]
    """When that was last; None while somebody goes on with the order, and where it could be reached."""
    unreached_why: Mapped[str] = mapped_column(Text, default="")
    code: Mapped[str] = mapped_column(String(60), default="")
    """Of the authority's problem (RFC 8555, 6.7), without its prefix."""
    detail: Mapped[str] = mapped_column(Text, default="")
    """The authority's own words."""
    failed_at: Mapped[datetime | None]
    next_try_at: Mapped[datetime | None]


class CertificateNotice(Base):
    """News about the certificate of a domain that its owners have not been emailed about yet."""

    __tablename__ = "certificate_notices"

    domain_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("domains.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    code: Mapped[str] = mapped_column(String(60), default="")
    """Why the order failed; empty where the domain is live."""
    detail: Mapped[str] = mapped_column(Text, default="")
    next_try_at: Mapped[datetime | None]
    created_at: Mapped[datetime]


class AuthorityOutage(Base):
    """Whether the authority answers: one row at most, which stays."""

    __tablename__ = "authority_outages"

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    failing_since: Mapped[datetime | None]
    """When the first order in a row could not reach the authority; None where it answered last."""
    down_since: Mapped[datetime | None]
    """The same once so many failed that it counts as down."""
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
    """PEM, sealed by the vault."""
    not_after: Mapped[datetime | None]
    order_key: Mapped[str] = mapped_column(Text, default="")
    """The private key of the next certificate, PEM, sealed; empty while nothing is ordered."""
    order_address: Mapped[str] = mapped_column(Text, default="")
    """The order's address at the authority; empty until the authority has accepted it."""
    method: Mapped[str] = mapped_column(String(10), default=HTTP_01, server_default=HTTP_01)
    """The type of challenge that the order is answered by: ``http-01`` or ``dns-01``."""
    token: Mapped[str] = mapped_column(Text, default="")
    """Of the HTTP-01 challenge (RFC 8555, 8.3)."""
    key_authorization: Mapped[str] = mapped_column(Text, default="")
    """The answer to that challenge."""
    began_at: Mapped[datetime | None]
    """When the order under way began."""
    next_step_at: Mapped[datetime]
    """When the order continues, or the next one begins."""
    failures: Mapped[int] = mapped_column(default=0)
    """Failed orders in a row."""
    code: Mapped[str] = mapped_column(String(60), default="")
    """Why the last order failed, as in ``problems``; empty after a success."""
    detail: Mapped[str] = mapped_column(Text, default="")
    """The same in the authority's own words."""


class AuthorityAccount(Base):
    """Who we are to a certificate authority (RFC 8555, 7.1.2)."""

    __tablename__ = "authority_accounts"

    directory: Mapped[str] = mapped_column(String(500), primary_key=True)
    address: Mapped[str] = mapped_column(Text)
    private_key: Mapped[str] = mapped_column(Text)
    """JSON Web Key, sealed by the vault."""

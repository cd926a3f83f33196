from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, String, Text, UniqueConstraint, false
from sqlalchemy.engine.default import DefaultExecutionContext
from sqlalchemy.orm import Mapped, mapped_column

from adoption.domains.hostname_parser import reversed_labels
from adoption.storage.database import Base, Identity

UNVERIFIED, VERIFIED, ATTENTION = "unverified", "verified", "attention"
LABELS = String(254).with_variant(String(254, collation="C"), "postgresql")
"""Sorted by bytes, so that all names below a domain are one range of the index."""


def labels_of_row(context: DefaultExecutionContext) -> str:
    """Return the labels of the host of a row that is inserted."""
    parameters = context.get_current_parameters()  # type: ignore[no-untyped-call]  # SQLAlchemy gives it none
    return reversed_labels(parameters["host"])


class Domain(Base):
    """A host that a project claims. Other projects may claim it too until one of them has verified it."""

    __tablename__ = "domains"
    __table_args__ = (
        UniqueConstraint("project_id", "host"),
        CheckConstraint("state IN ('unverified', 'verified', 'attention')", name="state_known"),
        CheckConstraint("redirect_status IN (301, 302, 307, 308)", name="redirect_status_known"),
    )

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    project_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("projects.id", ondelete="CASCADE"))
    host: Mapped[str] = mapped_column(String(253), index=True)
    """Lower case, in punycode."""
    labels: Mapped[str] = mapped_column(LABELS, default=labels_of_row, server_default="", index=True)
    """The host's labels as in ``reversed_labels``; empty if the previous release inserted the row."""
    state: Mapped[str] = mapped_column(String(10), default=UNVERIFIED)
    verified_host: Mapped[str | None] = mapped_column(String(253), unique=True)
    """The host once it was verified; unique, so that only one project has it."""
    primary_of: Mapped[int | None] = mapped_column(BigInteger, unique=True)
    """The project's id if this is its primary domain; unique, so that it has only one."""
    wants_primary: Mapped[bool] = mapped_column(default=False)
    """Whether it becomes primary as soon as it is live."""
    redirect_status: Mapped[int | None]
    """301, 302, 307 or 308 if it redirects; None if it shows the site."""
    redirects_to: Mapped[int | None] = mapped_column(
        BigInteger, ForeignKey("domains.id", ondelete="SET NULL"), index=True
    )
    """The domain that it redirects to; None for the primary domain."""
    name_servers: Mapped[str] = mapped_column(Text, default="", server_default="")
    """The zone's name servers by the last lookup that succeeded, separated by spaces."""
    token: Mapped[str] = mapped_column(String(50))
    """The value of the TXT record that proves ownership of the host."""
    report: Mapped[str] = mapped_column(Text, default="")
    """The last DNS check that got an answer, as JSON; empty before the first one."""
    checked_at: Mapped[datetime | None]
    """When that check was."""
    caa_allows: Mapped[bool] = mapped_column(default=False)
    """Whether CAA allowed our authority when it could last be read (RFC 8659)."""
    challenge_found: Mapped[str] = mapped_column(Text, default="", server_default="")
    """Where ``_acme-challenge`` below the host led at the last check; empty without such a record."""
    challenge_ready: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether certificates may be ordered by DNS-01, even while the host leads elsewhere."""
    unanswered_at: Mapped[datetime | None]
    """When a later check got no answer; None if the last check got one."""
    unanswered_why: Mapped[str] = mapped_column(Text, default="")
    unanswered_since: Mapped[datetime | None]
    """When the first check failed since the last that got an answer."""
    unresolved_since: Mapped[datetime | None]
    """Since when resolvers reject the zone's answers, so that no certificate is ordered."""
    pressed_at: Mapped[datetime | None]
    """When a person last requested a check."""
    visited_at: Mapped[datetime | None]
    """When a visit last started a check, before the host led here."""
    watched_since: Mapped[datetime]
    """The last change or request. Automatic checks become less frequent from then on."""
    next_check_at: Mapped[datetime | None] = mapped_column(index=True)
    """None if automatic checks have ended."""
    verified_at: Mapped[datetime | None]
    keeps_https: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether HSTS lasts a year instead of a day."""
    live_until: Mapped[datetime | None] = mapped_column(index=True)
    """When the certificate that visitors get expires; None if they get none."""
    created_at: Mapped[datetime]


class DomainNotice(Base):
    """News about the DNS of a domain that its owners have not been emailed about yet."""

    __tablename__ = "domain_notices"

    domain_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("domains.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    kind: Mapped[str] = mapped_column(String(20), primary_key=True)
    detail: Mapped[str] = mapped_column(Text)
    """What to do about it, as sentences."""
    created_at: Mapped[datetime]


class Tombstone(Base):
    """The account that last verified a host; kept after domain, project and account are deleted.

    An old CNAME record may still lead here, so another account has to prove that it owns the host now.
    """

    __tablename__ = "domain_tombstones"

    host: Mapped[str] = mapped_column(String(253), primary_key=True)
    labels: Mapped[str] = mapped_column(LABELS, default=labels_of_row, server_default="", index=True)
    """The host's labels, as in ``Domain.labels``."""
    account_id: Mapped[int] = mapped_column(BigInteger)
    """No foreign key: the account may be deleted. Its id is never used again."""
    verified_at: Mapped[datetime]

from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, String, Text, UniqueConstraint, false
from sqlalchemy.engine.default import DefaultExecutionContext
from sqlalchemy.orm import Mapped, mapped_column

from adoption.domains.hostnames import reversed_labels
from adoption.storage.database import Base, Identity

UNVERIFIED, VERIFIED, ATTENTION = "unverified", "verified", "attention"
LABELS = String(254).with_variant(String(254, collation="C"), "postgresql")
"""The type of columns with reversed labels. The columns sort by bytes, so all names below a domain are next
to each other in the index."""


def labels_of_row(context: DefaultExecutionContext) -> str:
    """Return the labels of the host in an inserted row."""
    parameters = context.get_current_parameters()  # type: ignore[no-untyped-call]  # SQLAlchemy gives it none
    return reversed_labels(parameters["host"])


class Domain(Base):
    """A host that a project claims. Other projects can claim it too until one project has verified it."""

    __tablename__ = "domains"
    __table_args__ = (
        UniqueConstraint("project_id", "host"),
        CheckConstraint("state IN ('unverified', 'verified', 'attention')", name="state_known"),
        CheckConstraint("redirect_status IN (301, 302, 307, 308)", name="redirect_status_known"),
    )

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    project_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("projects.id", ondelete="CASCADE"))
    host: Mapped[str] = mapped_column(String(253), index=True)
    """The host in lower case and in punycode."""
    labels: Mapped[str] = mapped_column(LABELS, default=labels_of_row, server_default="", index=True)
    """The host's labels, as ``reversed_labels`` returns them. Empty if the previous release of the software
    inserted the row."""
    state: Mapped[str] = mapped_column(String(10), default=UNVERIFIED)
    verified_host: Mapped[str | None] = mapped_column(String(253), unique=True)
    """The host if this project has verified it; None otherwise. The column is unique, so only one project can
    have verified the host."""
    primary_of: Mapped[int | None] = mapped_column(BigInteger, unique=True)
    """The project's id if this domain is primary, otherwise None. The column is unique, so a project has at
    most one primary domain."""
    wants_primary: Mapped[bool] = mapped_column(default=False)
    """Whether the domain becomes primary when it is live."""
    redirect_status: Mapped[int | None]
    """The redirect's status (301, 302, 307 or 308); None if the domain shows the site."""
    redirects_to: Mapped[int | None] = mapped_column(
        BigInteger, ForeignKey("domains.id", ondelete="SET NULL"), index=True
    )
    """The domain that this domain redirects to; None for a redirect to the primary domain."""
    name_servers: Mapped[str] = mapped_column(Text, default="", server_default="")
    """The zone's name servers, separated by spaces, from the last successful lookup."""
    token: Mapped[str] = mapped_column(String(50))
    """The value of the TXT record that proves the host's ownership."""
    report: Mapped[str] = mapped_column(Text, default="")
    """The report of the last DNS check that got an answer, as JSON; empty before the first such check."""
    checked_at: Mapped[datetime | None]
    """The time of the last DNS check that got an answer."""
    caa_allows: Mapped[bool] = mapped_column(default=False)
    """Whether the last readable CAA records allowed our authority (RFC 8659)."""
    challenge_found: Mapped[str] = mapped_column(Text, default="", server_default="")
    """The target of the CNAME record at ``_acme-challenge`` below the host, according to the last check.
    Empty without a record."""
    challenge_ready: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether certificates may be ordered by DNS-01, even while the host leads elsewhere."""
    unanswered_at: Mapped[datetime | None]
    """The time of the last check if DNS did not answer; None if DNS answered."""
    unanswered_why: Mapped[str] = mapped_column(Text, default="")
    unanswered_since: Mapped[datetime | None]
    """The time of the first check without an answer, after the last check with an answer."""
    unresolved_since: Mapped[datetime | None]
    """The time since which resolvers refuse the zone's answers; None if resolvers accept the answers. While
    resolvers refuse the answers, no certificate is ordered."""
    pressed_at: Mapped[datetime | None]
    """The time when a person last requested a check."""
    visited_at: Mapped[datetime | None]
    """The time when a visit last started a check of a host that was not verified yet."""
    watched_since: Mapped[datetime]
    """The time of the last change or request. After it, the intervals of automatic checks grow."""
    next_check_at: Mapped[datetime | None] = mapped_column(index=True)
    """The time of the next automatic check; None if automatic checks have ended."""
    verified_at: Mapped[datetime | None]
    keeps_https: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether HSTS lasts for a year instead of a day."""
    live_until: Mapped[datetime | None] = mapped_column(index=True)
    """The expiry of the certificate that visitors get; None if they get none."""
    created_at: Mapped[datetime]


class DomainNotice(Base):
    """News about a domain's DNS that has not been emailed to the owners yet."""

    __tablename__ = "domain_notices"

    domain_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("domains.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    kind: Mapped[str] = mapped_column(String(20), primary_key=True)
    detail: Mapped[str] = mapped_column(Text)
    """The fix, as sentences."""
    created_at: Mapped[datetime]


class Tombstone(Base):
    """The account that last verified a host. The row stays after domain, project and account are deleted.

    After the deletion, an old CNAME record may still lead here. So a different account has to prove that the
    host now belongs to it.
    """

    __tablename__ = "domain_tombstones"

    host: Mapped[str] = mapped_column(String(253), primary_key=True)
    labels: Mapped[str] = mapped_column(LABELS, default=labels_of_row, server_default="", index=True)
    """The host's labels, as in ``Domain.labels``."""
    account_id: Mapped[int] = mapped_column(BigInteger)
    """The account's id, without a foreign key because the account may be deleted. Ids are never reused."""
    verified_at: Mapped[datetime]

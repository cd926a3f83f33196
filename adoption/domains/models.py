from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, String, Text, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column

from adoption.database import Base, Identity

UNVERIFIED, VERIFIED, ATTENTION = "unverified", "verified", "attention"


class Domain(Base):
    """A host that a project claims. The claim excludes nobody until DNS has shown that it leads here."""

    __tablename__ = "domains"
    __table_args__ = (
        UniqueConstraint("project_id", "host"),
        CheckConstraint("state IN ('unverified', 'verified', 'attention')", name="state_known"),
        CheckConstraint("redirect_status IN (301, 302, 307, 308)", name="redirect_status_known"),
    )

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    project_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("projects.id", ondelete="CASCADE"))
    host: Mapped[str] = mapped_column(String(253), index=True)
    """As DNS has it: small letters, punycode."""
    state: Mapped[str] = mapped_column(String(10), default=UNVERIFIED)
    verified_host: Mapped[str | None] = mapped_column(String(253), unique=True)
    """The host again once it was verified: so it is one project's alone, and is found by one look."""
    primary_of: Mapped[int | None] = mapped_column(BigInteger, unique=True)
    """The project's id where this is its primary domain: there is one at most."""
    wants_primary: Mapped[bool] = mapped_column(default=False)
    """Whether it becomes the primary one as soon as it is live."""
    redirect_status: Mapped[int | None]
    """301, 302, 307 or 308 where visitors are sent on; None where the site is shown."""
    redirects_to: Mapped[int | None] = mapped_column(
        BigInteger, ForeignKey("domains.id", ondelete="SET NULL"), index=True
    )
    """Where they are sent; None for whichever domain is the primary one."""
    name_servers: Mapped[str] = mapped_column(Text, default="", server_default="")
    """The names of its zone's servers when they could last be looked up, with blanks between them."""
    token: Mapped[str] = mapped_column(String(50))
    """What a TXT record says by which this claim is shown to be the host's owner's."""
    report: Mapped[str] = mapped_column(Text, default="")
    """What the last look found that found anything out, as JSON; empty before."""
    checked_at: Mapped[datetime | None]
    """When that was."""
    caa_allows: Mapped[bool] = mapped_column(default=False)
    """Whether CAA let our authority issue for it when that could last be told (RFC 8659)."""
    challenge_found: Mapped[str] = mapped_column(Text, default="", server_default="")
    """Where ``_acme-challenge`` below the host led at the last check; empty without such a record."""
    challenge_ready: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether certificates may be ordered by DNS-01, even while the host leads elsewhere."""
    unanswered_at: Mapped[datetime | None]
    """When a look after that could find nothing out; None where the last one did."""
    unanswered_why: Mapped[str] = mapped_column(Text, default="")
    unanswered_since: Mapped[datetime | None]
    """When the first of those looks was after the last that found something out."""
    unresolved_since: Mapped[datetime | None]
    """Since when resolvers refuse what its zone answers, so that no certificate is ordered."""
    pressed_at: Mapped[datetime | None]
    """When somebody last asked for a look."""
    visited_at: Mapped[datetime | None]
    """When a visit last started a check, before the host leads here."""
    watched_since: Mapped[datetime]
    """When something was last done about it, from which on looks become ever rarer."""
    next_check_at: Mapped[datetime | None] = mapped_column(index=True)
    """None where nobody looks any more but by hand."""
    verified_at: Mapped[datetime | None]
    keeps_https: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether browsers that visited it open it by https alone for a year, and not only for a day."""
    live_until: Mapped[datetime | None] = mapped_column(index=True)
    """The end of the certificate that visitors get here; None while they get none."""
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
    """The account that a host was verified for last: it outlives the domain, its project and the account.

    An old CNAME may still lead here, so that another account has to show that the host is its own now.
    """

    __tablename__ = "domain_tombstones"

    host: Mapped[str] = mapped_column(String(253), primary_key=True)
    account_id: Mapped[int] = mapped_column(BigInteger)
    """No foreign key: accounts go, their ids do not come back."""
    verified_at: Mapped[datetime]

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from adoption.storage.database import NEVER_AGAIN, Base, Identity
from adoption.time_zones import UTC_NAME


class SiteTexts:
    """The texts of a site: the draft on the project, a copy with each deploy."""

    name: Mapped[str] = mapped_column(String(200))
    about: Mapped[str] = mapped_column(Text, default="")
    place: Mapped[str] = mapped_column(String(200), default="")
    contact_email: Mapped[str] = mapped_column(String(254), default="")
    contact_phone: Mapped[str] = mapped_column(String(50), default="")
    colour: Mapped[str] = mapped_column(String(7), default="", index=True)
    """The shelter's own colour, such as ``#1d5c4b``; empty for Homeward's."""
    currency: Mapped[str] = mapped_column(String(3), default="USD")
    """The currency of adoption fees (ISO 4217)."""


SITE_TEXTS = tuple(SiteTexts.__annotations__)
"""The names of those columns."""


class Project(SiteTexts, Base):
    """An adoption site of an account."""

    __tablename__ = "projects"
    __table_args__ = NEVER_AGAIN

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    account_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("accounts.id", ondelete="CASCADE"), index=True
    )
    slug: Mapped[str] = mapped_column(String(63), unique=True)
    live_deploy: Mapped[int | None]
    """Number of the deploy that visitors see; None while the site is offline."""
    held_digest_at: Mapped[datetime | None]
    """When the shelter was last emailed about held applications."""
    time_zone: Mapped[str] = mapped_column(String(64), default=UTC_NAME, server_default=UTC_NAME)
    """The time zone of the shelter's staff pages and emails, such as ``Europe/London``."""
    preview_number: Mapped[int] = mapped_column(default=0, server_default="0")
    """Part of each preview link to the site. Raised to stop the links made before."""
    preview_made_at: Mapped[datetime | None]
    """When the last preview link to the site was made; None if it was stopped since."""
    created_at: Mapped[datetime]


class VisibilityChange(Base):
    """A large project that was published or taken offline, and whose animals are still being changed.

    They are hidden until that is done: ``adoption.animals.visibility_job``.
    """

    __tablename__ = "visibility_changes"

    project_id: Mapped[int] = mapped_column(
        Identity, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    after_id: Mapped[int] = mapped_column(BigInteger, default=0, server_default="0")
    """Animals up to this id have been changed."""


class Deploy(SiteTexts, Base):
    """One publishing of a project's site, with the texts that visitors see while it is live."""

    __tablename__ = "deploys"
    __table_args__ = (UniqueConstraint("project_id", "number"),)

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    project_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("projects.id", ondelete="CASCADE"))
    number: Mapped[int]
    succeeded: Mapped[bool]
    reason: Mapped[str] = mapped_column(Text, default="")
    """Why it failed, as a sentence; empty when it succeeded."""
    restores: Mapped[int | None]
    """Number of the earlier deploy whose texts it restored; None if it published the draft."""
    published_by: Mapped[str] = mapped_column(String(254), default="", server_default="")
    """Who published it, as an email address or "the operator"."""
    about_html: Mapped[str | None] = mapped_column(Text, deferred=True)
    about_rest_html: Mapped[str | None] = mapped_column(Text, deferred=True)
    about_beginning: Mapped[str | None] = mapped_column(Text, deferred=True)
    """``about`` as rendered by ``adoption.projects.introductions``; None in older deploys."""
    created_at: Mapped[datetime]


class AdoptionForm(Base):
    """The questions that a shelter asks on its adoption form. Without a row it asks the default ones."""

    __tablename__ = "adoption_forms"

    project_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    questions: Mapped[str] = mapped_column(Text)
    """A JSON array in the order of the form: ``adoption.projects.adoption_forms.AdoptionQuestion``."""
    last_number: Mapped[int] = mapped_column(default=0, server_default="0")
    """The number of the last question added. Numbers are never reused, so that a form opened before a change
    never answers another question."""
    changed_at: Mapped[datetime]


class SiteWord(Base):
    """A word of a project's published name and town, for the search."""

    __tablename__ = "site_words"

    # Ranges of this column are prefixes, which other collations of PostgreSQL would not keep together.
    word: Mapped[str] = mapped_column(
        String(40).with_variant(String(40, collation="C"), "postgresql"), primary_key=True
    )
    project_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True, index=True
    )

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, String, Text, UniqueConstraint, true
from sqlalchemy.orm import Mapped, mapped_column

from adoption.storage.database import NEVER_AGAIN, Base, Identity
from adoption.time_zones import UTC_NAME


class SiteTexts:
    """The columns with the texts of a site. A project has the draft texts, and each deploy has a copy."""

    name: Mapped[str] = mapped_column(String(200))
    about: Mapped[str] = mapped_column(Text, default="")
    place: Mapped[str] = mapped_column(String(200), default="")
    contact_email: Mapped[str] = mapped_column(String(254), default="")
    contact_phone: Mapped[str] = mapped_column(String(50), default="")
    colour: Mapped[str] = mapped_column(String(7), default="", index=True)
    """The shelter's own colour, such as ``#1d5c4b``; empty for Homeward's."""
    currency: Mapped[str] = mapped_column(String(3), default="USD")
    """The currency of adoption fees (ISO 4217)."""
    street: Mapped[str] = mapped_column(String(200), default="", server_default="")
    city: Mapped[str] = mapped_column(String(100), default="", server_default="")
    region: Mapped[str] = mapped_column(String(100), default="", server_default="")
    """The state, province or county, such as ``NJ``."""
    postcode: Mapped[str] = mapped_column(String(20), default="", server_default="")
    country: Mapped[str] = mapped_column(String(2), default="", server_default="")
    """The country (ISO 3166-1 alpha-2), such as ``US``; empty if not known."""
    website: Mapped[str] = mapped_column(String(500), default="", server_default="")
    adoption_policy: Mapped[str] = mapped_column(Text, default="", server_default="")
    language: Mapped[str] = mapped_column(String(35), default="en", server_default="en")
    """The language of the shelter's texts (BCP 47)."""


SITE_TEXTS = tuple(SiteTexts.__annotations__)
"""The names of the columns with a site's texts."""


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
    """The number of the deploy that visitors see; None while the site is offline."""
    held_digest_at: Mapped[datetime | None]
    """The time of the last email to the shelter about held applications; None before the first email."""
    time_zone: Mapped[str] = mapped_column(String(64), default=UTC_NAME, server_default=UTC_NAME)
    """The time zone of the shelter's staff pages and emails, such as ``Europe/London``."""
    preview_number: Mapped[int] = mapped_column(default=0, server_default="0")
    """A number in each preview link to the site. When the number increases, earlier links no longer work."""
    preview_made_at: Mapped[datetime | None]
    """The time when the last preview link to the site was made; None if no link works."""
    in_directory: Mapped[bool] = mapped_column(default=True, server_default=true())
    """Whether the directory of all shelters contains the shelter and its animals."""
    petfinder_id: Mapped[str | None] = mapped_column(String(7), unique=True, index=True)
    """The shelter's id at Petfinder, such as ``NJ333``."""
    created_at: Mapped[datetime]


class VisibilityChange(Base):
    """The unfinished change of a large project's animals after the project was published or taken offline.

    ``adoption.animals.visibility_job`` does the change. The animals are hidden until the change is done.
    """

    __tablename__ = "visibility_changes"

    project_id: Mapped[int] = mapped_column(
        Identity, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    after_id: Mapped[int] = mapped_column(BigInteger, default=0, server_default="0")
    """The highest id of the animals that the job has changed."""


class Deploy(SiteTexts, Base):
    """A publication of a project's site, with the texts that visitors see while the deploy is live."""

    __tablename__ = "deploys"
    __table_args__ = (UniqueConstraint("project_id", "number"),)

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    project_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("projects.id", ondelete="CASCADE"))
    number: Mapped[int]
    succeeded: Mapped[bool]
    reason: Mapped[str] = mapped_column(Text, default="")
    """The reason why the deploy failed, as a sentence; empty if the deploy succeeded."""
    restores: Mapped[int | None]
    """The number of the earlier deploy whose texts this deploy restored; None if the draft was published."""
    published_by: Mapped[str] = mapped_column(String(254), default="", server_default="")
    """The person who published the deploy: an email address, or "the operator"."""
    about_html: Mapped[str | None] = mapped_column(Text, deferred=True)
    about_rest_html: Mapped[str | None] = mapped_column(Text, deferred=True)
    about_beginning: Mapped[str | None] = mapped_column(Text, deferred=True)
    """The beginning of ``about`` as ``adoption.projects.introductions`` renders it; None in older deploys."""
    created_at: Mapped[datetime]


class AdoptionForm(Base):
    """The questions on a shelter's adoption form. Without a row, the form has the default questions."""

    __tablename__ = "adoption_forms"

    project_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    questions: Mapped[str] = mapped_column(Text)
    """A JSON array of ``adoption.projects.adoption_forms.AdoptionQuestion``, in the order of the form."""
    last_number: Mapped[int] = mapped_column(default=0, server_default="0")
    """The number of the last added question. Numbers are never reused, so answers from a form that was opened
    earlier never belong to a different question."""
    changed_at: Mapped[datetime]


class SiteWord(Base):
    """A word of a project's published name or town, for the search."""

    __tablename__ = "site_words"

    # Words with the same prefix must follow each other in the order of this column. PostgreSQL's other
    # collations do not guarantee this order.
    word: Mapped[str] = mapped_column(
        String(40).with_variant(String(40, collation="C"), "postgresql"), primary_key=True
    )
    project_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True, index=True
    )

import json
from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, String, Text, event, false
from sqlalchemy.orm import Mapped, mapped_column

from adoption.search_words import folded
from adoption.storage.database import NEVER_AGAIN, Base, Identity

STATUSES = ("placed", "approved", "completed", "declined", "withdrawn")

ALL_ASKED = "phone home household why"

APPLICANT, HOMEWARD = "the applicant", "Homeward"
"""The actors in an order's history who are not staff."""


class Order(Base):
    """An application to adopt one animal. An animal may have several; one is completed."""

    __tablename__ = "orders"
    __table_args__ = (
        CheckConstraint(f"status IN {STATUSES}", name="status_known"),
        Index("ix_orders_project_id_id", "project_id", "id"),
        Index("ix_orders_project_id_status_id", "project_id", "status", "id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    project_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("projects.id", ondelete="CASCADE"))
    animal_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("animals.id", ondelete="CASCADE"), index=True
    )
    application_id: Mapped[int | None] = mapped_column(
        BigInteger, ForeignKey("applications.id", ondelete="SET NULL"), index=True
    )
    """The form that the applicant sent; None for an order that came without one."""
    status: Mapped[str] = mapped_column(String(20))
    returned_at: Mapped[datetime | None]
    """When the adopted animal was returned. The order stays completed."""
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]


class Application(Base):
    """The form that an adopter sent. Only the shelter and the adopter ever see it.

    It has one order for each animal: several if they are bonded. One that looks like spam is held: it has no
    orders, and no one is emailed, until the staff release it.
    """

    __tablename__ = "applications"
    __table_args__ = (Index("ix_applications_project_id_id", "project_id", "id"), NEVER_AGAIN)

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    project_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("projects.id", ondelete="CASCADE"))
    animal_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("animals.id", ondelete="CASCADE"), index=True
    )
    """The animal whose page the form was on."""
    name: Mapped[str] = mapped_column(String(200))
    email: Mapped[str] = mapped_column(String(254))
    phone: Mapped[str] = mapped_column(String(50), default="")
    home: Mapped[str] = mapped_column(String(10))
    """``own`` or ``rent``."""
    household: Mapped[str] = mapped_column(String(100), default="")
    """Who lives there: some of ``young older cats dogs``, with spaces between."""
    why: Mapped[str] = mapped_column(Text)
    asked: Mapped[str] = mapped_column(String(100), default=ALL_ASKED, server_default=ALL_ASKED)
    """The standard questions that the form asked, with spaces between; answers to others are empty."""
    own_answers: Mapped[str] = mapped_column(Text, default="[]", server_default="[]")
    """A JSON array of pairs: each of the shelter's own questions as it was asked, and its answer."""
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    """SHA-256 of the secret in the applicant's private link."""
    link_number: Mapped[int] = mapped_column(default=0, server_default="0")
    """Part of that secret. Raised when staff send a new link, which ends the earlier one."""
    submission: Mapped[str] = mapped_column(String(64), unique=True)
    """Identifies the form that was sent, so that sending it twice is one application."""
    held_for: Mapped[str] = mapped_column(Text, default="")
    """Why it looks like spam, as a sentence for the staff; empty if it does not."""
    repeats: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether it is held only because the same address has an open application for the animal. The staff see
    it next to that one."""
    confirmed_at: Mapped[datetime | None]
    """When the applicant confirmed the email address by the link in an email. The link that the browser shows
    after applying cannot confirm it, because anyone who types the address sees it."""
    erasure_notice_at: Mapped[datetime | None]
    """When the shelter was last warned that this application, still undecided, is going to be erased."""
    forgotten_at: Mapped[datetime | None]
    """When its personal data was erased. Its orders stay."""
    found_by: Mapped[str] = mapped_column(Text, default="", server_default="")
    """The folded name and address, which the staff search."""
    created_at: Mapped[datetime]

    @property
    def is_held_as_spam(self) -> bool:
        return bool(self.held_for) and not self.repeats

    def was_asked(self, question: str) -> bool:
        """Return whether the form asked this standard question."""
        return question in self.asked.split()

    @property
    def own_answer_pairs(self) -> list[tuple[str, str]]:
        """The shelter's own questions as they were asked, with the answers; empty if not answered."""
        return [(question, answer) for question, answer in json.loads(self.own_answers)]


@event.listens_for(Application, "before_insert")
@event.listens_for(Application, "before_update")
def keep_found_by(_mapper: object, _connection: object, application: Application) -> None:
    """Update the search column with every change of an application."""
    application.found_by = folded(f"{application.name} {application.email}").strip()


class OrderEvent(Base):
    """A step in an order's history."""

    __tablename__ = "order_events"

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    order_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("orders.id", ondelete="CASCADE"), index=True)
    event: Mapped[str] = mapped_column(String(20))
    """The new status, ``returned`` or ``assigned``."""
    detail: Mapped[str] = mapped_column(String(254), default="", server_default="")
    """The email address of the assigned member; empty for no one."""
    actor: Mapped[str] = mapped_column(String(254))
    """An email address, ``APPLICANT`` or ``HOMEWARD``; empty if unknown."""
    created_at: Mapped[datetime]


class Assignment(Base):
    """The member who handles an order. Deleted when the member leaves the account."""

    __tablename__ = "assignments"

    order_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("orders.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    member_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("members.id", ondelete="CASCADE"), index=True
    )


class ApplicationMessage(Base):
    """A message from staff on the applicant's private page, because it could not be emailed."""

    __tablename__ = "application_messages"

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    application_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("applications.id", ondelete="CASCADE"), index=True
    )
    text: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime]


class ApplicationNote(Base):
    """A note for staff about an application. The applicant never sees it."""

    __tablename__ = "application_notes"

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    application_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("applications.id", ondelete="CASCADE"), index=True
    )
    author: Mapped[str] = mapped_column(String(254))
    text: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime]

import json
from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, String, Text, event, false
from sqlalchemy.orm import Mapped, mapped_column

from adoption.search_words import fold_text
from adoption.storage.database import NEVER_AGAIN, Base, Identity

STATUSES = ("placed", "approved", "completed", "declined", "withdrawn")

ALL_ASKED = "phone home household why"

APPLICANT, HOMEWARD = "the applicant", "Homeward"
"""The actors in an order's history who are not members of staff."""


class Order(Base):
    """An application to adopt one animal. An animal can have many orders."""

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
    """The id of the application; None if the order came without a form."""
    status: Mapped[str] = mapped_column(String(20))
    returned_at: Mapped[datetime | None]
    """The time when the adopted animal was returned. The order stays completed."""
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]


class Application(Base):
    """The form that an adopter sent. Only the shelter and the adopter can see the form.

    An application has one order for each animal. Bonded animals share an application. An application that
    looks like spam is held: it has no orders, and no one is emailed, until the staff release it.
    """

    __tablename__ = "applications"
    __table_args__ = (Index("ix_applications_project_id_id", "project_id", "id"), NEVER_AGAIN)

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    project_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("projects.id", ondelete="CASCADE"))
    animal_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("animals.id", ondelete="CASCADE"), index=True
    )
    """The animal whose page had the form."""
    name: Mapped[str] = mapped_column(String(200))
    email: Mapped[str] = mapped_column(String(254))
    phone: Mapped[str] = mapped_column(String(50), default="")
    home: Mapped[str] = mapped_column(String(10))
    """The kind of home: ``own`` or ``rent``."""
    household: Mapped[str] = mapped_column(String(100), default="")
    """The other members of the household: some of ``young older cats dogs``, separated by spaces."""
    why: Mapped[str] = mapped_column(Text)
    asked: Mapped[str] = mapped_column(String(100), default=ALL_ASKED, server_default=ALL_ASKED)
    """The standard questions on the form, separated by spaces. The answers to other questions are empty."""
    own_answers: Mapped[str] = mapped_column(Text, default="[]", server_default="[]")
    """The shelter's own questions as they were asked, with the answers: a JSON array of pairs."""
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    """The SHA-256 of the secret in the applicant's private link."""
    link_number: Mapped[int] = mapped_column(default=0, server_default="0")
    """A number from which the link's secret is computed. When the staff send a new link, the number increases
    and the previous link stops working."""
    submission: Mapped[str] = mapped_column(String(64), unique=True)
    """The id of the sent form. Sending the same form twice creates only one application."""
    held_for: Mapped[str] = mapped_column(Text, default="")
    """The reason for holding the application, as a sentence for the staff; empty if the application is not
    held."""
    repeats: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether the only reason for the hold is an open application for the animal from the same address. The
    staff see both applications together."""
    confirmed_at: Mapped[datetime | None]
    """The time when the applicant confirmed the email address through the link in an email. The link that the
    browser shows after applying does not confirm the address, because anyone can type an address and see that
    link."""
    erasure_notice_at: Mapped[datetime | None]
    """The time of the last warning to the shelter that this undecided application will be erased."""
    forgotten_at: Mapped[datetime | None]
    """The time when the personal data was erased. The application's orders stay."""
    found_by: Mapped[str] = mapped_column(Text, default="", server_default="")
    """The normalised name and email address, for the staff's search."""
    created_at: Mapped[datetime]

    @property
    def is_held_as_spam(self) -> bool:
        return bool(self.held_for) and not self.repeats

    def was_asked(self, question: str) -> bool:
        """Return whether the form asked this standard question."""
        return question in self.asked.split()

    @property
    def own_answer_pairs(self) -> list[tuple[str, str]]:
        """The shelter's own questions as they were asked, with the answers.

        Unanswered questions have an empty answer.
        """
        return [(question, answer) for question, answer in json.loads(self.own_answers)]


@event.listens_for(Application, "before_insert")
@event.listens_for(Application, "before_update")
def keep_found_by(_mapper: object, _connection: object, application: Application) -> None:
    """Update the search column whenever an application changes."""
    application.found_by = fold_text(f"{application.name} {application.email}").strip()


class OrderEvent(Base):
    """A step in an order's history."""

    __tablename__ = "order_events"

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    order_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("orders.id", ondelete="CASCADE"), index=True)
    event: Mapped[str] = mapped_column(String(20))
    """The event: the new status, ``returned`` or ``assigned``."""
    detail: Mapped[str] = mapped_column(String(254), default="", server_default="")
    """The email address of the assigned member; empty if the order was assigned to no one, and for other
    events."""
    actor: Mapped[str] = mapped_column(String(254))
    """The actor's email address, ``APPLICANT`` or ``HOMEWARD``; empty if unknown."""
    created_at: Mapped[datetime]


class Assignment(Base):
    """The member who handles an order. The row is deleted when the member leaves the account."""

    __tablename__ = "assignments"

    order_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("orders.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    member_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("members.id", ondelete="CASCADE"), index=True
    )


class ApplicationMessage(Base):
    """A message from the staff on the private page of an applicant whose email address was not confirmed."""

    __tablename__ = "application_messages"

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    application_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("applications.id", ondelete="CASCADE"), index=True
    )
    text: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime]


class ApplicationNote(Base):
    """A note for staff about an application. The applicant never sees the note."""

    __tablename__ = "application_notes"

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    application_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("applications.id", ondelete="CASCADE"), index=True
    )
    author: Mapped[str] = mapped_column(String(254))
    text: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime]

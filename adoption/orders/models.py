import json
from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, String, Text, event, false
from sqlalchemy.orm import Mapped, mapped_column

from adoption.search_words import folded
from adoption.storage.database import NEVER_AGAIN, Base, Identity

STATUSES = ("placed", "approved", "completed", "declined", "withdrawn")

ALL_ASKED = "phone home household why"

APPLICANT, HOMEWARD = "the applicant", "Homeward"
"""Who, beside the staff, takes a step in an order's history."""


class Order(Base):
    """An adoption application for an animal. Several may stand for one animal; one wins."""

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
    """Who applied, and with which words; None for an order that did not come through the form."""
    status: Mapped[str] = mapped_column(String(20))
    returned_at: Mapped[datetime | None]
    """When a completed adoption came to nothing and the animal back; the order stays completed."""
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]


class Application(Base):
    """What an adopter wrote in the form. Only the shelter and the adopter ever see it.

    It stands for one order, or for one an animal where they are bonded. One that looks like spam is held:
    it has no orders, and nobody was written to, until the staff let it through.
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
    """Names the form that was filled in, so that sending it twice is one application."""
    held_for: Mapped[str] = mapped_column(Text, default="")
    """Why it looks like spam, as a sentence for the staff; empty when it does not."""
    repeats: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether it is held only because the same address has an open application for the animal. The staff see
    it next to that one."""
    confirmed_at: Mapped[datetime | None]
    """When the link in an email to the applicant was first opened. The link that the browser shows after
    applying does not count: whoever typed the address sees it."""
    erasure_notice_at: Mapped[datetime | None]
    """When the shelter was last warned that this application, still undecided, is going to be erased."""
    forgotten_at: Mapped[datetime | None]
    """When everything personal in it was erased; its orders stay."""
    found_by: Mapped[str] = mapped_column(Text, default="", server_default="")
    """What the staff's search looks through: the name and the address, folded."""
    created_at: Mapped[datetime]

    def was_asked(self, question: str) -> bool:
        """Whether the form asked this standard question."""
        return question in self.asked.split()

    @property
    def own_answer_pairs(self) -> list[tuple[str, str]]:
        """The shelter's own questions as they were asked, and the answers; an empty one was not given."""
        return [(question, answer) for question, answer in json.loads(self.own_answers)]


@event.listens_for(Application, "before_insert")
@event.listens_for(Application, "before_update")
def keep_found_by(_mapper: object, _connection: object, application: Application) -> None:
    """Whoever changes an application cannot leave the search behind."""
    application.found_by = folded(f"{application.name} {application.email}").strip()


class OrderEvent(Base):
    """A step in an order's history."""

    __tablename__ = "order_events"

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    order_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("orders.id", ondelete="CASCADE"), index=True)
    event: Mapped[str] = mapped_column(String(20))
    """A status that it came to, ``returned`` or ``assigned``."""
    detail: Mapped[str] = mapped_column(String(254), default="", server_default="")
    """The email address of the member whom it was assigned to; empty for no one."""
    actor: Mapped[str] = mapped_column(String(254))
    """Who did it, as an email address; ``APPLICANT`` or ``HOMEWARD`` otherwise, empty where nobody knows."""
    created_at: Mapped[datetime]


class Assignment(Base):
    """The member who handles an order. A member who leaves the account handles nothing any longer."""

    __tablename__ = "assignments"

    order_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("orders.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    member_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("members.id", ondelete="CASCADE"), index=True
    )


class ApplicationMessage(Base):
    """Words of the staff that an applicant reads on their private page, since they could not be emailed."""

    __tablename__ = "application_messages"

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    application_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("applications.id", ondelete="CASCADE"), index=True
    )
    text: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime]


class ApplicationNote(Base):
    """What staff tell each other about an application; the applicant never sees it."""

    __tablename__ = "application_notes"

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    application_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("applications.id", ondelete="CASCADE"), index=True
    )
    author: Mapped[str] = mapped_column(String(254))
    text: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime]

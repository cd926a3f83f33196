from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from adoption.storage.database import Base, Identity


class AuditEntry(Base):
    """An action by an actor on a thing.

    Triggers of migration 0042 forbid changes to rows, except for ``address_removal``.
    """

    __tablename__ = "audit_entries"
    __table_args__ = (
        Index("ix_audit_entries_account_id_id", "account_id", "id"),
        Index("ix_audit_entries_account_id_actor_id", "account_id", "actor", "id"),
        Index("ix_audit_entries_project_id_id", "project_id", "id"),
    )

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    account_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("accounts.id", ondelete="CASCADE"))
    project_id: Mapped[int | None] = mapped_column(BigInteger, ForeignKey("projects.id", ondelete="SET NULL"))
    """The project's id; None for an action on the account, or if the project was deleted."""
    user_id: Mapped[int | None] = mapped_column(
        BigInteger, ForeignKey("users.id", ondelete="SET NULL"), index=True
    )
    actor: Mapped[str] = mapped_column(String(254))
    """The actor: an email address, "the operator" or "the service". After the removal of the address, "a
    member"."""
    address: Mapped[str] = mapped_column(String(50), default="")
    action: Mapped[str] = mapped_column(String(50))
    """The action: one of ``action_labels.ACTIONS``, such as ``animal.edited``."""
    thing: Mapped[str] = mapped_column(String(300), default="")
    """The name of the thing at the time of the action."""
    detail: Mapped[str] = mapped_column(Text, default="")
    created_at: Mapped[datetime]

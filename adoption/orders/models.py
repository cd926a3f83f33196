from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from adoption.database import Base, Identity

STATUSES = ("placed", "approved", "completed", "declined", "withdrawn")


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
    status: Mapped[str] = mapped_column(String(20))
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]

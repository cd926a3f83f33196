from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from adoption.database import NEVER_AGAIN, Base, Identity


class Account(Base):
    """A shelter or rescue organisation, with one plan."""

    __tablename__ = "accounts"
    __table_args__ = (
        CheckConstraint("plan IN ('free', 'pro', 'business', 'enterprise')", name="plan_known"),
        CheckConstraint("per_minute > 0 AND per_day > 0", name="quota_positive"),
        NEVER_AGAIN,
    )

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    name: Mapped[str] = mapped_column(String(200))
    plan: Mapped[str] = mapped_column(String(20))
    per_minute: Mapped[int | None]
    per_day: Mapped[int | None]
    created_at: Mapped[datetime]


class User(Base):
    """A person who can sign in; what they may do stands in their memberships."""

    __tablename__ = "users"

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    email: Mapped[str] = mapped_column(String(254), unique=True)
    password_hash: Mapped[str | None] = mapped_column(String(200))
    created_at: Mapped[datetime]


class Member(Base):
    """A person's place in an account, as ``owner`` or ``staff``."""

    __tablename__ = "members"
    __table_args__ = (
        UniqueConstraint("account_id", "user_id"),
        CheckConstraint("role IN ('owner', 'staff')", name="role_known"),
    )

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    account_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("accounts.id", ondelete="CASCADE"))
    user_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("users.id", ondelete="CASCADE"), index=True)
    role: Mapped[str] = mapped_column(String(10))
    created_at: Mapped[datetime]


class ApiKey(Base):
    """A program's way in to one project. The secret itself is stored nowhere."""

    __tablename__ = "api_keys"
    __table_args__ = NEVER_AGAIN

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    project_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("projects.id", ondelete="CASCADE"), index=True
    )
    public_id: Mapped[str] = mapped_column(String(20), unique=True)
    secret_hash: Mapped[str] = mapped_column(String(64))
    name: Mapped[str] = mapped_column(String(100))
    scopes: Mapped[str] = mapped_column(String(100))
    """Scope names, parted by blanks."""
    created_at: Mapped[datetime]
    last_used_at: Mapped[datetime | None]
    expires_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]

from datetime import date, datetime

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKey,
    LargeBinary,
    String,
    Text,
    UniqueConstraint,
    false,
)
from sqlalchemy.orm import Mapped, mapped_column

from adoption.accounts.plans import Caps, caps_of_plan
from adoption.storage.database import NEVER_AGAIN, Base, Identity


class Account(Base):
    """The account of a shelter or rescue organisation, with one plan."""

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
    animals_cap: Mapped[int | None] = mapped_column(BigInteger)
    photo_bytes_cap: Mapped[int | None] = mapped_column(BigInteger)
    imports_cap: Mapped[int | None] = mapped_column(BigInteger)
    requested_plan: Mapped[str | None] = mapped_column(String(20))
    """The plan that an owner has requested; None once an operator has set a plan."""
    requested_at: Mapped[datetime | None]
    created_at: Mapped[datetime]

    @property
    def caps(self) -> Caps:
        return caps_of_plan(self.plan, Caps(self.animals_cap, self.photo_bytes_cap, self.imports_cap))


class User(Base):
    """A person who can sign in. A membership gives the person access to an account."""

    __tablename__ = "users"

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    email: Mapped[str] = mapped_column(String(254), unique=True)
    name: Mapped[str] = mapped_column(String(200), default="", server_default="")
    """The name that colleagues see. If empty, colleagues see the address."""
    password_hash: Mapped[str | None] = mapped_column(String(200))
    created_at: Mapped[datetime]

    @property
    def display_name(self) -> str:
        return self.name or self.email


class Member(Base):
    """A user's membership of an account, with the role ``owner`` or ``staff``."""

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


class SignIn(Base):
    """A user's sign-in in one browser. The browser's cookie is valid only while the row exists."""

    __tablename__ = "sign_ins"

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    user_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("users.id", ondelete="CASCADE"), index=True)
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    """The SHA-256 of the secret in the browser's cookie."""
    address: Mapped[str] = mapped_column(String(50), default="")
    """The network address of the browser's last request."""
    browser: Mapped[str] = mapped_column(String(300), default="")
    """The browser's ``User-Agent``."""
    created_at: Mapped[datetime]
    seen_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    proved_at: Mapped[datetime | None]
    """The time when the user last proved their identity in this browser, with the password or a passkey."""


class Invitation(Base):
    """An invitation to join an account. Its recipient gets a link by email."""

    __tablename__ = "invitations"
    __table_args__ = (CheckConstraint("role IN ('owner', 'staff')", name="role_known"),)

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    account_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("accounts.id", ondelete="CASCADE"), index=True
    )
    email: Mapped[str] = mapped_column(String(254))
    role: Mapped[str] = mapped_column(String(10))
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    """The SHA-256 of the secret in the link."""
    invited_by: Mapped[str] = mapped_column(String(254), default="")
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]


class Passkey(Base):
    """A passkey on a user's device or in a password manager (Web Authentication Level 3)."""

    __tablename__ = "passkeys"

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    user_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("users.id", ondelete="CASCADE"), index=True)
    credential_id: Mapped[bytes] = mapped_column(LargeBinary, unique=True)
    public_key: Mapped[bytes] = mapped_column(LargeBinary)
    sign_count: Mapped[int] = mapped_column(BigInteger, default=0)
    name: Mapped[str] = mapped_column(String(100))
    created_at: Mapped[datetime]
    used_at: Mapped[datetime | None]


class UsageDay(Base):
    """The API requests of an account on one day (UTC), for the owners' statistics. Quotas do not use it."""

    __tablename__ = "usage_days"

    account_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True
    )
    day: Mapped[date] = mapped_column(primary_key=True)
    requests: Mapped[int] = mapped_column(BigInteger, default=0)
    """The number of requests with a valid key, including refused requests and errors."""
    refusals: Mapped[int] = mapped_column(BigInteger, default=0)
    """The number of requests with a valid key that were answered with 429."""
    errors: Mapped[int] = mapped_column(BigInteger, default=0)
    """The number of requests with a valid key that were answered with a status of 400 or more, except 429."""


class ApiKey(Base):
    """An API key of one project. Only the hash of its secret is stored."""

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
    """The names of the scopes, separated by spaces."""
    origins: Mapped[str] = mapped_column(Text, default="", server_default="")
    """The origins of the web pages that can use the key, separated by spaces; empty for a secret key."""
    from_programs: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether programs, which send no ``Origin``, can use a key for web pages too."""
    created_at: Mapped[datetime]
    last_used_at: Mapped[datetime | None]
    expires_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]

    @property
    def is_publishable(self) -> bool:
        """Whether the key is for web pages, and only reads the directory."""
        return bool(self.origins)

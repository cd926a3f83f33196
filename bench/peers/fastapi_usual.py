"""FastAPI, SQLAlchemy and slowapi, as in their documentation."""

import hashlib
import hmac
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated, Literal

from fastapi import Depends, FastAPI, Header, HTTPException, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field
from slowapi import Limiter, _rate_limit_exceeded_handler
from slowapi.errors import RateLimitExceeded
from sqlalchemy import ForeignKey, create_engine, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship, sessionmaker

engine = create_engine(f"sqlite:///{os.environ['PEER_DATABASE']}", connect_args={"check_same_thread": False})
LocalSession = sessionmaker(engine)


class Base(DeclarativeBase):
    pass


class Account(Base):
    __tablename__ = "accounts"
    id: Mapped[int] = mapped_column(primary_key=True)
    plan: Mapped[str]


class Project(Base):
    __tablename__ = "projects"
    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"))
    account: Mapped[Account] = relationship()


class ApiKey(Base):
    __tablename__ = "api_keys"
    id: Mapped[int] = mapped_column(primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id"))
    public_id: Mapped[str]
    secret_hash: Mapped[str]
    scopes: Mapped[str]
    expires_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]
    project: Mapped[Project] = relationship(lazy="joined")


class Animal(Base):
    __tablename__ = "animals"
    id: Mapped[int] = mapped_column(primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id"))
    category_id: Mapped[int]
    name: Mapped[str]
    status: Mapped[str]
    listed: Mapped[bool]


class Pet(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: int
    name: str
    category_id: int = Field(serialization_alias="categoryId")
    status: Literal["available", "pending", "sold"]


def session() -> Iterator[Session]:
    with LocalSession() as opened:
        yield opened


def key_of(session: Annotated[Session, Depends(session)], authorization: Annotated[str, Header()]) -> ApiKey:
    _, public_id, secret = authorization.removeprefix("Bearer ").split("_")
    key = session.scalar(select(ApiKey).where(ApiKey.public_id == public_id))
    digest = hashlib.sha256(secret[:-6].encode()).hexdigest()
    if key is None or key.revoked_at or not hmac.compare_digest(key.secret_hash, digest):
        raise HTTPException(401, "A valid API key is needed.")
    if key.expires_at and key.expires_at.replace(tzinfo=UTC) <= datetime.now(UTC):
        raise HTTPException(401, "This key has expired.")
    if "pets:read" not in key.scopes.split():
        raise HTTPException(403, "This key has not the scope pets:read.")
    return key


limiter = Limiter(lambda request: request.headers["authorization"], headers_enabled=True)
app = FastAPI()
app.state.limiter = limiter
app.add_exception_handler(RateLimitExceeded, _rate_limit_exceeded_handler)  # type: ignore[arg-type]


@app.get("/v1/pets", response_model=list[Pet])
@limiter.limit("10000000/minute;1000000000/day")
def list_pets(
    request: Request,
    response: Response,
    session: Annotated[Session, Depends(session)],
    key: Annotated[ApiKey, Depends(key_of)],
    status: Literal["available", "pending", "sold"] | None = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    cursor: int = 0,
) -> list[Animal]:
    query = select(Animal).where(Animal.project_id == key.project_id, Animal.listed, Animal.id > cursor)
    if status:
        query = query.where(Animal.status == status)
    return list(session.scalars(query.order_by(Animal.id).limit(limit)))

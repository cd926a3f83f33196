from sqlalchemy import BigInteger, Double, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from adoption.storage.database import Base


class ProjectPlace(Base):
    """The place of a published shelter, in degrees and as a point on the sphere of radius 1."""

    __tablename__ = "places"
    __table_args__ = (Index("ix_places_lat_lng", "lat", "lng"),)

    project_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    lat: Mapped[float] = mapped_column(Double)
    lng: Mapped[float] = mapped_column(Double)
    x: Mapped[float] = mapped_column(Double)
    y: Mapped[float] = mapped_column(Double)
    z: Mapped[float] = mapped_column(Double)


class PostalCode(Base):
    """A postal code that the operator loaded, with its centre."""

    __tablename__ = "postal_codes"

    country: Mapped[str] = mapped_column(String(2), primary_key=True)
    """The country's code (ISO 3166-1)."""
    code: Mapped[str] = mapped_column(String(20), primary_key=True)
    """Capital letters and digits, without spaces and hyphens."""
    name: Mapped[str] = mapped_column(String(180))
    """The name of a town with this code."""
    lat: Mapped[float] = mapped_column(Double)
    lng: Mapped[float] = mapped_column(Double)

from datetime import datetime

from sqlalchemy import String, Text
from sqlalchemy.orm import Mapped, mapped_column

from adoption.database import Base


class PlatformCertificate(Base):
    """The certificate of the platform's own host, and the order for the next one.

    Certificates of shelters are tied to their domains and deleted with them. This one belongs to the
    installation.
    """

    __tablename__ = "platform_certificates"

    host: Mapped[str] = mapped_column(String(253), primary_key=True)
    hosts: Mapped[str] = mapped_column(Text, default="")
    """The names in the certificate, with spaces between; empty before there is one."""
    chain: Mapped[str] = mapped_column(Text, default="")
    """PEM, the host's own certificate first."""
    private_key: Mapped[str] = mapped_column(Text, default="")
    """PEM, sealed by the vault."""
    not_after: Mapped[datetime | None]
    order_key: Mapped[str] = mapped_column(Text, default="")
    """The private key of the next certificate, PEM, sealed; empty while nothing is ordered."""
    order_address: Mapped[str] = mapped_column(Text, default="")
    """The order's address at the authority; empty until the authority has accepted it."""
    token: Mapped[str] = mapped_column(Text, default="")
    """Of the HTTP-01 challenge (RFC 8555, 8.3)."""
    key_authorization: Mapped[str] = mapped_column(Text, default="")
    """The answer to that challenge."""
    began_at: Mapped[datetime | None]
    """When the order under way began."""
    next_step_at: Mapped[datetime]
    """When the order continues, or the next one begins."""
    failures: Mapped[int] = mapped_column(default=0)
    """Failed orders in a row."""
    code: Mapped[str] = mapped_column(String(60), default="")
    """Why the last order failed, as in ``problems``; empty after a success."""
    detail: Mapped[str] = mapped_column(Text, default="")
    """The same in the authority's own words."""

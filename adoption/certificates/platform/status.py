"""The status of the platform's own certificate, for the operator's list of domains."""

from datetime import datetime
from typing import NamedTuple

from adoption.certificates.certificate_states import EXPIRED, ISSUED, NONE
from adoption.certificates.models import FAILED, ORDERING, PlatformCertificate
from adoption.certificates.problem_advice import OPERATOR
from adoption.storage.database import reading


class PlatformStatus(NamedTuple):
    host: str
    certificate: str
    """The state: ``none``, ``ordering``, ``issued``, ``failed`` or ``expired``."""
    code: str | None = None
    """The code of the last order's failure, if no order has succeeded since."""
    who: str | None = None
    not_after: datetime | None = None
    next_try: datetime | None = None
    """The time of the order's next step, of the next order or of the renewal."""

    @property
    def is_failing(self) -> bool:
        return self.code is not None or self.certificate == EXPIRED


def platform_status(host: str, now: datetime) -> PlatformStatus:
    with reading() as session:
        held = session.get(PlatformCertificate, host)
    if held is None:
        return PlatformStatus(host, NONE)
    code = held.code or None
    who = OPERATOR if code else None
    return PlatformStatus(
        host, platform_certificate_state(held, now), code, who, held.not_after, held.next_step_at
    )


def platform_certificate_state(held: PlatformCertificate, now: datetime) -> str:
    if held.not_after is not None:
        return ISSUED if held.not_after > now else EXPIRED
    if held.order_key:
        return ORDERING
    return FAILED if held.code else NONE

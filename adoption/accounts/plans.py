"""Plans as data: what each gives. Specification, "Rate limits by plan"."""

from dataclasses import dataclass
from typing import NamedTuple


class Quota(NamedTuple):
    """Requests that an account may make in a minute and in a day."""

    per_minute: int
    per_day: int


QUOTA_MOST = 2**31 - 1
"""The largest number that an account's own quota may have."""


@dataclass(frozen=True)
class Plan:
    name: str
    quota: Quota
    custom_quota: bool = False
    """Whether an account on this plan has a quota of its own; ``quota`` stands until one is set."""
    custom_domains: bool = False
    """Whether sites can be shown at domains of the shelter's own."""


FREE = Plan("free", Quota(60, 1_000))
PRO = Plan("pro", Quota(300, 10_000), custom_domains=True)
BUSINESS = Plan("business", Quota(1_000, 100_000), custom_domains=True)
ENTERPRISE = Plan("enterprise", Quota(1_000, 100_000), custom_quota=True, custom_domains=True)

PLANS = {plan.name: plan for plan in (FREE, PRO, BUSINESS, ENTERPRISE)}


def quota_of(plan: str, per_minute: int | None, per_day: int | None) -> Quota:
    """The quota of an account, from its row: the plan's, or where the plan allows it the account's own."""
    known = PLANS[plan]
    if not known.custom_quota or per_minute is None or per_day is None:
        return known.quota
    return Quota(per_minute, per_day)

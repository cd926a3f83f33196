"""Plans as data: what each gives. Specification, "Rate limits by plan"."""

from dataclasses import dataclass
from typing import NamedTuple


class Quota(NamedTuple):
    """Requests that an account may make in a minute and in a day."""

    per_minute: int
    per_day: int


class Caps(NamedTuple):
    """What an account may have; None for any number."""

    animals: int | None
    photo_bytes: int | None
    imports_a_day: int | None


GB = 10**9
QUOTA_MOST = 2**31 - 1
"""The largest number that an account's own quota may have."""


@dataclass(frozen=True)
class Plan:
    name: str
    quota: Quota
    caps: Caps
    custom_quota: bool = False
    """Whether an account on this plan has a quota of its own; ``quota`` stands until one is set."""
    custom_domains: bool = False
    """Whether sites can be shown at domains of the shelter's own."""


FREE = Plan("free", Quota(60, 1_000), Caps(2_000, 5 * GB, 20))
PRO = Plan("pro", Quota(300, 10_000), Caps(20_000, 50 * GB, 100), custom_domains=True)
BUSINESS = Plan("business", Quota(1_000, 100_000), Caps(200_000, 500 * GB, 1_000), custom_domains=True)
ENTERPRISE = Plan(
    "enterprise", Quota(1_000, 100_000), Caps(None, None, None), custom_quota=True, custom_domains=True
)

PLANS = {plan.name: plan for plan in (FREE, PRO, BUSINESS, ENTERPRISE)}


def next_plan(plan: str) -> str:
    """Return the plan that includes more than this one; the largest for itself."""
    names = list(PLANS)
    return names[min(names.index(plan) + 1, len(names) - 1)]


def quota_of(plan: str, per_minute: int | None, per_day: int | None) -> Quota:
    """The quota of an account, from its row: the plan's, or where the plan allows it the account's own."""
    known = PLANS[plan]
    if not known.custom_quota or per_minute is None or per_day is None:
        return known.quota
    return Quota(per_minute, per_day)

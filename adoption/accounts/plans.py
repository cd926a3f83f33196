"""Plans, with quotas and caps (specification, "Rate limits by plan")."""

from dataclasses import dataclass
from typing import NamedTuple

from adoption.english_plurals import counted
from adoption.translations import gettext, ngettext

GB = 10**9


class Quota(NamedTuple):
    """The requests that an account may make in a minute and in a day."""

    per_minute: int
    per_day: int


class Caps(NamedTuple):
    """The limits on an account's data. None means no limit."""

    animals: int | None = None
    photo_bytes: int | None = None
    imports_a_day: int | None = None

    @property
    def in_words(self) -> list[str]:
        """The limits in English, for the audit log and the command line."""
        gigabytes = None if self.photo_bytes is None else self.photo_bytes // GB
        texts = (
            (self.animals, "animal", "animals"),
            (gigabytes, "GB of photos", "GB of photos"),
            (self.imports_a_day, "import a day", "imports a day"),
        )
        return [counted(number, one, many) for number, one, many in texts if number is not None]


NO_CAPS = Caps()
QUOTA_MOST = 2**31 - 1
"""The maximum number in an account's own quota."""


@dataclass(frozen=True)
class Plan:
    name: str
    quota: Quota
    caps: Caps
    custom_quota: bool = False
    """Whether an account can have a quota and caps of its own. Until an operator sets them, the plan's quota
    and caps apply."""
    custom_domains: bool = False
    """Whether sites can use custom domains."""


FREE = Plan("free", Quota(60, 1_000), Caps(2_000, 5 * GB, 20))
PRO = Plan("pro", Quota(300, 10_000), Caps(20_000, 50 * GB, 100), custom_domains=True)
BUSINESS = Plan("business", Quota(1_000, 100_000), Caps(200_000, 500 * GB, 1_000), custom_domains=True)
ENTERPRISE = Plan("enterprise", Quota(1_000, 100_000), NO_CAPS, custom_quota=True, custom_domains=True)

PLANS = {plan.name: plan for plan in (FREE, PRO, BUSINESS, ENTERPRISE)}


def advice_for_more(plan: str) -> str:
    """Return a phrase about how an owner gets a higher limit than the limit of this plan."""
    if larger := larger_plan(plan):
        return f"ask for {larger.capitalize()} on Usage & plan"
    return "ask the operator of this service for a higher limit"


def larger_plan(plan: str) -> str | None:
    """Return the next larger plan; None for the largest plan."""
    names = list(PLANS)
    return next(iter(names[names.index(plan) + 1 :]), None)


def limits_in_words(caps: Caps) -> list[str]:
    """Return the limits in the current language, such as "2,000 animals"."""
    limits = []
    if (animals := caps.animals) is not None:
        limits.append(ngettext("%(num)s animal", "%(num)s animals", animals))
    if caps.photo_bytes is not None:
        limits.append(gettext("%(number)s GB of photos", number=f"{caps.photo_bytes // GB:,}"))
    if (imports := caps.imports_a_day) is not None:
        limits.append(ngettext("%(num)s import a day", "%(num)s imports a day", imports))
    return limits


def caps_of_plan(plan: str, own: Caps) -> Caps:
    """Return the caps of an account: its own caps if the plan allows own caps, otherwise the plan's caps."""
    return own if PLANS[plan].custom_quota else PLANS[plan].caps


def quota_of_plan(plan: str, per_minute: int | None, per_day: int | None) -> Quota:
    """Return the quota of an account.

    The result is the account's own quota if it is set and the plan allows own quotas. Otherwise it is the
    plan's quota.
    """
    if not PLANS[plan].custom_quota or per_minute is None or per_day is None:
        return PLANS[plan].quota
    return Quota(per_minute, per_day)

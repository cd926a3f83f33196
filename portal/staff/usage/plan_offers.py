"""The plans on offer, and requests for another plan."""

from typing import NamedTuple

from flask import Response, request, url_for

from adoption.accounts import plan_requests
from adoption.accounts.models import Account
from adoption.accounts.plans import PLANS, Caps, Quota, limits_in_words, quota_of_plan
from adoption.accounts.project_access import ProjectAccess
from adoption.errors import Invalid
from adoption.translations import gettext
from portal.current_user import actor
from portal.flash import notice
from portal.responses import see_other
from portal.staff import may, staff


class PlanOffer(NamedTuple):
    """A plan on the page of usage and plans."""

    name: str
    label: str
    gives: list[str]
    current: bool
    requested: bool


@staff.post("/usage/request")
@may("plan.request")
def request_plan(access: ProjectAccess) -> Response:
    plan = request.form.get("plan", "")
    try:
        plan_requests.request_plan(access.account.id, plan, actor())
        notice(
            gettext(
                "You have asked for %(plan)s. Nothing changes until we confirm it by email.",
                plan=plan.capitalize(),
            )
        )
    except Invalid:
        notice(gettext("Choose one of the plans below that you are not on yet."), "warn")
    return see_other(url_for(".usage"))


@staff.post("/usage/request/withdrawal")
@may("plan.request")
def withdraw_request(access: ProjectAccess) -> Response:
    plan_requests.withdraw_request(access.account.id, actor())
    notice(gettext("Request cancelled. Your plan does not change."))
    return see_other(url_for(".usage"))


def quota_for(account: Account) -> Quota:
    return quota_of_plan(account.plan, account.per_minute, account.per_day)


def offers_of(account: Account) -> list[PlanOffer]:
    return [
        PlanOffer(
            name,
            name.capitalize(),
            plan_features(account, name),
            name == account.plan,
            name == account.requested_plan,
        )
        for name in PLANS
    ]


def plan_features(account: Account, plan: str) -> list[str]:
    """Return what a plan includes. Only an account with a custom quota sees the numbers of that quota."""
    if PLANS[plan].custom_quota and (plan != account.plan or account.per_minute is None):
        agreed = gettext("Requests a minute and a day, animals, photos and imports as agreed with you")
        return [agreed, *domains_in(plan)]
    quota = quota_for(account) if plan == account.plan else PLANS[plan].quota
    rates = [
        gettext("%(number)s requests a minute", number=f"{quota.per_minute:,}"),
        gettext("%(number)s requests a day", number=f"{quota.per_day:,}"),
    ]
    caps = account.caps if plan == account.plan else PLANS[plan].caps
    return rates + capped_in(caps) + domains_in(plan)


def capped_in(caps: Caps) -> list[str]:
    """Return the limits on animals, photos and imports in words."""
    unlimited = (
        gettext("Animals without a limit"),
        gettext("Photos without a limit"),
        gettext("Imports without a limit"),
    )
    return limits_in_words(caps) + [text for text, cap in zip(unlimited, caps, strict=True) if cap is None]


def domains_in(plan: str) -> list[str]:
    return [gettext("Custom domains")] if PLANS[plan].custom_domains else []

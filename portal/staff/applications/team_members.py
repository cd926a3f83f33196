"""The members of the team, to whom applications can be assigned."""

from typing import Any

from flask import g

from adoption.accounts import members
from adoption.accounts.members import Membership
from adoption.accounts.project_access import ProjectAccess
from portal.current_user import signed_in_person


def own_membership() -> Membership:
    return next(each for each in team_members() if each.user_id == signed_in_person().user_id)


def team_members() -> list[Membership]:
    """Return the members of the current account. They are read once per request."""
    if "team" not in g:
        access: ProjectAccess = g.access
        g.team = members.members_of(access.account.id)
    found: list[Membership] = g.team
    return found


def name_of_member(member_id: int) -> str:
    return next((each.name for each in team_members() if each.id == member_id), "")


def team_words() -> dict[str, Any]:
    return {"team": team_members(), "own_id": own_membership().id}

"""Who belongs to the shelter's account: seen by all of them, changed by its owners."""

from datetime import UTC, datetime
from typing import NamedTuple

from flask import Response, make_response, render_template, request, url_for

from adoption.accounts import invitations, members
from adoption.accounts.access import OWNER, STAFF, Place
from adoption.accounts.members import Membership
from adoption.errors import Conflict, Invalid, TooMany
from portal.access import actor
from portal.account_forms import InviteForm
from portal.answers import onward
from portal.instants import ago, day_in_words
from portal.notices import notice
from portal.staff import may, staff
from portal.staff.confirmations import confirm

ROLE_WORDS = {
    STAFF: ("Staff", "Looks after animals and applications."),
    OWNER: ("Owner", "Also publishes the site, makes API keys, and decides who belongs here."),
}
PRESET = {STAFF: "as staff", OWNER: "as an owner"}


class Waiting(NamedTuple):
    """An invitation that nobody has accepted yet."""

    id: int
    email: str
    role: str
    sent: str
    until: str


@staff.get("/members")
@may("members.see")
def team(place: Place) -> Response:
    return page_of(place, InviteForm())


def page_of(place: Place, form: InviteForm, status: int = 200) -> Response:
    now = datetime.now(UTC)
    page = render_template(
        "staff/members/index.html",
        form=form,
        members=members.members_of(place.account.id),
        waiting=[
            Waiting(
                each.id,
                each.email,
                ROLE_WORDS[each.role][0],
                ago(each.created_at, now),
                day_in_words(each.expires_at.date(), now.date()),
            )
            for each in invitations.pending_of(place.account.id, now)
        ],
        role_words=ROLE_WORDS,
    )
    return make_response(page, status)


def back() -> Response:
    return onward(url_for(".team"))


@staff.post("/members/invitations")
@may("members.edit")
def invite(place: Place) -> Response:
    form = InviteForm(request.form)
    if form.validate():
        email, role = form.cleaned["email"], form.role.data or ""
        try:
            invitations.invite(place, email, role, actor())
        except Invalid as refusal:
            for field, sentence in refusal.violations:
                form.blame(field, sentence)
        except TooMany as refusal:
            form.blame("email", refusal.sentence)
        else:
            notice(f"An invitation is on its way to {email}. It is good for 7 days.")
            return back()
    return page_of(place, form, 422)


@staff.get("/members/invitations/<int64:invitation_id>/removal")
@may("members.edit")
def think_of_revoking(place: Place, invitation_id: int) -> Response:
    email = invitations.invitation_of(place.account.id, invitation_id).email
    return confirm(
        f"Take back the invitation of {email}?",
        "The link in their mail stops working. You can invite them again at any time.",
        url_for(".revoke_invitation", invitation_id=invitation_id),
        "Take it back",
        "Keep invitation",
        url_for(".team"),
    )


@staff.post("/members/invitations/<int64:invitation_id>/removal")
@may("members.edit")
def revoke_invitation(place: Place, invitation_id: int) -> Response:
    email = invitations.revoke(place.account.id, invitation_id, actor())
    notice(f"The invitation of {email} is taken back.")
    return back()


@staff.post("/members/<int64:member_id>/role")
@may("members.edit")
def change_role(place: Place, member_id: int) -> Response:
    try:
        changed = members.change_role(place.account.id, member_id, request.form.get("role", ""), actor())
    except (Conflict, Invalid) as refusal:
        return refused(refusal)
    notice(f"{changed.name} belongs here {PRESET[changed.role]} now.")
    return back()


def refused(refusal: Conflict | Invalid) -> Response:
    sentence = refusal.violations[0][1] if isinstance(refusal, Invalid) else refusal.sentence
    notice(sentence, "bad")
    return back()


@staff.get("/members/<int64:member_id>/removal")
@may("members.edit")
def think_of_removing_member(place: Place, member_id: int) -> Response:
    found = members.member_of(place.account.id, member_id)
    return confirm(
        f"Remove {found.name} from {place.account.name}?",
        "From this moment they see and change nothing here any more. What they did stays. "
        "You can invite them again.",
        url_for(".remove_member", member_id=member_id),
        "Remove member",
        "Keep member",
        url_for(".team"),
    )


@staff.post("/members/<int64:member_id>/removal")
@may("members.edit")
def remove_member(place: Place, member_id: int) -> Response:
    try:
        gone: Membership = members.remove(place.account.id, member_id, actor())
    except Conflict as refusal:
        return refused(refusal)
    notice(f"{gone.name} is no longer a member of {place.account.name}.")
    left = gone.user_id == actor().user_id
    return onward(url_for("portal.projects" if left else ".team"))

"""The Team page: members, their roles, and invitations."""

from datetime import UTC, datetime
from typing import NamedTuple

from flask import Response, make_response, render_template, request, url_for
from markupsafe import Markup

from adoption.accounts import invitations, members, reauthentication
from adoption.accounts.authentication import password_resets
from adoption.accounts.display_names import names_of_actors
from adoption.accounts.members import Membership
from adoption.accounts.permissions import OWNER, STAFF
from adoption.accounts.project_access import ProjectAccess
from adoption.accounts.sessions import REMEMBERED
from adoption.errors import Conflict, Invalid, TooMany
from adoption.storage.database import reading
from adoption.translations import gettext, message
from portal import htmx
from portal.confirmation_dialogs import ask_to_confirm
from portal.current_user import actor
from portal.dates import ago, day_of
from portal.flash import notice
from portal.responses import see_other
from portal.sign_in.forms import InviteForm
from portal.staff import may, staff

ROLE_LABELS = {
    STAFF: (message("Staff"), message("Manages animals and applications.")),
    OWNER: (
        message("Owner"),
        message("Also publishes the site, manages domains, API keys and the plan, and invites people."),
    ),
}
ROLE_GIVEN = {
    STAFF: message("%(name)s is now a member of staff."),
    OWNER: message("%(name)s is now an owner."),
}


class OpenInvitation(NamedTuple):
    """An invitation that no one has accepted yet."""

    id: int
    email: str
    role: str
    sent: Markup
    by: str
    until: Markup


@staff.get("/members")
@may("members.see")
def team(access: ProjectAccess) -> Response:
    return render_team_page(access, InviteForm())


def render_team_page(access: ProjectAccess, form: InviteForm, status: int = 200) -> Response:
    now = datetime.now(UTC)
    pending = invitations.pending_invitations(access.account.id, now)
    with reading() as session:
        names = names_of_actors(session, access.account.id, {each.invited_by for each in pending})
    page = render_template(
        "staff/members/index.html",
        form=form,
        members=members.members_of(access.account.id),
        waiting=[
            OpenInvitation(
                each.id,
                each.email,
                gettext(ROLE_LABELS[each.role][0]),
                ago(each.created_at, now),
                names[each.invited_by],
                day_of(each.expires_at, now),
            )
            for each in pending
        ],
        role_labels=ROLE_LABELS,
        last_seen=lambda each: last_seen(each, now),
    )
    return make_response(page, status)


def last_seen(member: Membership, now: datetime) -> str:
    if member.seen is not None:
        return gettext("Last seen %(when)s", when=ago(member.seen, now))
    return (
        gettext("Not signed in yet")
        if now - member.since < REMEMBERED
        else gettext("Not seen for over 3 months")
    )


def back_to_team() -> Response:
    return see_other(url_for(".team"))


@staff.post("/members/invitations")
@may("members.edit")
def invite(access: ProjectAccess) -> Response:
    form = InviteForm(request.form)
    if form.validate():
        email, role = form.cleaned["email"], form.role.data or ""
        try:
            invitations.invite(access, email, role, actor())
        except Invalid as refusal:
            for field, sentence in refusal.violations:
                form.add_error(field, sentence)
        except TooMany as refusal:
            form.add_error("email", refusal.sentence)
        else:
            notice(gettext("Invitation sent to %(email)s. It works for 7 days.", email=email))
            return back_to_team()
    return render_team_page(access, form, 422)


@staff.post("/members/invitations/<int64:invitation_id>/sending")
@may("members.edit")
def invite_again(access: ProjectAccess, invitation_id: int) -> Response:
    try:
        email = invitations.resend_invitation(access, invitation_id, actor())
    except TooMany as refusal:
        notice(refusal.sentence, "bad")
    except Invalid as refusal:
        return show_refused_member(refusal)
    else:
        notice(
            gettext(
                "Invitation sent to %(email)s again. It works for 7 days, and the earlier link no "
                "longer works.",
                email=email,
            )
        )
    return back_to_team()


@staff.get("/members/invitations/<int64:invitation_id>/removal")
@may("members.edit")
def think_of_revoking(access: ProjectAccess, invitation_id: int) -> Response:
    email = invitations.invitation_of(access.account.id, invitation_id).email
    return ask_to_confirm(
        gettext("Cancel the invitation to %(email)s?", email=email),
        gettext("The link in their email stops working. You can invite them again at any time."),
        url_for(".revoke_invitation", invitation_id=invitation_id),
        gettext("Cancel invitation"),
        gettext("Keep invitation"),
        url_for(".team"),
    )


@staff.post("/members/invitations/<int64:invitation_id>/removal")
@may("members.edit")
def revoke_invitation(access: ProjectAccess, invitation_id: int) -> Response:
    email = invitations.cancel_invitation(access.account.id, invitation_id, actor())
    notice(gettext("Invitation to %(email)s cancelled.", email=email))
    return back_to_team()


@staff.get("/members/<int64:member_id>/role")
@may("members.edit")
def think_of_changing_role(access: ProjectAccess, member_id: int) -> Response:
    found = members.member_of(access.account.id, member_id)
    role = OWNER if request.args.get("role") == OWNER else STAFF
    reauthentication.require_proof_for_roles(actor(), found.role, role)
    if role == OWNER:
        title, label = gettext("Make %(name)s an owner?", name=found.name), gettext("Make owner")
        effect = gettext("Owner: %(rights)s", rights=gettext(ROLE_LABELS[role][1]))
    else:
        title, label = gettext("Make %(name)s a member of staff?", name=found.name), gettext("Make staff")
        effect = gettext("They keep their access to animals and applications, and nothing else.")
    email = gettext("We email %(name)s about the change, and you can change it back.", name=found.name)
    return ask_to_confirm(
        title,
        f"{effect} {email}",
        url_for(".change_role", member_id=member_id, role=role),
        label,
        gettext("Keep role"),
        url_for(".team"),
        tone="primary",
    )


@staff.post("/members/<int64:member_id>/role")
@may("members.edit")
def change_role(access: ProjectAccess, member_id: int) -> Response:
    try:
        changed = members.change_role(access.account.id, member_id, request.values.get("role", ""), actor())
    except (Conflict, Invalid) as refusal:
        return show_refused_member(refusal)
    sentence = ROLE_GIVEN[changed.role]
    notice(gettext(sentence, name=changed.name))
    return back_to_team()


def show_refused_member(refusal: Conflict | Invalid) -> Response:
    sentence = refusal.violations[0][1] if isinstance(refusal, Invalid) else refusal.sentence
    notice(sentence, "bad")
    return back_to_team()


@staff.post("/members/<int64:member_id>/password-reset")
@may("members.edit")
def send_reset(access: ProjectAccess, member_id: int) -> Response:
    try:
        member = password_resets.send_reset_to_member(
            access.account.id, access.account.name, member_id, actor()
        )
    except TooMany as refusal:
        notice(refusal.sentence, "bad")
    else:
        notice(gettext("Reset link sent to %(email)s. It works once, for one hour.", email=member.email))
    return back_to_team()


@staff.get("/members/departure")
@may("members.see")
def think_of_leaving(access: ProjectAccess) -> Response:
    name, is_last = access.account.name, members.is_last_owner(access.account.id, actor().user_id or 0)
    if is_last:
        notice(gettext(members.LAST_OWNER_LEAVES), "warn")
        return htmx.client_redirect(url_for(".team")) if htmx.target_id() is not None else back_to_team()
    return ask_to_confirm(
        gettext("Leave %(shelter)s?", shelter=name),
        gettext(
            "You lose access straight away, and we email the owners about it. An owner can invite you again. "
            "Your account and your work stay."
        ),
        url_for(".leave"),
        gettext("Leave"),
        gettext("Stay"),
        url_for(".team"),
    )


@staff.post("/members/departure")
@may("members.see")
def leave(access: ProjectAccess) -> Response:
    try:
        members.leave(access.account.id, actor())
    except Conflict as refusal:
        return show_refused_member(refusal)
    notice(gettext("You have left %(shelter)s.", shelter=access.account.name))
    return see_other(url_for("portal.projects"))


@staff.get("/members/<int64:member_id>/removal")
@may("members.edit")
def think_of_removing_member(access: ProjectAccess, member_id: int) -> Response:
    found = members.member_of(access.account.id, member_id)
    reauthentication.require_proof_for_roles(actor(), found.role)
    return ask_to_confirm(
        gettext("Remove %(name)s from %(shelter)s?", name=found.name, shelter=access.account.name),
        gettext(
            "They lose access straight away, and we email them about it. Their past work stays, and you can "
            "invite them again."
        ),
        url_for(".remove_member", member_id=member_id),
        gettext("Remove member"),
        gettext("Keep member"),
        url_for(".team"),
    )


@staff.post("/members/<int64:member_id>/removal")
@may("members.edit")
def remove_member(access: ProjectAccess, member_id: int) -> Response:
    try:
        gone: Membership = members.remove_member(access.account.id, member_id, actor())
    except Conflict as refusal:
        return show_refused_member(refusal)
    notice(gettext("%(name)s was removed from %(shelter)s.", name=gone.name, shelter=access.account.name))
    is_self = gone.user_id == actor().user_id
    return see_other(url_for("portal.projects" if is_self else ".team"))

"""Accepting an invitation to a shelter."""

from flask import Response, request, url_for

from adoption.accounts import invitations
from adoption.accounts.invitations import Invited
from adoption.errors import Conflict, NotFound
from adoption.request_context import current_request
from adoption.translations import gettext
from portal import current_user, portal_blueprint
from portal.flash import notice
from portal.sign_in.forms import JoinForm
from portal.sign_in.responses import link_expired_page, redirect_onward, render_account_page
from portal.sign_in.sign_in_page import redirect_to_sign_in


@portal_blueprint.route("/invitations/<token>", methods=["GET", "POST"])
def invitation(token: str) -> Response:
    try:
        invited = invitations.read_invitation(token)
        if request.method == "GET":
            return render_invitation(token, invited, JoinForm())
        return accept(token, invited)
    except (NotFound, Conflict) as refusal:
        return link_expired_page(refusal, url_for(".sign_in"), gettext("Sign in"))


def render_invitation(token: str, invited: Invited, form: JoinForm, status: int = 200) -> Response:
    here = url_for(".invitation", token=token)
    return render_account_page(
        "sign_in/invitation.html",
        status,
        invited=invited,
        form=form,
        person=current_user.current_person(),
        here=here,
    )


def accept(token: str, invited: Invited) -> Response:
    who, address = current_user.current_person(), current_request().client_address
    if who is not None:
        if who.email != invited.email:
            return render_invitation(token, invited, JoinForm(), 409)
        invitations.join(token, who.user_id, address)
    elif invited.is_known:
        return redirect_to_sign_in()
    else:
        form = JoinForm(request.form)
        if not form.validate():
            return render_invitation(token, invited, form, 422)
        current_user.start_session(
            invitations.join_as_new(token, form.cleaned["name"], form.cleaned["password"], address),
            stay=False,
        )
    notice(gettext("You have joined %(shelter)s.", shelter=invited.account))
    return redirect_onward(url_for(".projects"))

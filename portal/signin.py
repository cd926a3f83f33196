"""Signing in and out."""

from flask import Response, make_response, redirect, request, url_for

from adoption.accounts import sign_ins
from adoption.errors import TooMany
from portal import access, people
from portal.door import onward, own, page, places, slowed

WRONG = "That email address and password do not go together. Check both, or ask for a new password."


@people.route("/sign-in", methods=["GET", "POST"])
def sign_in() -> Response:
    if request.method == "POST":
        return let_in_or_ask_again()
    if access.person() is not None:
        return make_response(redirect(wanted()))
    return page_of_sign_in()


def wanted() -> str:
    """Where somebody was going when we asked who they are."""
    return access.ours(request.args.get("next", "")) or url_for("portal.projects")


def let_in_or_ask_again() -> Response:
    email, password = request.form.get("email", ""), request.form.get("password", "")
    try:
        user = sign_ins.who_has(email, password, access.address_of_client())
    except TooMany as refusal:
        return slowed(page_of_sign_in(429, refusal.sentence), refusal)
    if user is None:
        return page_of_sign_in(422, WRONG)
    access.let_in(user.id, stay="stay" in request.form)
    return onward(wanted())


def page_of_sign_in(status: int = 200, failure: str = "") -> Response:
    return page(
        "signin/sign_in.html",
        status,
        failure=failure,
        email=request.form.get("email", ""),
        stay="stay" in request.form,
        wanted=access.ours(request.args.get("next", "")),
    )


@people.post("/sign-out")
def sign_out() -> Response:
    access.let_out()
    return onward(url_for(".sign_in"))


@people.get("/projects")
@own
def projects(_who: sign_ins.Person) -> Response:
    """Where somebody lands who has signed in: their one project, or the choice of them."""
    open_to_them = places()
    if len(open_to_them) == 1:
        return onward(url_for("staff.animals", slug=open_to_them[0].project.slug))
    return page("signin/projects.html")

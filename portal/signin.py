"""Signing in and out."""

from flask import Response, make_response, redirect, render_template, request, url_for

from adoption.accounts import sign_ins
from adoption.accounts.access import places_of
from adoption.database import reading
from portal import access, people

WRONG = "That email address and password do not go together. Check both, or ask for a new password."


@people.route("/sign-in", methods=["GET", "POST"])
def sign_in() -> Response:
    onward = access.ours(request.args.get("next", "")) or url_for(".projects")
    if request.method == "POST":
        user = sign_ins.who_has(request.form.get("email", ""), request.form.get("password", ""))
        if user is not None:
            access.let_in(user.id, stay="stay" in request.form)
            return make_response(redirect(onward, 303))
        return page_of_sign_in(422, WRONG)
    if access.person() is not None:
        return make_response(redirect(onward))
    return page_of_sign_in()


def page_of_sign_in(status: int = 200, failure: str = "") -> Response:
    words = {"failure": failure, "email": request.form.get("email", ""), "stay": "stay" in request.form}
    response = make_response(render_template("signin/sign_in.html", **words), status)
    response.headers["Cache-Control"] = "no-store"
    return response


@people.post("/sign-out")
def sign_out() -> Response:
    access.let_out()
    return make_response(redirect(url_for(".sign_in"), 303))


@people.get("/projects")
def projects() -> Response:
    """Where somebody lands who has signed in: their one project, or the choice of them."""
    who = access.person()
    if who is None:
        return access.to_sign_in()
    with reading() as session:
        places = places_of(session, who.user_id)
    if len(places) == 1:
        return make_response(redirect(url_for("staff.animals", slug=places[0].project.slug)))
    response = make_response(render_template("signin/projects.html", places=places, person=who))
    response.headers["Cache-Control"] = "no-store"
    return response


@people.get("/account")
def account() -> Response:
    """What concerns the person alone, whichever shelters they belong to."""
    who = access.person()
    if who is None:
        return access.to_sign_in()
    response = make_response(render_template("signin/account.html", person=who))
    response.headers["Cache-Control"] = "no-store"
    return response

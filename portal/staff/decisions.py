"""What staff decide about an application. Each form says which state its sender had seen."""

from collections.abc import Callable
from typing import Any

from flask import Response, make_response, render_template, request, url_for
from wtforms import BooleanField, TextAreaField

from adoption.accounts.access import Place
from adoption.errors import Conflict, NotFound
from adoption.orders import deciding, fields, files, holding, letters
from adoption.orders.cases import Ref, ref_of
from adoption.orders.deciding import Decided, Desk
from adoption.orders.files import File
from adoption.words import listed
from portal.answers import onward
from portal.forms import Checked
from portal.notices import notice
from portal.staff import may, staff
from portal.staff.application_words import who
from portal.staff.applications import case_page, desk_of
from portal.staff.confirmations import confirm

Decide = Callable[[Desk, Ref, str], Decided]


class RefusalForm(Checked):
    """The mail to somebody who is declined, or that there is none."""

    tell = BooleanField()
    words = TextAreaField()

    def validate_words(self, field: Any) -> None:
        if self.tell.data:
            self.check(field, fields.mail)


@staff.post("/applications/<ref>/approval")
@may("applications.decide")
def approve_application(place: Place, ref: str) -> Response:
    def said(names: str, told: int, plural: bool) -> str:
        mail = " The applicant is told by mail." if told else ""
        return f"Approved. {names} {'are' if plural else 'is'} now Adoption pending.{mail}"

    return decided(place, ref, deciding.approve, said)


@staff.route("/applications/<ref>/approval/removal", methods=["GET", "POST"])
@may("applications.decide")
def take_approval_back(place: Place, ref: str) -> Response:
    if request.method == "POST":
        return decided(
            place,
            ref,
            deciding.take_back,
            lambda *_: "The approval is taken back. The application waits again.",
        )
    file = file_of(place, ref)
    return question(
        ref,
        f"Take back the approval of {named(file)}?",
        f"{names_of(file)} can be adopted by others again, unless somebody else is approved as well. "
        "We write to nobody, so tell the applicant yourself.",
        url_for(".take_approval_back", ref=ref, seen=seen()),
        "Take approval back",
        "Keep approval",
    )


@staff.route("/applications/<ref>/completion", methods=["GET", "POST"])
@may("applications.decide")
def complete_adoption(place: Place, ref: str) -> Response:
    if request.method == "POST":
        return decided(place, ref, deciding.complete, completed)
    file = file_of(place, ref)
    one = len(file.case.names) == 1
    others = len(file.rivals)
    told = {0: "", 1: " The one other applicant is told that a home was found."}.get(
        others, f" The {others} other applicants are told that a home was found."
    )
    return question(
        ref,
        f"Complete the adoption of {names_of(file)} by {named(file)}?",
        f"{names_of(file)} {'becomes' if one else 'become'} Adopted, and we congratulate by mail.{told} "
        "The mails cannot be taken back; should an animal return, you can note that later.",
        url_for(".complete_adoption", ref=ref, seen=seen()),
        "Complete adoption",
        "Not yet",
        "primary",
    )


def completed(names: str, told: int, plural: bool) -> str:
    people = (
        ""
        if not told
        else " One person is told by mail."
        if told == 1
        else f" {told} people are told by mail."
    )
    return f"{names} {'have' if plural else 'has'} found a home.{people}"


@staff.route("/applications/<ref>/return", methods=["GET", "POST"])
@may("applications.decide")
def take_animal_in(place: Place, ref: str) -> Response:
    if request.method == "POST":
        return decided(place, ref, deciding.take_in, taken_in)
    file = file_of(place, ref)
    return question(
        ref,
        f"{'Has' if len(file.case.names) == 1 else 'Have'} {names_of(file)} come back?",
        "Adopters see that they can apply again. Those who had applied before are not asked anew, and we "
        "write to nobody. This cannot be undone.",
        url_for(".take_animal_in", ref=ref, seen=seen()),
        "Note the return",
        "Leave it as it is",
        "primary",
    )


def taken_in(names: str, _told: int, plural: bool) -> str:
    return f"{names} {'are' if plural else 'is'} back, and can be adopted again."


@staff.route("/applications/<ref>/refusal", methods=["GET", "POST"])
@may("applications.decide")
def decline_application(place: Place, ref: str) -> Response:
    file = file_of(place, ref)
    if request.method != "POST":
        form = RefusalForm(tell=True, words=offered(file, desk_of(place)))
        return refusal_page(file, ref, form)
    form = RefusalForm(request.form)
    if not form.validate():
        return refusal_page(file, ref, form, 422)
    words = form.cleaned.get("words", "")

    def declining(desk: Desk, found: Ref, state: str) -> Decided:
        return deciding.decline(desk, found, state, words)

    return decided(
        place,
        ref,
        declining,
        lambda _names, told, _plural: (
            f"Declined. {'Your mail is on its way.' if told else 'No mail was sent.'}"
        ),
    )


def offered(file: File, desk: Desk) -> str:
    return letters.refusal(file.case.names, file.shelter.name, desk.roots.shelter)


def refusal_page(file: File, ref: str, form: RefusalForm, status: int = 200) -> Response:
    words = {
        "ref": ref,
        "form": form,
        "who": named(file),
        "animals": names_of(file),
        "application": file.case.application,
        "state": request.args.get("seen") or file.case.state,
    }
    return make_response(render_template("staff/applications/decline.html", **words), status)


@staff.post("/applications/<ref>/release")
@may("applications.decide")
def release_application(place: Place, ref: str) -> Response:
    try:
        holding.release(desk_of(place), held_id(ref))
    except (Conflict, NotFound) as refusal:
        return case_page(place, ref, refusal=refusal.sentence, status=409)
    notice("Let through. It waits to be reviewed, and the applicant has the usual mail.")
    return onward(url_for(".application", ref=ref))


@staff.route("/applications/<ref>/deletion", methods=["GET", "POST"])
@may("applications.decide")
def discard_application(place: Place, ref: str) -> Response:
    if request.method == "POST":
        try:
            holding.discard(desk_of(place), held_id(ref))
        except Conflict as refusal:
            return case_page(place, ref, refusal=refusal.sentence, status=409)
        notice("Deleted as spam.")
        return onward(url_for(".applications", box="held"))
    file = file_of(place, ref)
    return question(
        ref,
        f"Delete the application of {named(file)} as spam?",
        "It is deleted with everything in it, and nobody is told. This cannot be undone.",
        url_for(".discard_application", ref=ref),
        "Delete application",
        "Keep it",
    )


def held_id(ref: str) -> int:
    found = ref_of(ref).application_id
    if found is None:
        raise NotFound("There is no such application.")
    return found


def decided(place: Place, ref: str, decide: Decide, said: Callable[[str, int, bool], str]) -> Response:
    """Decide, then show the application with a sentence about it; with the reason where that is refused."""
    try:
        done = decide(desk_of(place), ref_of(ref), seen())
    except Conflict as refusal:
        return case_page(place, ref, refusal=refusal.sentence, status=409)
    notice(said(listed(done.names), done.told, len(done.names) > 1))
    return onward(url_for(".application", ref=ref))


def seen() -> str:
    return request.args.get("seen", "")


def file_of(place: Place, ref: str) -> File:
    return files.file_of(place.project.id, ref_of(ref))


def names_of(file: File) -> str:
    return listed(file.case.names)


def named(file: File) -> str:
    application = file.case.application
    return who(application) if application and not application.forgotten_at else "this applicant"


def question(
    ref: str, title: str, text: str, action: str, label: str, keep: str, tone: str = "danger"
) -> Response:
    return confirm(title, text, action, label, keep, url_for(".application", ref=ref), tone=tone)

"""The staff's inbox of applications, and the page of one with its notes."""

from datetime import UTC, datetime
from typing import Any

from flask import Response, g, make_response, render_template, request, url_for
from wtforms import Form, TextAreaField

from adoption.accounts.access import Place
from adoption.accounts.links import whole
from adoption.errors import Conflict, Invalid
from adoption.orders import files, inbox
from adoption.orders.cases import ref_of
from adoption.orders.deciding import Desk, Roots
from adoption.orders.files import File
from adoption.orders.inbox import Sought
from adoption.words import listed
from portal import fragments
from portal.access import actor
from portal.animals import dialled
from portal.answers import onward
from portal.instants import moment
from portal.notices import notice
from portal.numbers import id_in
from portal.staff import may, staff
from portal.staff.application_words import (
    BOXES,
    EMPTY,
    MARKS,
    answers_of,
    history_told,
    promised,
    row_of,
    thumb_of,
    who,
)
from portal.words import STATUSES, counted

WORDS_LONGEST = 100
TABS = ("waiting", "approved", "held", "decided", "all")


class NoteForm(Form):  # type: ignore[misc]  # the library bears no types
    note = TextAreaField()


@staff.context_processor
def waiting() -> dict[str, Any]:
    """What the navigation counts; asked for where there is one."""
    place: Place | None = g.get("place")
    return {"to_review": lambda: inbox.waiting(place.project.id) if place else 0}


@staff.get("/applications")
@may("applications.see")
def applications(place: Place) -> Response:
    sought, now = sought_now(), datetime.now(UTC)
    found = inbox.page_of(place.project.id, sought)
    rows = [row_of(entry, now) for entry in found.entries]
    words = {
        "rows": rows,
        "sought": sought,
        "asked": asked(sought),
        "tabs": tabs(place, sought),
        "animals": inbox.animals_asked_for(place.project.id, sought.animal_id),
        "empty": EMPTY[sought.box],
        "narrowed": bool(sought.words or sought.animal_id),
        "next": url_for(".applications", **asked(sought), after=found.next) if found.next else None,
        "first": url_for(".applications", **asked(sought)) if sought.after else None,
    }
    if fragments.asked_for() == "inbox":
        beyond = " and more" if found.next else ""
        said = f"{counted(len(rows), 'application')}{beyond}"
        text = render_template("staff/applications/_inbox.html", **words)
        return fragments.announced(text, said, url_for(".applications", **asked(sought), after=sought.after))
    return make_response(render_template("staff/applications/index.html", **words))


def sought_now() -> Sought:
    box = request.args.get("box", "waiting")
    return Sought(
        box if box in inbox.BOXES else "waiting",
        id_in(request.args.get("animal", "")),
        " ".join(request.args.get("q", "").replace("\0", " ").split())[:WORDS_LONGEST],
        request.args.get("order") == "oldest",
        id_in(request.args.get("after", "")),
    )


def asked(sought: Sought, **changes: Any) -> dict[str, Any]:
    """What is sought, as an address asks for it; what goes without saying is left out."""
    changed = sought._replace(**changes)
    words = {
        "box": changed.box if changed.box != "waiting" else None,
        "animal": changed.animal_id,
        "q": changed.words,
        "order": "oldest" if changed.oldest_first else None,
    }
    return {name: value for name, value in words.items() if value}


def tabs(place: Place, sought: Sought) -> list[dict[str, Any]]:
    counts = inbox.counts(place.project.id)
    return [
        {
            "label": BOXES[box][0],
            "icon": BOXES[box][1],
            "count": capped(counts.get(box, 0)),
            "address": url_for(".applications", **asked(sought, box=box)),
            "current": box == sought.box,
        }
        for box in TABS
    ]


@staff.app_template_filter("capped")
def capped(count: int) -> str:
    """As many as were counted, with a plus where there are more; empty for none."""
    return f"{count - 1}+" if count >= inbox.COUNTED_MOST else str(count) if count else ""


@staff.get("/applications/<ref>")
@may("applications.see")
def application(place: Place, ref: str) -> Response:
    return case_page(place, ref)


@staff.post("/applications/<ref>/notes")
@may("applications.decide")
def add_note(place: Place, ref: str) -> Response:
    form = NoteForm(request.form)
    try:
        files.add_note(desk_of(place), ref_of(ref), form.note.data or "")
    except Invalid as refusal:
        form.note.errors = [reason for _, reason in refusal.violations]
        return case_page(place, ref, form, status=422)
    except Conflict as refusal:
        return case_page(place, ref, form, refusal.sentence, 409)
    notice("Your note was added.")
    return onward(case_address(ref, _anchor="notes"))


def case_page(
    place: Place, ref: str, form: NoteForm | None = None, refusal: str = "", status: int = 200
) -> Response:
    """The page of one application; ``refusal`` says why nothing was changed."""
    file = files.file_of(place.account.id, place.project.id, ref_of(ref))
    page = render_template(
        "staff/applications/show.html", **described(file, ref), form=form or NoteForm(), refusal=refusal
    )
    return make_response(page, status)


def described(file: File, ref: str) -> dict[str, Any]:
    case, now = file.case, datetime.now(UTC)
    application = case.application
    kept = application is not None and not application.forgotten_at
    return {
        "ref": ref,
        "kept_filters": asked(sought_now()),
        "state": case.state,
        "mark": MARKS[case.state],
        "application": application,
        "kept": kept,
        "who": who(application),
        "animals": listed(case.names),
        "one": len(case.names) == 1,
        "pets": [thumb_of(pet) for pet in file.pets],
        "answers": answers_of(application) if application and kept else [],
        "dialled": dialled(application.phone) if application else "",
        "sent": moment((application or case.orders[0]).created_at, now),
        "history": history_told(file.history, file.names, now),
        "notes": [(note, file.names[note.author], moment(note.created_at, now)) for note in file.notes],
        "promises": [promised(each) for each in file.promises],
        "rivals": [row_of(entry, now)._replace(others=0) for entry in file.rivals],
        "statuses": STATUSES,
        "same_address": [row_of(entry, now) for entry in file.same_address],
    }


def case_address(ref: str, endpoint: str | None = None, **words: Any) -> str:
    """Return the address of an application's page, or of another page about it, with the list's filters."""
    return url_for(endpoint or ".application", ref=ref, **asked(sought_now()), **words)


def desk_of(place: Place) -> Desk:
    shelter = url_for("portal.catalogue", shelter=place.project.slug)
    roots = Roots(whole("animals/"), whole("applications/"), whole(shelter.removeprefix("/")))
    return Desk(place.account.id, place.project.id, actor(), roots)

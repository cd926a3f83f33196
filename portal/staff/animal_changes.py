"""Changes in the list of animals: one animal in its row, or several at once, each with its undo."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from functools import wraps
from typing import Any
from urllib.parse import parse_qsl

from flask import Response, make_response, render_template, request, url_for
from werkzeug.datastructures import MultiDict

from adoption.accounts.access import Place
from adoption.animals import bulk, bulk_undo
from adoption.animals.bulk import Done
from adoption.animals.bulk_undo import Undone
from adoption.animals.editors import Editor
from adoption.animals.fields import STATUSES
from adoption.animals.staff_list import Row, ids_of, still_there, tally_of
from adoption.database import reading
from adoption.errors import Conflict, NotFound
from adoption.orders.homing import mark_adopted
from adoption.words import listed
from portal import fragments, words
from portal.access import actor
from portal.answers import onward
from portal.notices import notice
from portal.numbers import id_in
from portal.staff import View, may, staff
from portal.staff.adoption_questions import question_for, told_in_words
from portal.staff.animals import Asked, care_in_words, line_of, row_of
from portal.staff.applications import desk_of
from portal.staff.confirmations import confirm

NAMES_MOST = 3
"""Names in a sentence; more animals are counted."""

BUTTONS = {
    "list": ("listed", "yes"),
    "hide": ("listed", "no"),
    "hold": ("on_hold", "yes"),
    "unhold": ("on_hold", "no"),
    "unquarantine": ("in_quarantine", "no"),
    "restore": ("removed", "no"),
}
"""The change and its value, by the button. A removal is confirmed first."""
SAID = {
    ("status", "available"): "{} now Available",
    ("status", "pending"): "{} now Adoption pending",
    ("status", "sold"): "{} now Adopted",
    ("listed", "yes"): "{} now visible to visitors",
    ("listed", "no"): "{} now hidden from visitors",
    ("on_hold", "yes"): "{} now on hold and hidden from visitors",
    ("on_hold", "no"): "{} no longer on hold",
    ("in_quarantine", "no"): "{} no longer in quarantine",
    ("removed", "yes"): "removed",
    ("removed", "no"): "restored",
}
"""What happened, after the names and "is" or "are"."""
ADOPTED = ("status", "sold")
HOLD_WORDS = {"on_hold": "on hold", "in_quarantine": "in quarantine"}


def back_on_conflict(view: View) -> View:
    """Show a refused change as a notice on the list."""

    @wraps(view)
    def guarded(*given: Any, **rest: Any) -> Any:
        try:
            return view(*given, **rest)
        except Conflict as refusal:
            notice(refusal.sentence, "warn")
            return back_to_list()

    return guarded


def editor(place: Place) -> Editor:
    return Editor(actor(), place.account.id, place.project.id)


@staff.post("/animals/<int64:animal_id>/changes")
@may("animals.edit")
def change_animal(place: Place, animal_id: int) -> Response:
    """Change one animal from its row: the status in its select, or a button of its menu."""
    row_of(place, animal_id)
    wanted = wanted_change(request.form.get(f"status-{animal_id}", ""))
    if wanted == ADOPTED and question_for(place, [animal_id]):
        return ask_about_applicants(place, [animal_id], {"id": animal_id})
    done = bulk.change_animals(editor(place), [animal_id], *wanted) if wanted else Done(None, [])
    if fragments.asked_for() is None:
        say_what_changed(done, wanted)
        return back_to_list()
    return changed_row(place, row_of(place, animal_id), done)


@staff.post("/animals/changes")
@may("animals.edit")
@back_on_conflict
def change_animals(place: Place) -> Response:
    """Change the selected animals. Removals, adoptions and details have a page of their own first."""
    ids, what = selection(place), request.form.get("do")
    if what in ("remove", "details") and ids:
        page = ".remove_animals" if what == "remove" else ".change_details"
        return onward(url_for(page, **chosen(), back=state().address()))
    wanted = wanted_change(request.form.get("status", ""))
    if wanted is None or not ids:
        left = "Choose a new status before you apply it" if ids else "Tick the animals first"
        notice(f"Nothing was changed. {left}.", "warn")
        return back_to_list()
    if wanted == ADOPTED and question_for(place, ids):
        return onward(url_for(".adopt_animals", **chosen(), back=state().address()))
    say_what_changed(bulk.change_animals(editor(place), ids, *wanted), wanted)
    return back_to_list()


@staff.route("/animals/adoption", methods=["GET", "POST"])
@may("animals.edit")
@back_on_conflict
def adopt_animals(place: Place) -> Response:
    """Mark animals as adopted that people have applied for, with or without an email to those people."""
    ids = found_selection(place)
    question, tell = question_for(place, ids), request.form.get("tell")
    if request.method == "POST" and (tell in ("yes", "no") or question is None):
        done = mark_adopted(desk_of(place), editor(place), ids, tell == "yes")
        after = told_in_words(done, question.waiting) if question and tell == "yes" else ""
        say_what_changed(done.done, ADOPTED, after)
        return back_to_list()
    return ask_about_applicants(place, ids, chosen())


def ask_about_applicants(place: Place, ids: Collection[int], args: Mapping[str, Any]) -> Response:
    question = question_for(place, ids)
    if question is None:  # nobody has applied, or the applications were closed since
        return onward(url_for(".animals") + state().address())
    shown = {
        "question": question,
        "action": url_for(".adopt_animals", **args, back=state().address()),
        "back": url_for(".animals") + state().address(),
    }
    if fragments.asked_for() is None:
        return make_response(render_template("staff/animals/adoption.html", **shown))
    return fragments.in_dialog(render_template("staff/animals/_adoption_dialog.html", **shown))


@staff.route("/animals/removal", methods=["GET", "POST"])
@may("animals.edit")
@back_on_conflict
def remove_animals(place: Place) -> Response:
    ids = found_selection(place)
    if request.method == "POST":
        say_what_changed(bulk.change_animals(editor(place), ids, "removed", "yes"), ("removed", "yes"))
        return back_to_list()
    names = names_of(place, ids)
    who, one = who_are(names), len(names) == 1
    text = (
        f"Visitors and the API no longer find {'it' if one else 'them'}, and a link to "
        f"{'its page' if one else 'their pages'} says that {'it is' if one else 'they are'} gone. "
        "Nothing is deleted: you can restore removed animals at any time."
    )
    action = url_for(".remove_animals", **chosen(), back=state().address())
    label, keep = (f"Remove {who}", f"Keep {who}")
    return confirm(f"Remove {who}?", text, action, label, keep, url_for(".animals") + state().address())


@staff.post("/animals/changes/<int64:change_id>/reversal")
@may("animals.edit")
def take_back(place: Place, change_id: int) -> Response:
    try:
        undone = bulk_undo.undo(editor(place), change_id)
    except Conflict as refusal:
        sentence, tone = refusal.sentence, "warn"
    else:
        sentence, tone = undone_in_words(undone), "warn" if undone.kept else "good"
    row = id_in(request.form.get("row", ""))
    if row and fragments.asked_for() is not None:
        return changed_row(place, row_of(place, row), said=sentence)
    notice(sentence, tone)
    return back_to_list()


def undone_in_words(undone: Undone) -> str:
    since = f" {words.counted(undone.kept, 'animal')} changed again since, and left unchanged."
    sentence = f"Undone. {words.counted(undone.restored, 'animal')} changed back."
    return sentence + (since if undone.kept else "")


def wanted_change(status: str) -> tuple[str, str] | None:
    """The change that a button asks for and its value; None for nothing that there is."""
    what = request.form.get("do", "")
    if what == "status":
        return ("status", status) if status in STATUSES else None
    return BUTTONS.get(what)


def ids_in(given: MultiDict[str, str]) -> list[int]:
    return sorted(set(filter(None, map(id_in, given.getlist("id")))))


def selection(place: Place) -> list[int]:
    """The selected animals: the ticked ones, or all that match the filters.

    Raises Conflict where another number matches now than the page said.
    """
    number = request.values.get("all", "")
    if not number:
        return ids_in(request.values)
    with reading() as session:
        ids = ids_of(session, place.project.id, state().sought)
    if str(len(ids)) != number:
        raise Conflict(
            f"Nothing was changed: {words.counted(len(ids), 'animal')} match these filters now, and your "
            f"page said {number}. Select them again."
        )
    return ids


def found_selection(place: Place) -> list[int]:
    """The selected animals that are there and not removed. Raises NotFound where there are none."""
    ids = selection(place)
    with reading() as session:
        there = still_there(session, place.project.id, ids)
    if not there:
        raise NotFound("There is no such animal in this project.")
    return sorted(there)


def names_of(place: Place, ids: Collection[int]) -> list[str]:
    with reading() as session:
        there = still_there(session, place.project.id, ids)
    return list(there.values())


def chosen() -> dict[str, Any]:
    """The selection, for an address."""
    number = request.values.get("all", "")
    return {"all": number} if number else {"id": ids_in(request.values)}


def state() -> Asked:
    """How the list was seen that this came from."""
    back = request.values.get("back", "")
    return Asked.from_address(MultiDict(parse_qsl(back.removeprefix("?"))))


def back_to_list() -> Response:
    return onward(url_for(".animals") + state().address())


def say_what_changed(done: Done, wanted: tuple[str, str] | None, after: str = "") -> None:
    """Say on the next page what was changed, with its undo."""
    hidden = stays_hidden(done.kept_hidden)
    if wanted is None or done.change_id is None:
        notice(f"Nothing was changed. {hidden}".strip(), "warn")
        return
    text = " ".join(filter(None, [f"{sentence(done, wanted)}.", hidden, after]))
    notice(text, "warn" if hidden else "good", url_for(".take_back", change_id=done.change_id))


def sentence(done: Done, wanted: tuple[str, str]) -> str:
    names = [name for _, name in done.animals]
    return f"{who_are(names)} {SAID[wanted].format('is' if len(names) == 1 else 'are')}"


def stays_hidden(kept: Sequence[tuple[str, list[str]]]) -> str:
    """How many animals stay hidden, and why, such as "2 are in quarantine and stay hidden."."""
    by_reason = Counter(listed([HOLD_WORDS[each] for each in holds]) for _, holds in kept)
    verbs = {True: ("is", "stays"), False: ("are", "stay")}
    sentences = [
        f"{number:,} {verbs[number == 1][0]} {reason} and {verbs[number == 1][1]} hidden."
        for reason, number in by_reason.items()
    ]
    lift = " End each hold in the menu of its row or on its page." if kept else ""
    return " ".join(sentences) + lift


def who_are(names: list[str]) -> str:
    return listed(names) if len(names) <= NAMES_MOST else f"{len(names):,} animals"


def changed_row(place: Place, row: Row, done: Done | None = None, said: str = "") -> Response:
    """The row as it is now, with what was done and its undo, and the totals above the table."""
    with reading() as session:
        care = care_in_words(tally_of(session, place.project.id))
    said = said or f"{row.name} {SAID['status', row.status].format('is')}"
    text = render_template(
        "staff/animals/_changed.html",
        line=line_of(row, datetime.now(UTC)),
        asked=state(),
        care=care,
        statuses=words.STATUSES,
        changed=said,
        undo=url_for(".take_back", change_id=done.change_id) if done and done.change_id else "",
    )
    return fragments.announced(text, said)

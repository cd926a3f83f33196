"""Changes in the list of animals: one animal in its row, or several at once, each with its undo."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from urllib.parse import parse_qsl

from flask import Response, render_template, request, url_for
from werkzeug.datastructures import MultiDict

from adoption.accounts.access import Place
from adoption.animals import bulk, bulk_undo
from adoption.animals.bulk import Done
from adoption.animals.editors import Editor
from adoption.animals.fields import STATUSES
from adoption.animals.staff_list import Row, rows_of, tally_of
from adoption.database import reading
from adoption.errors import Conflict, NotFound
from adoption.words import listed
from portal import fragments, words
from portal.access import actor
from portal.answers import onward
from portal.notices import notice
from portal.numbers import id_in
from portal.staff import may, staff
from portal.staff.animals import Asked, care_in_words, line_of, row_of
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
HOLD_WORDS = {"on_hold": "on hold", "in_quarantine": "in quarantine"}


def editor(place: Place) -> Editor:
    return Editor(actor(), place.account.id, place.project.id)


@staff.post("/animals/<int64:animal_id>/changes")
@may("animals.edit")
def change_animal(place: Place, animal_id: int) -> Response:
    """One animal, in its row: its status as its select has it, or what a button in its menu says."""
    row_of(place, animal_id)
    wanted = wanted_change(request.form.get(f"status-{animal_id}", ""))
    done = bulk.change_animals(editor(place), [animal_id], *wanted) if wanted else Done(None, [])
    if fragments.asked_for() is None:
        told(done, wanted)
        return back_to_list()
    return changed_row(place, row_of(place, animal_id))


@staff.post("/animals/changes")
@may("animals.edit")
def change_animals(place: Place) -> Response:
    """Those that are ticked. A removal is asked about first."""
    ids = ids_in(request.form)
    if request.form.get("do") == "remove" and ids:
        return onward(url_for(".remove_animals", id=ids, back=state().address()))
    wanted = wanted_change(request.form.get("status", ""))
    if wanted is None or not ids:
        left = "Choose a new status before you apply it" if ids else "Tick the animals first"
        notice(f"Nothing was changed. {left}.", "warn")
        return back_to_list()
    told(bulk.change_animals(editor(place), ids, *wanted), wanted)
    return back_to_list()


@staff.route("/animals/removal", methods=["GET", "POST"])
@may("animals.edit")
def remove_animals(place: Place) -> Response:
    ids = ids_in(request.args)
    with reading() as session:
        names = [row.name for row in rows_of(session, place.project.id, ids) if row.removed_at is None]
    if not names:
        raise NotFound("There is no such animal in this project.")
    if request.method == "POST":
        told(bulk.change_animals(editor(place), ids, "removed", "yes"), ("removed", "yes"))
        return back_to_list()
    who, one = who_are(names), len(names) == 1
    text = (
        f"Visitors and the API no longer find {'it' if one else 'them'}, and a link to "
        f"{'its page' if one else 'their pages'} says that {'it is' if one else 'they are'} gone. "
        "Nothing is deleted: you can restore what was removed at any time."
    )
    action = url_for(".remove_animals", id=ids, back=state().address())
    label, keep = (f"Remove {who}", f"Keep {who}")
    return confirm(f"Remove {who}?", text, action, label, keep, url_for(".animals") + state().address())


@staff.post("/animals/changes/<int64:change_id>/reversal")
@may("animals.edit")
def take_back(place: Place, change_id: int) -> Response:
    try:
        undone = bulk_undo.undo(editor(place), change_id)
    except Conflict as refusal:
        notice(refusal.sentence, "warn")
        return back_to_list()
    since = f" {words.counted(undone.kept, 'animal')} changed again since, and left unchanged."
    sentence = f"Undone. {words.counted(undone.restored, 'animal')} changed back."
    notice(sentence + (since if undone.kept else ""), "warn" if undone.kept else "good")
    return back_to_list()


def wanted_change(status: str) -> tuple[str, str] | None:
    """The change that a button asks for and its value; None for nothing that there is."""
    what = request.form.get("do", "")
    if what == "status":
        return ("status", status) if status in STATUSES else None
    return BUTTONS.get(what)


def ids_in(given: MultiDict[str, str]) -> list[int]:
    return sorted(set(filter(None, map(id_in, given.getlist("id")))))


def state() -> Asked:
    """How the list was seen that this came from."""
    back = request.values.get("back", "")
    return Asked.from_address(MultiDict(parse_qsl(back.removeprefix("?"))))


def back_to_list() -> Response:
    return onward(url_for(".animals") + state().address())


def told(done: Done, wanted: tuple[str, str] | None) -> None:
    """Say on the next page what was changed, with its undo."""
    hidden = stays_hidden(done.kept_hidden)
    if wanted is None or done.change_id is None:
        notice(f"Nothing was changed. {hidden}".strip(), "warn")
        return
    tone = "warn" if hidden else "good"
    notice(
        f"{sentence(done, wanted)}. {hidden}".strip(), tone, url_for(".take_back", change_id=done.change_id)
    )


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


def changed_row(place: Place, row: Row) -> Response:
    """The row as it is now, and what is told of all animals above the table."""
    with reading() as session:
        care = care_in_words(tally_of(session, place.project.id))
    line = line_of(row, datetime.now(UTC))
    text = render_template(
        "staff/animals/_changed.html", line=line, asked=state(), care=care, statuses=words.STATUSES
    )
    return fragments.announced(text, f"{row.name} {SAID['status', row.status].format('is')}")

"""The staff's list of animals: a table with filters, sorting and pages."""

from datetime import UTC, date, datetime
from typing import Any, NamedTuple

from flask import Response, make_response, render_template, request, url_for

from adoption.accounts.project_access import ProjectAccess
from adoption.animals.bulk_changes import AT_ONCE
from adoption.animals.page_paths import animal_path
from adoption.animals.staff_list import (
    AnimalCounts,
    StaffListRow,
    count_by_status,
    count_found,
    find_matching_ids,
    find_only_hit,
    find_rows,
    has_removed_animals,
    page_of_rows,
    selection_fingerprint,
)
from adoption.errors import NotFound
from adoption.storage.database import reading
from adoption.translations import gettext, message, ngettext
from portal import animal_labels, htmx
from portal.animals.photos import small_file_of
from portal.dates import local, recent, short_day
from portal.responses import see_other
from portal.staff import may, staff
from portal.staff.animals.filters import AnimalListFilters

ROWS_SHOWN = 50
COLUMNS = {
    "name": message("Name"),
    "species": message("Species"),
    "status": message("Status"),
    "age": message("Age"),
    "arrival": message("Intake"),
    "waiting": message("Waiting"),
    "updated": message("Updated"),
}
"""The labels of the columns. The key is the order in ``ORDERS`` that sorts the column."""


class AnimalRow(NamedTuple):
    """An animal's row in the table."""

    id: int
    name: str
    species: str
    breed: str
    """The animal's breed. Empty if only the species is known."""
    status: str
    age: str
    arrival: str
    waiting: str
    """The number of days since intake, in words. Empty for adopted and removed animals, and if the date of
    intake is unknown."""
    updated: Any
    photo: str
    """The address of a small photo. If the animal has no photo, the address of its species' placeholder."""
    public: str
    """The address of the animal's public page. Empty if visitors do not see the animal."""
    note: str
    """The reason why visitors do not see the animal. Empty if visitors see it."""
    removed: bool
    listed: bool
    holds: tuple[str, ...]
    """The values ``on_hold`` and ``in_quarantine``, as far as they apply to the animal."""


def line_of(row: StaffListRow, now: datetime) -> AnimalRow:
    today = local(now).date()
    species = animal_labels.SPECIES_BY_ID[row.category_id]
    kind, breed = species.one.capitalize(), animal_labels.breed_in_words(row)
    return AnimalRow(
        row.id,
        row.name,
        kind,
        breed if breed != kind else "",
        row.status,
        animal_labels.age_in_words(row.birth_date, row.birth_date_estimated, today, row.age_group),
        short_day(row.arrival_date, today) if row.arrival_date else "",
        row_waiting_time(row, today),
        recent(row.updated_at, now),
        row_picture(row.digest, row.photo_width) or url_for("static", filename=species.placeholder),
        animal_path(row.id, row.name) if row.listed and row.published else "",
        row_note(row),
        row.removed_at is not None,
        row.listed,
        tuple(each for each in ("on_hold", "in_quarantine") if getattr(row, each)),
    )


def row_waiting_time(row: StaffListRow, today: date) -> str:
    arrival = row.arrival_date
    if arrival is None or arrival > today or row.status == "sold" or row.removed_at is not None:
        return ""
    days = (today - arrival).days
    return ngettext("%(num)s day", "%(num)s days", days)


def row_note(row: StaffListRow) -> str:
    if row.removed_at is not None or row.listed:
        return ""
    if row.on_hold and row.in_quarantine:
        return gettext("On hold and in quarantine")
    if row.in_quarantine:
        return gettext("In quarantine")
    return gettext("On hold") if row.on_hold else gettext("Not shown to visitors")


def row_picture(digest: str | None, width: int | None) -> str:
    if digest is None:
        return ""
    return url_for("staff.photo_file", name=small_file_of(digest, width))


def care_in_words(tally: AnimalCounts) -> str:
    """Return the numbers of animals with each status as a sentence.

    For example "50 in your care: 41 available, 9 pending, 8 adopted".
    """
    numbers = {
        "number": f"{tally.available + tally.pending:,}",
        "available": f"{tally.available:,}",
        "pending": f"{tally.pending:,}",
        "adopted": f"{tally.sold:,}",
    }
    if not tally.hidden:
        return gettext(
            "%(number)s in your care: %(available)s available, %(pending)s pending, %(adopted)s adopted",
            **numbers,
        )
    return gettext(
        "%(number)s in your care: %(available)s available, %(pending)s pending, %(adopted)s adopted; "
        "%(hidden)s of them hidden from visitors",
        hidden=f"{tally.hidden:,}",
        **numbers,
    )


@staff.get("/animals")
@may("animals.see")
def animals(access: ProjectAccess) -> Response:
    asked = AnimalListFilters.from_address(request.args)
    if "open" in request.args:
        with reading() as session:
            found = find_only_hit(session, access.project.id, asked.sought)
        here = asked.address()
        return see_other(url_for(".edit_animal", animal_id=found) if found else url_for(".animals") + here)
    shown = list_values(access, asked)
    if htmx.target_id() == "animals-form":
        # The last page has no "Next" link, so the focus moves to the line with the numbers.
        turned = htmx.trigger_id().startswith("page-")
        text = render_template("staff/animals/_list.html", **shown, turned=turned)
        return htmx.announced_fragment(
            text, shown["place"] if turned else shown["summary"], url_for(".animals") + asked.address()
        )
    return make_response(render_template("staff/animals/index.html", **shown))


def place_in_words(first: int, last: int, number: int) -> str:
    """Return which animals the page shows, such as "51 to 88 of 88 animals".

    ``number`` is the number of animals on all pages.
    """
    return ngettext(
        "%(first)s to %(last)s of %(num)s animal",
        "%(first)s to %(last)s of %(num)s animals",
        number,
        first=f"{first:,}",
        last=f"{last:,}",
    )


def list_values(
    access: ProjectAccess, asked: AnimalListFilters, now: datetime | None = None
) -> dict[str, Any]:
    """Return the template values of the page and its table."""
    now = now or datetime.now(UTC)
    with reading() as session:
        tally = count_by_status(session, access.project.id)
        everyone = tally.available + tally.pending + tally.sold
        number = count_found(session, access.project.id, asked.sought) if asked.narrowed else everyone
        last = max(1, -(-number // ROWS_SHOWN))
        asked = asked._replace(page=min(asked.page, last))
        order, skip = asked.sort.removeprefix("-"), (asked.page - 1) * ROWS_SHOWN
        backwards = asked.sort.startswith("-")
        rows = page_of_rows(session, access.project.id, asked.sought, order, backwards, skip, ROWS_SHOWN)
        has_removed = not rows and has_removed_animals(session, access.project.id)
        matching: list[int] = []
        if access.may("animals.edit") and len(rows) < number <= AT_ONCE:
            matching = find_matching_ids(session, access.project.id, asked.sought)
            number = len(matching)  # The page shows how many animals would be selected.
    return {
        "asked": asked,
        "lines": [line_of(row, now) for row in rows],
        "has_removed": has_removed,
        "care": care_in_words(tally),
        "number": number,
        "all_matching": selection_fingerprint(matching) if matching else "",
        "place": place_in_words(skip + 1, skip + len(rows), number),
        "last_page": last,
        "summary": result_sentence(asked, number, everyone),
        "every_species": animal_labels.SPECIES,
        "statuses": animal_labels.STATUSES,
        "columns": COLUMNS.items(),
    }


def result_sentence(asked: AnimalListFilters, number: int, everyone: int) -> str:
    """Return a sentence about the number of found animals. ``everyone`` is the number without filters."""
    if asked.show == "removed":
        if not number:
            return gettext("No removed animals found")
        return ngettext("%(num)s removed animal found", "%(num)s removed animals found", number)
    if not asked.narrowed:
        return animal_labels.count_animals(number)
    if not number:
        return gettext("No animals found")
    return ngettext(
        "%(found)s of %(num)s animal",
        "%(found)s of %(num)s animals",
        everyone,
        found=f"{number:,}",
    )


def find_row(access: ProjectAccess, animal_id: int) -> StaffListRow:
    """Return the row of an animal. Raises NotFound if the project has no such animal."""
    with reading() as session:
        rows = find_rows(session, access.project.id, [animal_id])
    if not rows:
        raise NotFound(gettext("There is no such animal in this project."))
    return rows[0]

"""The history of an animal on its staff page: its applications and changes."""

from datetime import UTC, datetime
from operator import itemgetter
from typing import Any, NamedTuple

from flask import url_for

from adoption.accounts.display_names import names_of_actors
from adoption.accounts.project_access import ProjectAccess
from adoption.animals.history import AnimalChange, animal_history
from adoption.animals.staff_edits import COLUMNS
from adoption.audit.action_labels import ACTIONS
from adoption.orders.animal_applications import applications_for, decisions_about
from adoption.orders.models import HOMEWARD
from adoption.storage.database import reading
from adoption.text_joining import join_names
from adoption.translations import gettext, message
from portal.animal_labels import STATUSES
from portal.capitalization import capitalise
from portal.dates import day_and_time
from portal.staff.animals.form_fields import field_label
from portal.staff.applications.inbox_rows import inbox_row

APPLICATIONS_MOST = 10
CHANGES_MOST = 20

TITLES = {
    "animal.added": message("Added"),
    "animal.edited": message("Edited"),
    "animal.status": message("Status changed"),
    "animal.listed": message("Shown to visitors"),
    "animal.hidden": message("Hidden from visitors"),
    "animal.held": message("Put on hold"),
    "animal.unheld": message("Taken off hold"),
    "animal.quarantined": message("Put in quarantine"),
    "animal.unquarantined": message("Quarantine ended"),
    "animal.removed": message("Removed"),
    "animal.restored": message("Restored"),
    "animal.undone": message("Last change undone"),
    "photo.added": message("Photo added"),
    "photo.removed": message("Photo removed"),
    "photo.moved": message("Photos put in another order"),
    "photo.described": message("Photo described"),
}
"""The labels of changes to an animal or its photos. The key is the action in the audit log."""
DECISIONS = {
    "placed": message("Application to review again"),
    "approved": message("Application approved"),
    "completed": message("Adopted"),
    "returned": message("Returned after an adoption"),
    "declined": message("Application declined"),
    "withdrawn": message("Application withdrawn"),
}
"""The labels of decisions about an application for the animal. The key is the event in the application's
history."""
FIELDS = {column.replace("_", " "): field for field, columns in COLUMNS.items() for column in columns}
"""The form field of each column. The key is the name of the column in the audit log."""


class ShownChange(NamedTuple):
    title: str
    detail: str
    who: str
    """The name of the person who made the change. Empty if Homeward made it automatically."""
    when: Any


def history_words(access: ProjectAccess, animal_id: int) -> dict[str, Any]:
    """Return the template values of the animal's applications and changes."""
    now = datetime.now(UTC)
    with reading() as session:
        found = applications_for(session, access.project.id, animal_id, APPLICATIONS_MOST)
        changes = animal_history(session, access.project.id, animal_id, CHANGES_MOST)
        decisions = decisions_about(session, access.project.id, animal_id, CHANGES_MOST)
        actors = {each.actor for each in changes} | {each.actor for each in decisions}
        names = names_of_actors(session, access.account.id, actors)
    entries = [(each.at, change_title(each), detail_of(each), each.actor) for each in changes]
    entries += [
        (each.at, gettext(DECISIONS.get(each.event, capitalise(each.event))), each.applicant, each.actor)
        for each in decisions
    ]
    newest = sorted(entries, key=itemgetter(0), reverse=True)[:CHANGES_MOST]
    return {
        "applications": [inbox_row(entry, now) for entry in found.entries],
        "applications_total": found.total,
        "inbox": url_for(".applications", box="all", animal=animal_id),
        "changes": [
            ShownChange(
                title, detail, "" if who == HOMEWARD else names[who], day_and_time(at, now, capitalised=True)
            )
            for at, title, detail, who in newest
        ],
        "changes_most": CHANGES_MOST,
    }


def change_title(change: AnimalChange) -> str:
    return gettext(TITLES.get(change.action, ACTIONS.get(change.action, change.action)))


def detail_of(change: AnimalChange) -> str:
    if change.action == "animal.edited":
        columns = [column for column in change.detail.split(", ") if column]
        labels = [
            field_label(FIELDS[column]) if column in FIELDS else capitalise(column) for column in columns
        ]
        return join_names(list(dict.fromkeys(labels))) if labels else ""
    if change.action == "animal.status":
        status = change.detail.removeprefix("to ")
        return STATUSES.get(status, status)
    return change.detail if change.action == "photo.described" else ""

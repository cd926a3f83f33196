"""The forms of the general settings, with errors, and with conflicts between two people's edits."""

from collections.abc import Collection
from typing import NamedTuple

from flask import request

from adoption import three_way_merge
from adoption.accounts.display_names import name_of_actor
from adoption.accounts.project_access import ProjectAccess
from adoption.projects.countries_and_languages import country_names, language_names
from adoption.projects.currencies import CURRENCIES
from adoption.projects.site_edits import SavedSite, SiteEdit, last_site_change
from adoption.storage.database import reading
from adoption.text_joining import join_names
from adoption.time_zones import UTC_LABEL, UTC_NAME, time_zone_choices
from adoption.translations import gettext, message
from portal.current_user import actor
from portal.dates import ago
from portal.staff.edit_conflicts import FieldConflict

LABELS = {
    "name": message("Name"),
    "about": message("About us"),
    "place": message("Place"),
    "contact_email": message("Contact email"),
    "contact_phone": message("Contact phone"),
    "colour": message("Colour"),
    "currency": message("Currency"),
    "street": message("Street"),
    "city": message("City"),
    "region": message("State, province or county"),
    "postcode": message("Postal code"),
    "country": message("Country"),
    "website": message("Website"),
    "adoption_policy": message("Adoption policy"),
    "language": message("Language"),
    "time_zone": message("Time zone"),
    "in_directory": message("Show our animals in the directory"),
    "petfinder_id": message("Petfinder id"),
}
YOU = "You"


class SiteFormField(NamedTuple):
    """The text that a user typed into a field, with its errors."""

    name: str
    data: str
    errors: tuple[str, ...] = ()


class Form(NamedTuple):
    """A form of the general settings: the texts, the time zone, or the listing in the directory."""

    fields: dict[str, SiteFormField]
    opened: str
    """Fingerprints of the values that the user opened, as text from
    ``three_way_merge.format_fingerprints``."""
    clashes: tuple[FieldConflict, ...] = ()
    """The conflicts that the user must resolve before anything is saved."""
    merged: str = ""
    """Sentences about fields that other people have changed meanwhile. The form contains the changed
    values."""

    @property
    def failed(self) -> bool:
        return bool(self.clashes or self.summary)

    @property
    def summary(self) -> list[tuple[str, str]]:
        return [(field.name, field.errors[0]) for field in self.fields.values() if field.errors]


def stored_form(stored: object, names: Collection[str]) -> Form:
    """Return a form with the stored fields of a project."""
    values = {name: getattr(stored, name) for name in names}
    fields = {name: SiteFormField(name, typed_text(value)) for name, value in values.items()}
    return Form(fields, three_way_merge.format_fingerprints(three_way_merge.fingerprints(values)))


def typed_text(value: str | bool | None) -> str:
    """Return the text with which a form sends a value. A tick sends "yes"."""
    return "yes" if value is True else value or ""


def sent_edit(names: Collection[str]) -> SiteEdit:
    """Return the edit of these fields in the current request."""
    sent = request.form
    choices = {name: sent[f"keep-{name}"] for name in names if f"keep-{name}" in sent}
    texts = {name: sent.get(name, "") for name in names}
    return SiteEdit(texts, three_way_merge.parse_fingerprints(sent.get("opened", "")), choices)


def refused_form(access: ProjectAccess, edit: SiteEdit, saved: SavedSite) -> Form:
    """Return the form of an edit that was not saved, with its errors and conflicts."""
    texts = {**edit.texts, **{name: typed_text(saved.now[name]) for name in saved.theirs}}
    fields = {
        name: SiteFormField(name, text, (saved.wrong[name],) if name in saved.wrong else ())
        for name, text in texts.items()
    }
    # Fields with a conflict keep their old fingerprint, and the others get the current fingerprint. So the
    # form does not ask about a resolved conflict again.
    prints = three_way_merge.fingerprints(saved.now) | {
        name: edit.opened.get(name, "") for name in saved.clashes
    }
    clashes = tuple(site_conflict(access, name, texts[name], saved.now[name]) for name in saved.clashes)
    return Form(
        fields, three_way_merge.format_fingerprints(prints), clashes, changed_meanwhile(access, edit, saved)
    )


def site_conflict(access: ProjectAccess, name: str, mine: str, theirs: str | bool | None) -> FieldConflict:
    sides = (
        three_way_merge.choice_text(three_way_merge.MINE, theirs),
        three_way_merge.choice_text(three_way_merge.THEIRS, theirs),
    )
    return FieldConflict(
        name,
        gettext(LABELS[name]),
        field_in_words(name, typed_text(theirs)),
        field_in_words(name, mine),
        *sides,
        *site_changed_by(access, name),
    )


def changed_meanwhile(access: ProjectAccess, edit: SiteEdit, saved: SavedSite) -> str:
    """Return a sentence about other people's changes, such as "Ann changed Place while you were editing."."""
    by_person: dict[str, list[str]] = {}
    for name in saved.theirs:
        if name not in edit.choices:
            by_person.setdefault(site_changed_by(access, name)[0], []).append(gettext(LABELS[name]))
    return " ".join(changes_of_person(who, join_names(labels)) for who, labels in by_person.items())


def changes_of_person(who: str, fields: str) -> str:
    if who == YOU:
        return gettext("You changed %(fields)s in another window.", fields=fields)
    return gettext("%(who)s changed %(fields)s while you were editing.", who=who, fields=fields)


def site_changed_by(access: ProjectAccess, name: str) -> tuple[str, str]:
    """Return the name of the person who last changed a field, and the time, in words."""
    with reading() as session:
        last = last_site_change(session, access.project.id, name)
        if last is None:
            return gettext("Someone else"), gettext("since you opened the page")
        mine = last.actor == actor().name
        who = YOU if mine else name_of_actor(session, access.account.id, last.actor)
    return who, ago(last.at)


def time_zone_labels() -> dict[str, str]:
    """Return the label of each time zone. The names of countries and cities are not translated."""
    return time_zone_choices() | {UTC_NAME: gettext(UTC_LABEL)}


def field_in_words(name: str, text: str) -> str:
    """Return a field's value in words."""
    if name == "currency" and text in CURRENCIES:
        return f"{text}, {gettext(CURRENCIES[text])}"
    if name == "time_zone":
        return time_zone_labels().get(text, text) or gettext("Empty")
    if name == "in_directory":
        return gettext("Yes") if text else gettext("No")
    names = country_names() if name == "country" else language_names() if name == "language" else {}
    return names.get(text, text) or gettext("Empty")

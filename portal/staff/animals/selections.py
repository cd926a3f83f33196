"""The animals that are selected in the list."""

from collections.abc import Collection
from typing import Any, NamedTuple

from flask import request
from werkzeug.datastructures import MultiDict

from adoption.accounts.project_access import ProjectAccess
from adoption.animals.staff_list import find_matching_ids, names_without_removed, selection_fingerprint
from adoption.errors import NotFound
from adoption.storage.database import reading
from adoption.translations import gettext, ngettext
from portal.staff.animals.filters import list_filters
from portal.url_converters import parse_id


class Selection(NamedTuple):
    """The selected animals: the ticked animals, or all animals that match the filters."""

    ids: list[int]
    args: dict[str, Any]
    """The selection as parameters of an address."""
    warning: str = ""
    """A sentence if other animals match the filters than when the page was loaded. Empty otherwise.

    After a warning, the user must confirm the selection again.
    """


def ids_in(given: MultiDict[str, str]) -> list[int]:
    return sorted(set(filter(None, map(parse_id, given.getlist("id")))))


def requested_selection(access: ProjectAccess) -> Selection:
    counted_then = request.values.get("all", "")
    if not counted_then:
        ids = ids_in(request.values)
        return Selection(ids, {"id": ids})
    with reading() as session:
        ids = find_matching_ids(session, access.project.id, list_filters().sought)
    now = selection_fingerprint(ids)
    warning = "" if now == counted_then else change_in_words(len(ids), counted_then.partition("-")[0])
    return Selection(ids, {"all": now}, warning)


def change_in_words(number: int, number_then: str) -> str:
    if str(number) == number_then:
        return ngettext(
            "%(num)s animal matches these filters, as your page said, but it is another animal.",
            "%(num)s animals match these filters, as your page said, but they are no longer the same "
            "animals.",
            number,
        )
    return ngettext(
        "%(num)s animal matches these filters now. Your page said %(before)s.",
        "%(num)s animals match these filters now. Your page said %(before)s.",
        number,
        before=number_then,
    )


def found_selection(access: ProjectAccess) -> Selection:
    """Return the selected animals, without those that do not exist or are removed.

    Raises NotFound if no animal is left.
    """
    selected = requested_selection(access)
    with reading() as session:
        there = names_without_removed(session, access.project.id, selected.ids)
    if not there:
        raise NotFound(gettext("There is no such animal in this project."))
    return selected._replace(ids=sorted(there))


def selected_names(access: ProjectAccess, ids: Collection[int]) -> list[str]:
    with reading() as session:
        there = names_without_removed(session, access.project.id, ids)
    return list(there.values())

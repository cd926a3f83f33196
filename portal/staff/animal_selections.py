"""The animals that are selected in the list, and the list's filters in the address."""

from collections.abc import Collection
from functools import wraps
from typing import Any
from urllib.parse import parse_qsl

from flask import Response, request, url_for
from werkzeug.datastructures import MultiDict

from adoption.accounts.access import Place
from adoption.animals.staff_list import ids_of, still_there
from adoption.database import reading
from adoption.errors import Conflict, NotFound
from portal import words
from portal.answers import onward
from portal.notices import notice
from portal.numbers import id_in
from portal.staff import View
from portal.staff.animal_filters import Asked


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


def ids_in(given: MultiDict[str, str]) -> list[int]:
    return sorted(set(filter(None, map(id_in, given.getlist("id")))))


def selection(place: Place) -> list[int]:
    """Return the selected animals: the ticked ones, or all that match the filters.

    Raises Conflict if the number of matches is not the one that the page showed.
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
    """Return the selected animals that exist and are not removed. Raises NotFound if there are none."""
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
    """Return the selection as parameters of an address."""
    number = request.values.get("all", "")
    return {"all": number} if number else {"id": ids_in(request.values)}


def state() -> Asked:
    """Return the filters, order and page of the list that this request came from."""
    back = request.values.get("back", "")
    return Asked.from_address(MultiDict(parse_qsl(back.removeprefix("?"))))


def back_to_list() -> Response:
    return onward(url_for(".animals") + state().address())

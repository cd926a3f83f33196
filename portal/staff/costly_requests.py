"""Limits on staff requests that take seconds: how many at once in a process, and for an account."""

from flask import g, request

from adoption.errors import Busy
from adoption.translations import gettext
from serving.concurrency import LONG_REQUESTS, Places

COSTLY = {
    "staff.add_photos",
    "staff.choose_columns",
    "staff.download_export",
    "staff.new_animal",
    "staff.start_import",
    "staff.undo_import",
    "staff.upload_import",
}
"""Endpoints whose POST processes photos, reads a spreadsheet or writes one."""
PLACES, PER_ACCOUNT, WAITING = LONG_REQUESTS // 2, 2, 2
"""Signing in, applications and other pages always have the other half of the places for long requests."""

places = Places(PLACES, PER_ACCOUNT, WAITING)


def take_place(account_id: int) -> None:
    """Take a place for this request if it is costly. Raise Busy if none is free."""
    if request.method != "POST" or request.endpoint not in COSTLY:
        return
    account = str(account_id)
    if not places.take(account):
        raise Busy(gettext("We are still working on other photos and files."))
    g.costly_account = account


def give_back_place(_error: BaseException | None = None) -> None:
    if account := g.pop("costly_account", None):
        places.give_back(account)

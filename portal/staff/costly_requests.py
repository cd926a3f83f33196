"""Concurrency limits for staff requests that take seconds: for each process and for each account."""

from flask import g, request

from adoption.errors import Busy
from adoption.translations import gettext
from serving.concurrent_request_limits import LONG_REQUESTS, Places

COSTLY = {
    "staff.add_photos",
    "staff.choose_columns",
    "staff.download_export",
    "staff.new_animal",
    "staff.start_import",
    "staff.undo_import",
    "staff.upload_import",
}
"""Endpoints whose POST requests process photos, or read or write a spreadsheet."""
PLACES, PER_ACCOUNT, WAITING = LONG_REQUESTS // 2, 2, 2
"""How many costly requests can run at the same time: in a process, and for one account.

The third number is how many can wait.

Costly requests can use half of the slots for long requests. The other half stays free for sign-in,
applications and other pages.
"""

places = Places(PLACES, PER_ACCOUNT, WAITING)


def take_place(account_id: int) -> None:
    """Take a slot if the current request is costly. Raises Busy if no slot is free."""
    if request.method != "POST" or request.endpoint not in COSTLY:
        return
    account = str(account_id)
    if not places.take(account):
        raise Busy(gettext("We are still working on other photos and files."))
    g.costly_account = account


def give_back_place(_error: BaseException | None = None) -> None:
    if account := g.pop("costly_account", None):
        places.give_back(account)

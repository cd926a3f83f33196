"""What htmx asks and is told: the only file that reads or writes its headers."""

from urllib.parse import urlsplit

from flask import Response
from htmx_flask import make_response, request
from markupsafe import Markup

ANNOUNCEMENT = Markup('<p id="announcer" hx-swap-oob="innerHTML">{}</p>')


def target_id() -> str | None:
    """The id of the element that htmx will put the answer into; None where a browser wants the whole page."""
    htmx = request.htmx
    return (htmx.target or "") if htmx and not htmx.history_restore_request else None


def current_page() -> str | None:
    """Return the path and query of the page that the browser shows; None if htmx does not say."""
    shown = urlsplit(request.htmx.current_url or "")
    return f"{shown.path}?{shown.query}".rstrip("?") or None


def asked_by() -> str:
    """The id of the element that htmx asks for, empty where it has none."""
    return request.htmx.trigger or "" if request.htmx else ""


def fragment(text: str, address: str | None = None, status: int = 200) -> Response:
    """A part of a page; the browser then shows ``address``, where one is given, as the page's own."""
    response: Response = make_response(text, status, push_url=address or False)
    return response


def varied(response: Response) -> Response:
    """Tell caches that the page and its part share an address."""
    response.headers.add("Vary", "HX-Request, HX-Target, HX-Trigger")
    return response


def elsewhere(address: str) -> Response:
    """Have the browser go to another page, as a redirect would without htmx."""
    response: Response = make_response("", 204)
    response.headers["HX-Redirect"] = address
    return response


def announced(text: str, sentence: str, address: str | None = None, status: int = 200) -> Response:
    """A part of a page, and a sentence that a screen reader says."""
    return fragment(text + str(ANNOUNCEMENT.format(sentence)), address, status)


def retarget(selector: str, response: Response) -> Response:
    """Put the answer in the place of another element than the one that asked."""
    response.headers["HX-Retarget"], response.headers["HX-Reswap"] = selector, "outerHTML"
    return response


def in_dialog(text: str) -> Response:
    """A question in the page's dialog, whatever asked for another part of the page."""
    response = fragment(text)
    response.headers["HX-Retarget"], response.headers["HX-Reswap"] = "#dialog-slot", "innerHTML"
    return response

"""The htmx headers. Only this module reads and writes them."""

from urllib.parse import urlsplit

from flask import Response
from htmx_flask import make_response, request
from markupsafe import Markup

ANNOUNCEMENT = Markup('<p id="announcer" hx-swap-oob="innerHTML">{}</p>')


def target_id() -> str | None:
    """Return the id of the element that htmx will update, or None if the browser requests the whole page."""
    htmx = request.htmx
    return (htmx.target or "") if htmx and not htmx.history_restore_request else None


def current_page() -> str | None:
    """Return the path and query of the page in the browser, or None if htmx does not send it."""
    try:
        shown = urlsplit(request.htmx.current_url or "")
    except ValueError:  # no address of ours, such as http://[
        return None
    return f"{shown.path}?{shown.query}".rstrip("?") or None


def trigger_id() -> str:
    """Return the id of the element that sent the request, or "" if the element has no id."""
    return request.htmx.trigger or "" if request.htmx else ""


def fragment(text: str, address: str | None = None, status: int = 200) -> Response:
    """Return a part of a page. If ``address`` is given, the browser's address bar then shows it."""
    response: Response = make_response(text, status, push_url=address or False)
    return response


def vary_by_htmx(response: Response) -> Response:
    """Add ``Vary`` to the response, because a whole page and a part of it have the same address."""
    response.headers.add("Vary", "HX-Request, HX-Target, HX-Trigger")
    return response


def client_redirect(address: str) -> Response:
    """Return a redirect to another page."""
    response: Response = make_response("", 204)
    response.headers["HX-Redirect"] = address
    return response


def announced_fragment(text: str, sentence: str, address: str | None = None, status: int = 200) -> Response:
    """Return a part of a page, with a sentence that a screen reader announces."""
    return fragment(text + str(ANNOUNCEMENT.format(sentence)), address, status)


def retarget(selector: str, response: Response) -> Response:
    """Let the response replace an element other than the target of the request."""
    response.headers["HX-Retarget"], response.headers["HX-Reswap"] = selector, "outerHTML"
    return response


def open_dialog(text: str) -> Response:
    """Return a question that opens in the page's dialog, instead of the request's target."""
    response = fragment(text)
    response.headers["HX-Retarget"], response.headers["HX-Reswap"] = "#dialog-slot", "innerHTML"
    return response

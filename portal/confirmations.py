"""Asking once more before something that cannot simply be taken back."""

from flask import Response, make_response, render_template

from portal import htmx


def ask_to_confirm(
    title: str,
    text: str,
    action: str,
    label: str,
    keep: str,
    back: str,
    layout: str = "layouts/staff.html",
    tone: str = "danger",
) -> Response:
    """A question with the safe choice first: a dialog for htmx, and a page of its own without script.

    ``title`` asks and names the thing, ``text`` tells the effect and whether it can be undone, ``action`` is
    where the form is sent, ``label`` is on its button, ``keep`` on the one that changes nothing and leads
    ``back``. ``tone`` is ``primary`` where nothing is lost.
    """
    words = {"title": title, "text": text, "action": action, "label": label, "keep": keep, "back": back}
    words |= {"layout": layout, "tone": tone}
    if htmx.target_id() is not None:
        return htmx.fragment(render_template("confirmations/_dialog.html", **words))
    return make_response(render_template("confirmations/page.html", **words))

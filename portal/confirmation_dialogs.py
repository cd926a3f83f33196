"""Confirmation before an action that is hard to undo."""

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
    """Return a question with the safe choice first. For htmx, it is a dialog, otherwise a page.

    ``title`` is the question with the name of the thing. ``text`` says what the effect is and whether it can
    be undone. ``action`` is the address of the form, and ``label`` is the text of the form's button. ``keep``
    is the text of the button that changes nothing and leads to ``back``. ``tone`` is ``primary`` if nothing
    is lost.
    """
    words = {"title": title, "text": text, "action": action, "label": label, "keep": keep, "back": back}
    words |= {"layout": layout, "tone": tone}
    if htmx.target_id() is not None:
        return htmx.fragment(render_template("confirmations/_dialog.html", **words))
    return make_response(render_template("confirmations/page.html", **words))

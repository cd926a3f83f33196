"""Rules for how to try each form of the service. They depend on what the form does with its values."""

import re
from collections.abc import Callable

from tests.browser.form_walk import FoundForm, pattern_of

SEARCHES = {
    "/",
    "/shelters",
    "/projects/x/animals",
    "/projects/x/applications",
    "/projects/x/audit",
    "/projects/x/sites/new",
}
PLACES_OF_KIND = {
    # The form's page shows the stored values. Each value is compared after a reload.
    "edit": {
        "/account/name",
        "/account/passkeys/0/name",
        "/projects/x/adoption-form/questions/own0",
        "/projects/x/animals/0",
        "/projects/x/animals/0/photos/0/description",
        "/projects/x/applications/0/assignee",
        "/projects/x/domains/0/redirect",
        "/projects/x/imports/0/columns",
        "/projects/x/keys/0/name",
        "/projects/x/settings",
        "/projects/x/settings/directory",
        "/projects/x/settings/time-zone",
    },
    # The typed values are in the response, on a page that it links to, or in an email.
    "add": {
        "/account/email",
        "/applications/token",
        "/password/forgotten",
        "/projects/x/adoption-form/questions",
        "/projects/x/animals/new",
        "/projects/x/applications/0/notes",
        "/projects/x/domains",
        "/projects/x/keys",
        "/projects/x/keys/publishable",
        "/projects/x/members/invitations",
        "/sign-up",
    },
    # The applicant's private page shows the values to visitors who know the applicant's name.
    "application": {"/animals/0/applications"},
    # The typed text is the text of an email.
    "email": {
        "/projects/x/applications/0/approval",
        "/projects/x/applications/0/approval/removal",
        "/projects/x/applications/0/completion",
        "/projects/x/applications/0/refusal",
        "/projects/x/applications/0/return",
    },
    # The value is a choice for one action. It is not stored under the field's name.
    "once": {"/projects/x/export", "/projects/x/domains/0/removal"},
    # Ticks select rows of a table, and a button acts on these rows.
    "rows": {"/projects/x/animals/changes", "/projects/x/applications/assignees"},
}


RULES: dict[str, Callable[[FoundForm], bool]] = {
    # The typed values are in the address of the result.
    "search": lambda form: form.method == "get" and place_of(form) in SEARCHES,
    # Without a password, the form is rejected. Its other values are then still there.
    "credentials": lambda form: form.method == "post" and "password" in form.kinds,
    # A passkey device answers this form. The test's browser has none.
    "device": lambda form: form.needs_device,
    **{
        kind: lambda form, places=places: form.method == "post" and place_of(form) in places
        for kind, places in PLACES_OF_KIND.items()
    },
}
"""How to try a form. The first rule that matches applies."""
UNKNOWN = (
    "no rule for this form. Add its address to PLACES_OF_KIND: under edit if its page shows the stored "
    "values, under add if what is typed is shown on another page, under email if it is the text of one, "
    "under once if nothing is stored, under rows if ticks choose rows of a table. A form that only searches "
    "belongs in SEARCHES."
)


def place_of(form: FoundForm) -> str:
    """Return the address that a form is sent to, without ids and slugs."""
    return re.sub(r"/projects/[\w-]+", "/projects/x", pattern_of(form.action or form.page))


def rule_of(form: FoundForm) -> str | None:
    return next((kind for kind, fits in RULES.items() if fits(form)), None)


def is_sent_while_typing(form: FoundForm) -> bool:
    """Return whether scripts send the form at each change. The response then replaces the form."""
    return rule_of(form) == "search" or place_of(form) == "/projects/x/imports/0/columns"


def kind_of(form: FoundForm) -> str:
    kind = rule_of(form)
    assert kind, f"{form.method} {place_of(form)}: {UNKNOWN}"
    return kind

"""Applications of adopters, sent with the form of the page. The form was opened a minute ago."""

import re
import time
from html import unescape

import time_machine
from flask.testing import FlaskClient
from sqlalchemy import select
from werkzeug.test import TestResponse

from adoption.orders.models import Application
from adoption.storage.database import reading

PLATFORM = "http://localhost"
ANSWERS = {
    "name": "Sam Okafor",
    "email": "sam@example.org",
    "phone": "",
    "home": "rent",
    "household": ["young", "cats"],
    "why": "Somebody is at home all day.\n\nThere is a garden.",
}
MINUTE = 60


def application_form(
    client: FlaskClient, animal_id: int, site: str = PLATFORM, opened: float = MINUTE
) -> str:
    """Return the signed field of an application form that was opened ``opened`` seconds ago."""
    with time_machine.travel(time.time() - opened, tick=False):
        page = client.get(f"/animals/{animal_id}", base_url=site, follow_redirects=True)
    assert page.status_code == 200
    return hidden_field(page.text)


def hidden_field(page: str) -> str:
    [form] = re.findall(r'name="form" value="([^"]+)"', page)
    return str(unescape(form))


def apply(
    client: FlaskClient,
    animal_id: int,
    form: str | None = None,
    site: str = PLATFORM,
    headers: dict[str, str] | None = None,
    **answers: object,
) -> TestResponse:
    """Send the application form.

    If its honeypot field is filled in, send the form twice, as spam programs do.
    """
    form = application_form(client, animal_id, site) if form is None else form
    answer = send_application(client, animal_id, form, site, headers, **answers)
    if answers.get("subject") and answer.status_code == 422:
        answer = send_application(client, animal_id, hidden_field(answer.text), site, headers, **answers)
    return answer


def send_application(
    client: FlaskClient,
    animal_id: int,
    form: str,
    site: str = PLATFORM,
    headers: dict[str, str] | None = None,
    **answers: object,
) -> TestResponse:
    return client.post(
        f"/animals/{animal_id}/applications",
        base_url=site,
        headers=headers,
        data={**ANSWERS, "form": form, **answers},
    )


def link_in(answer: TestResponse) -> str:
    """Return the path of the private page from the response to an application."""
    assert answer.status_code == 303, answer.text
    return str(answer.location).partition("?")[0]


HTMX = {"HX-Request": "true", "HX-Target": "apply"}


def load_hold_reasons() -> list[str]:
    """Return the hold reasons of all applications, oldest first. A reason is empty without a hold."""
    with reading() as session:
        return list(session.scalars(select(Application.held_for).order_by(Application.id)))

"""Password reset by email."""

from datetime import UTC, datetime, timedelta

import time_machine
from apiflask import APIFlask
from flask.testing import FlaskClient

from adoption.accounts.authentication import password_attempts, password_resets
from tests.cast import PASSWORD, Colleague
from tests.mailbox import emails_to, link_in_email
from tests.portal.visitor import Visitor

NEW = "four small words here"


def test_a_password_reset_signs_in_here_and_out_everywhere_else(app: APIFlask, owner: Colleague) -> None:
    here = Visitor(app.test_client())
    here.send("/password/forgotten", email=f" {owner.email.upper()} ")
    link = link_in_email(owner.email, "/password/new/")
    assert owner.email in here.get(link).text
    assert here.send(link, password=NEW).headers["Location"] == "/projects"
    assert here.is_in
    assert owner.get("animals").status_code == 302
    assert Visitor(app.test_client()).sign_in(owner.email, PASSWORD).status_code == 422
    assert Visitor(app.test_client()).sign_in(owner.email, NEW).status_code == 303
    assert emails_to(owner.email)[-1].subject == "Your Homeward password was changed"


def test_a_password_reset_link_works_once_and_expires_after_an_hour(app: APIFlask, owner: Colleague) -> None:
    here = Visitor(app.test_client())
    here.send("/password/forgotten", email=owner.email)
    here.send("/password/forgotten", email=owner.email)
    links = [link_in_email(owner.email), emails_to(owner.email)[0].text.split("/password/new/")[1].split()[0]]
    with time_machine.travel(datetime.now(UTC) + password_resets.GOOD_FOR + timedelta(minutes=1)):
        assert here.send(links[0], password=NEW).status_code == 404
    assert here.send(links[0], password=NEW).status_code == 303
    for used in (links[0], f"/password/new/{links[1]}"):
        assert here.get(used).status_code == 404
        assert "This link no longer works" in here.send(used, password="other words for it").text
    assert password_attempts.authenticate_password(owner.email, NEW, "") is not None


def test_a_password_reset_does_not_reveal_known_emails(client: FlaskClient, owner: Colleague) -> None:
    answers = []
    for email in (owner.email, "nobody@example.org"):
        visitor = Visitor(client)
        sent = visitor.send("/password/forgotten", email=email)
        shown = visitor.get("/mailbox").text.replace(email, "")
        answers.append((sent.status_code, sent.headers["Location"], len(emails_to(email)), shown))
    assert answers[0] == answers[1]
    assert emails_to("nobody@example.org")[0].subject == "No Homeward account has this address"

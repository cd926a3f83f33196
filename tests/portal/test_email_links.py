"""Each link of each email works for its reader.

The shelter's site and domain may change in any way.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from types import ModuleType
from typing import Any

import pytest
from apiflask import APIFlask
from flask.testing import FlaskClient
from sqlalchemy import delete

from adoption.accounts import email_templates as account_emails
from adoption.accounts.plan_changes import set_plan
from adoption.certificates import email_templates as certificate_emails
from adoption.domains.models import Domain
from adoption.orders import decision_email_templates, shelter_reminders, staff_written_emails
from adoption.orders import email_templates as application_emails
from adoption.storage.database import transaction
from tests import domains
from tests.applying import apply, link_in
from tests.authenticator import Device
from tests.cast import Colleague
from tests.deciding import add_animal, apply_and_confirm, take_steps
from tests.portal.visitor import Visitor

pytestmark = pytest.mark.settings("embedded")

HOST = "dogs.example.org"
NEW_PASSWORD = "four small words here"
ROOT = "http://localhost:8000"
DECISIONS = {*decision_email_templates.SUBJECTS, "homed"}
TO_STAFF = {
    *("orders.application_received", "orders.withdrawal", "orders.held_digest", "orders.erasure_notice"),
    *("accounts.role_changed", "accounts.passkey_added", "accounts.passkeys_removed", "accounts.plan_set"),
}
WITHOUT_LINKS = {
    *("orders.withdrawal_receipt", "decision completed", "decision returned"),
    *("accounts.member_removed", "accounts.member_left", "accounts.email_changed", "accounts.plan_requested"),
}
Template = Callable[..., tuple[str, str]]


def templates_in(module: ModuleType) -> dict[str, Template]:
    """Return the functions of a module that write an email."""
    results = (tuple[str, str], "Email")
    found = {name: each for name, each in vars(module).items() if callable(each) and not name.startswith("_")}
    return {
        name: each
        for name, each in found.items()
        if getattr(each, "__module__", "") == module.__name__
        and getattr(each, "__annotations__", {}).get("return") in results
    }


TEMPLATES = {
    f"{of}.{name}": (module, name, function)
    for of, module in (("orders", application_emails), ("accounts", account_emails))
    for name, function in templates_in(module).items()
}


@dataclass
class World:
    app: APIFlask
    owner: Colleague
    mate: Colleague
    outsider: Colleague
    client: FlaskClient
    emails: dict[str, tuple[str, str]] = field(default_factory=dict)
    """The subject and text of the last email of each template, by template."""

    @property
    def visitor(self) -> Visitor:
        return Visitor(self.app.test_client(), f"192.0.2.{len(self.emails)}")

    def apply(self, who: str, *pets: str, **answers: Any) -> str:
        return [apply_and_confirm(self.client, add_animal(self.owner, pet), who, **answers) for pet in pets][
            -1
        ]


@pytest.fixture
def world(
    app: APIFlask,
    owner: Colleague,
    teammate: Colleague,
    outsider: Colleague,
    client: FlaskClient,
    monkeypatch: pytest.MonkeyPatch,
) -> World:
    made = World(app, owner, teammate, outsider, client)

    def record(key: str, module: ModuleType, name: str, write: Template) -> None:
        def recorded(*given: Any, **rest: Any) -> tuple[str, str]:
            email = write(*given, **rest)
            made.emails[key.format(*given)] = email
            return email

        monkeypatch.setattr(module, name, recorded)

    for key, template in TEMPLATES.items():
        record(key, *template)
    for key, name in (("decision {}", "decision_email"), ("fixed {}", "fixed_email")):
        record(key, staff_written_emails, name, getattr(decision_email_templates, name))
    return made


def emails_about_accounts(world: World) -> None:
    visitor, owner, outsider = world.visitor, world.owner, world.outsider
    for address in ("oak@example.org", owner.email):
        visitor.send("/sign-up", shelter="Oak Rescue", name="Oak", email=address)
    for address in (owner.email, "nobody@example.org"):
        visitor.send("/password/forgotten", email=address)
    owner.post("members/invitations", {"email": "kim@example.org", "role": "staff"})
    visitor.send("/password/forgotten", email="kim@example.org")
    owner.post("members/invitations", {"email": "robin@example.org", "role": "staff"})
    page = owner.get("members").text
    [mate] = set(re.findall(r"members/(\d+)/role", page))
    owner.post(f"members/{mate}/role", {"role": "owner"})
    owner.post(f"members/{mate}/password-reset")
    challenge = outsider.post("/account/passkeys/challenge").text
    outsider.post("/account/passkeys", {"answer": Device().make(challenge), "name": "My phone"})
    outsider.post("/account/email", {"email": owner.email})
    outsider.post("/account/password", {"password": NEW_PASSWORD})
    outsider.post("/account/email", {"email": "new@example.org"})
    outsider.post("/account/passkeys/removal")
    set_plan(owner.slug, "pro")


def emails_about_applications(world: World) -> None:
    owner = world.owner
    world.apply("held", "Rex", subject="filled in")
    shelter_reminders.send_held_digests()
    emails_about_decisions(world, applications_to_decide(world, "online"))
    moss = add_animal(owner, "Moss")
    for _ in range(2):
        apply(world.client, moss, email="moss@example.org")
    link = link_in(apply(world.client, add_animal(owner, "Fern"), email="fern@example.org"))
    world.client.post(f"{link}/withdrawal")
    shelter_reminders.warn_of_erasure(timedelta(days=365), datetime.now(UTC) + timedelta(days=340))
    owner.post(f"applications/{world.apply('lost', 'Ivy')}/private-link")
    take_steps(
        owner, world.apply("unconfirmed", "Ash", confirms=False), "decline", tell="yes", words="Own words"
    )
    world.apply("last", "Elm")


STEPS = (["approve"], ["approve", "take back"], ["decline"], ["approve", "complete", "return"])


def applications_to_decide(world: World, group: str) -> list[str]:
    """Add an application for each of ``STEPS``, and a second one for the same animal."""
    refs = []
    for number in range(len(STEPS)):
        pet = add_animal(world.owner, f"Pet {group}")
        refs.append(apply_and_confirm(world.client, pet, f"{group}{number}"))
        apply_and_confirm(world.client, pet, f"other-{group}{number}")
    return refs


def emails_about_decisions(world: World, refs: list[str]) -> None:
    """Take each decision, with the emails that the pages offer."""
    for ref, steps in zip(refs, STEPS, strict=True):
        take_steps(world.owner, ref, *steps)


def broken(world: World) -> dict[str, list[str]]:
    """Return the links that do not work for the reader of their email, by template."""
    found: dict[str, list[str]] = {}
    for name, (_, text) in world.emails.items():
        links = re.findall(r"https?://\S+", text)
        reader = world.owner.client if name in TO_STAFF else world.app.test_client()
        for link in links:
            assert link.startswith(f"{ROOT}/"), f"{name}: {link} is not on the platform"
            if reader.get(link.removeprefix(ROOT), follow_redirects=True).status_code != 200:
                found.setdefault(name, []).append(link)
    return found


def test_each_link_of_each_email_works_after_any_change_of_the_site_and_domain(world: World) -> None:
    domain = domains.add_verified_row(world.owner.project_id, HOST, wants_primary=True)
    emails_about_accounts(world)
    emails_about_applications(world)
    expected = {*TEMPLATES, *(f"decision {to}" for to in DECISIONS), "fixed declined"}
    without = {name for name in expected if "://" not in world.emails.get(name, ("", ""))[1]}
    assert without == WITHOUT_LINKS, "every other email was written"
    live = certificate_emails.live_email(HOST, "Elm Road Rescue")[1]
    [site] = re.findall(r"https://\S+", live)
    assert world.client.get("/", base_url=site).status_code == 200
    assert broken(world) == {}
    undecided = applications_to_decide(world, "later")
    with transaction() as session:
        session.execute(delete(Domain).where(Domain.id == domain))
    assert broken(world) == {}, "the domain was removed"
    world.owner.post("settings/offline")
    assert broken(world).keys() == {"decision declined", "decision homed"}, "links to the site's animals"
    emails_about_decisions(world, undecided)
    assert broken(world) == {}, "emails that are written while the site is offline"

"""Every form of the service, found by following links, keeps the typed values.

By default each form is tried once: one form on a phone with JavaScript, the next at a desk without
JavaScript. All four ways:

    HOMEWARD_EVERY_FORM=full .venv/bin/pytest -s -n 0 -o faulthandler_timeout=1800 \\
        tests/browser/test_every_form.py
"""

import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import open_context
from tests.browser.connected import CONNECTED_OWNER
from tests.browser.form_rules import is_sent_while_typing, kind_of, place_of, rule_of
from tests.browser.form_seeds import STAFF, seed_forms
from tests.browser.form_trials import (
    confirm_applicants,
    emails,
    press_button,
    send_passwords,
    try_form,
    unfilled_fields,
)
from tests.browser.form_walk import FoundForm, find_forms, pattern_of
from tests.browser.site import OWNER, Site, run_site
from tests.browser.steps import sign_in_by_request

WAYS = (("phone", True), ("desk", False), ("desk", True), ("phone", False))
FULL = os.environ.get("HOMEWARD_EVERY_FORM") == "full"
PEOPLE = {"visitor": "", "staff": STAFF, "owner": OWNER, "owner with domains": CONNECTED_OWNER}
"""The people who try the forms. The first person who finds a form tries it."""


@pytest.fixture(scope="module")
def own_site(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A service for these tests only, because every form changes data."""
    with run_site(tmp_path_factory.mktemp("forms") / "instance", seed_forms) as running:
        yield running


COOKIES: dict[tuple[str, str], list[Any]] = {}
"""The session cookies of a person, by site and address. Each person signs in only once."""


def open_signed_in(chromium: Browser, site: Site, address: str, size: str, script: bool) -> BrowserContext:
    context = open_context(chromium, site, size, script)
    if address:
        context.add_cookies(COOKIES.get((site.root, address), []))
        page = context.new_page()
        sign_in_by_request(page, address)
        page.close()
        COOKIES[site.root, address] = list(context.cookies())
    return context


def default_way(form: FoundForm, nth: int) -> int:
    """Return the index in ``WAYS`` of the default way to try a form."""
    if form.has_checks:
        return 0
    return 1 if is_sent_while_typing(form) else nth % 2


def find_all_forms(chromium: Browser, site: Site) -> list[tuple[str, FoundForm]]:
    """Return every kind of form, with the first person who found it."""
    found: dict[object, tuple[str, FoundForm]] = {}
    for who, address in PEOPLE.items():
        context = open_signed_in(chromium, site, address, "desk", True)
        starts = [place for place in site.places.values() if place.startswith("/")]
        if not address:
            starts = [place for place in starts if not place.startswith("/projects/")]
        elif address == CONNECTED_OWNER:
            starts = ["/projects"]
        else:  # Pages that everyone may see are the same for all people.
            starts = [place for place in starts if place.startswith(("/projects/", "/account"))]
        for form in find_forms(context.request, site.root, starts):
            found.setdefault(re.sub(r"/projects/[\w-]+", "/projects/x", str(form.key)), (who, form))
        context.close()
    return list(found.values())


def test_every_form_keeps_the_typed_values(chromium: Browser, own_site: Site) -> None:
    forms = find_all_forms(chromium, own_site)
    assert len(forms) > 35, "the walk finds the forms"
    results: dict[str, str] = {}
    wrong: list[str] = []
    contexts: dict[tuple[str, str, bool], Page] = {}
    for nth, (who, form) in enumerate(forms):
        # A form whose fields send their own requests is tried with JavaScript. Decisions and removals are
        # tried only once, because they work only once.
        all_ways = FULL and rule_of(form) not in ("email", "once")
        for size, script in WAYS if all_ways else [WAYS[default_way(form, nth)]]:
            if script and is_sent_while_typing(form):
                continue  # With JavaScript, these forms have their own tests.
            known = (who, size, script)
            if known not in contexts:
                context = open_signed_in(chromium, own_site, PEOPLE[who], size, script)
                contexts[known] = context.new_page()
                contexts[known].on("dialog", lambda dialog: dialog.accept())
            named = f"{form.method} {pattern_of(form.action)} on {form.page} ({who}, {size}, {script})"
            try:
                results[named] = try_form(contexts[known], own_site, form)
            except Exception as error:  # Each form is tried, and all errors are reported together.
                wrong.append(f"{named}: {type(error).__name__}: {str(error)[:600]}")
    for page in contexts.values():
        page.context.close()
    # These forms are last. A new password ends other sessions, and a link that sets a password works only
    # once.
    for who, form in forms:
        if rule_of(form) == "credentials":
            context = open_signed_in(chromium, own_site, PEOPLE[who], "phone", True)
            named = f"password for {pattern_of(form.action)} ({who})"
            try:
                results[named] = send_passwords(context.new_page(), form)
            except Exception as error:
                wrong.append(f"{named}: {type(error).__name__}: {str(error)[:600]}")
            context.close()
    wrong += [
        f"{place_of(form)}: never filled in: {gap}" for _, form in forms if (gap := unfilled_fields(form))
    ]
    fields = Counter(who for who, form in forms for name in {name for name, _ in form.controls})
    print(Counter(who for who, _ in forms), fields)
    print("\n".join(f"{came}: {named}" for named, came in results.items()))
    assert wrong == [], "\n".join(wrong)
    assert sum(came in ("stored", "saved", "shown", "emailed") for came in results.values()) >= 20


def test_the_email_of_a_bulk_decline_is_kept(chromium: Browser, own_site: Site) -> None:
    confirm_applicants(own_site)
    context = open_signed_in(chromium, own_site, STAFF, "desk", False)
    page = context.new_page()
    page.goto(own_site.places["inbox"])
    for tick in page.locator("[name=case]").all()[:2]:
        tick.press("Space")
    page.get_by_role("button", name="Decline…").press("Enter")
    text = page.get_by_label("Email text")
    typed = "Typed once for several & kept"
    text.fill("")
    page.get_by_role("button", name="Decline 2 applications").press("Enter")
    expect(page.locator(".error-summary")).to_be_visible()
    text.fill(f"{typed}.")
    page.get_by_role("button", name="Decline 2 applications").press("Enter")
    expect(page.get_by_text("2 applications declined. 2 emails sent")).to_be_visible()
    assert emails(own_site).count(typed) >= 2
    context.close()


@pytest.fixture
def untouched_site(chromium: Browser, tmp_path: Path) -> Iterator[Site]:
    with run_site(tmp_path / "instance", seed_forms) as running:
        yield running


PRESSED_LAST = ("/removal", "/sign-out", "/departure")
"""Ends of addresses of buttons that remove something. These buttons are pressed last."""


def button_order(form: FoundForm) -> int:
    ending = "/" + pattern_of(form.action or form.page).rpartition("/")[2]
    return PRESSED_LAST.index(ending) if ending in PRESSED_LAST else -1


def test_every_button_without_fields_works(chromium: Browser, untouched_site: Site) -> None:
    """The buttons decide on held applications, delete, undo, remove and publish."""
    wrong, results = list[str](), Counter[str]()
    people = {"staff": STAFF, "owner": OWNER, "owner with domains": CONNECTED_OWNER}
    for who, address in people.items() if FULL else [("staff", STAFF)]:
        context = open_signed_in(chromium, untouched_site, address, "desk", False)
        starts = [place for place in untouched_site.places.values() if place.startswith("/")]
        starts = ["/projects"] if address == CONNECTED_OWNER else starts
        forms = [
            form
            for form in find_forms(context.request, untouched_site.root, starts, has_fields=False)
            if form.method == "post"
        ]
        context.close()
        context = open_signed_in(chromium, untouched_site, address, "phone", True)
        for form in sorted(forms, key=button_order)[:: 1 if FULL else 2]:
            page = context.new_page()
            sign_in_by_request(page, address)  # The previous button may have ended the session.
            came = press_button(page, form)
            page.close()
            results[came] += 1
            if came not in ("answered", "gone", "no button", "needs a file"):
                wrong.append(f"{who}: {pattern_of(form.action)} on {form.page}: {came}")
        context.close()
    print(results)
    assert wrong == []
    assert results["answered"] > (30 if FULL else 3)


def test_a_new_kind_of_form_needs_a_rule() -> None:
    form = FoundForm("/projects/elm/gifts", 0, "post", "/projects/elm/gifts", (("donor", "text"),))
    with pytest.raises(AssertionError, match="post /projects/x/gifts: no rule for this form"):
        kind_of(form)

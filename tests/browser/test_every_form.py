"""Every form of the service, found by following links: what is typed in it is kept.

By default each form is tried once, in turn on a phone with JavaScript and at a desk without. All four ways:

    HOMEWARD_EVERY_FORM=full .venv/bin/pytest -s tests/browser/test_every_form.py
"""

import email
import itertools
import os
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from email import policy

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.browser.conftest import opened
from tests.browser.connected import CONNECTED_OWNER
from tests.browser.form_rules import kind_of, rule_of
from tests.browser.form_seeds import STAFF, seed_forms
from tests.browser.form_walk import (
    FoundForm,
    controls_of,
    forms_from,
    pattern_of,
    type_in,
    values_of,
)
from tests.browser.site import OWNER, Site, furnished
from tests.browser.steps import let_in

WAYS = (("phone", True), ("desk", False), ("desk", True), ("phone", False))
FULL = os.environ.get("HOMEWARD_EVERY_FORM") == "full"
PEOPLE = {"visitor": "", "staff": STAFF, "owner": OWNER, "owner with domains": CONNECTED_OWNER}
"""Each form is tried by the first of them that finds it."""
NUMBERS = itertools.count(1)

FOLLOWS_FROM_OTHERS = {"listed", "breed_unknown", "special_needs", "birth_date_estimated", "on_hold"}
"""Ticks that the rules set by other answers: an animal on hold is not shown, a known breed is not unknown."""


@pytest.fixture(scope="module")
def own_site(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A service of its own, since every form changes something."""
    with furnished(tmp_path_factory.mktemp("forms") / "instance", seed_forms) as running:
        yield running


def signed_in(chromium: Browser, site: Site, address: str, size: str, script: bool) -> BrowserContext:
    context = opened(chromium, site, size, script)
    if address:
        let_in(context.new_page(), address)
    return context


def found_forms(chromium: Browser, site: Site) -> list[tuple[str, FoundForm]]:
    """Return every kind of form with the person who found it first."""
    found: dict[object, tuple[str, FoundForm]] = {}
    for who, address in PEOPLE.items():
        context = signed_in(chromium, site, address, "desk", True)
        starts = [place for place in site.places.values() if place.startswith("/")]
        if not address:
            starts = [place for place in starts if not place.startswith("/projects/")]
        elif address == CONNECTED_OWNER:
            starts = ["/projects"]
        for form in forms_from(context.request, site.root, starts):
            found.setdefault(re.sub(r"/projects/[\w-]+", "/projects/x", str(form.key)), (who, form))
        context.close()
    return list(found.values())


def form_on(page: Page, wanted: FoundForm) -> Locator | None:
    """Return the form on this page that asks the same things and is sent to the same kind of address."""
    names = [name for name, _ in wanted.controls]
    for each in page.locator("form").all():
        action = str(each.evaluate("form => form.getAttribute('action') || location.pathname"))
        has = each.evaluate("(form, names) => names.every((name) => form.elements[name])", names)
        if has and pattern_of(action) == pattern_of(wanted.action or wanted.page):
            return each
    return None


BUTTON = """form => {
  const buttons = [...form.elements].filter((each) => each.type === "submit" && !each.disabled);
  return buttons.find((each) => each.checkVisibility()) ?? buttons[0];
}"""


def open_details(form: Locator) -> None:
    """Open what the form is folded into, and what is folded in it."""
    form.evaluate(
        """form => {
          form.querySelectorAll("details").forEach((each) => (each.open = true));
          for (let each = form; each; each = each.parentElement)
            if (each.localName === "details") each.open = true;
        }"""
    )


def press(form: Locator) -> None:
    """Press the form's button, wherever on the page it is, and wait for what comes of it."""
    page = form.page
    button = form.evaluate_handle(BUTTON).as_element()
    assert button, "a form has a button"
    expect(page.locator(".htmx-request")).to_have_count(0)
    if not button.is_visible():  # every change is sent at once
        return
    with page.expect_response(lambda response: response.request.method == "POST") as sent:
        button.click()
    if target := sent.value.headers.get("hx-redirect"):
        page.wait_for_url(f"**{target}")
    page.wait_for_load_state("networkidle")


def try_form(page: Page, site: Site, wanted: FoundForm) -> str:
    """Fill in a form and send it. Return what came of it; fail where something typed is gone."""
    kind = kind_of(wanted)
    if kind in ("search", "device", "rows"):
        return kind
    page.goto(wanted.page)
    form = form_on(page, wanted)
    assert form, "the form is on its page"
    open_details(form)
    if kind == "credentials" and not controls_of(form):
        return "only passwords"
    assert controls_of(form), "the form has a field that can be filled in"
    type_in(page, form, next(NUMBERS))
    typed = values_of(form)
    press(form)
    if kind == "credentials":
        again = form_on(page, wanted)
        assert again, "without a password it is refused"
        assert_kept(typed, values_of(again))
        return "refused and kept"
    if kind == "once":
        return "sent"
    for _ in range(2):
        again = form_on(page, wanted)
        refused = page.locator(".error-summary a").all()
        if not refused or not again:
            break
        assert_kept(typed, values_of(again))
        for link in refused:
            empty(page, str(link.get_attribute("href")))
        typed = values_of(again)
        press(again)
    if page.locator(".error-summary").count():
        again = form_on(page, wanted)
        assert again, "a refused form is shown again"
        assert_kept(typed, values_of(again))
        return "refused and kept"
    if kind == "edit":
        page.goto(wanted.page)
        again = form_on(page, wanted)
        assert again, "the form's page shows it again"
        open_details(again)
        if typed.get("to") == ["site"]:  # a domain that shows the site has no status of a redirect
            del typed["status"]
        assert_kept(typed, values_of(again))
        return "stored"
    if kind == "email":
        assert page.locator('.notice[data-tone="good"]').count(), "the answer says that it went well"
        assert all(text in emails(site) for text in texts_of(typed)), "the email has what was typed"
        return "emailed"
    if kind == "application":
        return find_application(page, wanted, typed)
    return find_saved(page, wanted, typed)


def find_application(page: Page, wanted: FoundForm, typed: dict[str, list[str]]) -> str:
    """Find an application's answers on its private page, which asks for the applicant's name."""
    if (link := page.get_by_role("link", name="Follow your application")).count():
        link.click()
    page.get_by_label("Your name").fill(typed["name"][0])
    page.get_by_role("button", name="Show").click()
    page.wait_for_load_state("networkidle")
    shown = page.locator("body").inner_text()
    lost = [text for text in texts_of(typed) if text not in shown]
    assert lost == [], (lost, page.url)
    return "shown"


def texts_of(typed: dict[str, list[str]]) -> list[str]:
    lines = [line for values in typed.values() for value in values for line in value.splitlines()]
    return [line for line in lines if re.search("[Tt]yped|First line", line)]


def emails(site: Site) -> str:
    """Return the texts of all emails: those that wait, then those that were sent."""
    with closing(sqlite3.connect(site.instance / "homeward.sqlite3")) as database:
        texts = [text for (text,) in database.execute("SELECT text FROM letters")]
    for file in (site.instance / "mail").glob("*.eml"):
        message = email.message_from_bytes(file.read_bytes(), policy=policy.default)
        part = message.get_body(("plain",))
        texts.append(part.get_content() if part else "")
    return "\n".join(texts)


def empty(page: Page, control: str) -> None:
    """Leave out what was refused: what is right may depend on things that this test knows nothing of."""
    target = page.locator(control)
    if target.evaluate("each => ['text', 'textarea', 'date'].includes(each.type)"):
        target.fill("")


def find_saved(page: Page, wanted: FoundForm, typed: dict[str, list[str]]) -> str:
    """Find what was typed, in a form or as text: on the answer, on the form's page, or a link away."""
    texts = texts_of(typed)
    answer = page.locator("body").inner_text()
    named = page.locator("main a", has_text=texts[0]).all() if texts else []
    others = page.locator("main a").all()[:6]
    links = [str(link.get_attribute("href")) for link in [*named[:2], *others]]
    places = [page.url, wanted.page, *(link for link in links if link.startswith("/"))]
    shown = answer
    for place in dict.fromkeys(places):
        page.goto(place)
        for form in (form_on(page, wanted), edit_form(page, wanted)):
            if form and not missing(typed, values_of(form)):
                return "saved"
        shown += page.locator("body").inner_text()
    lost = [text for text in texts if text not in shown]
    # What a visitor sends goes on by email; the page says where to.
    assert not lost or any(text in answer for text in texts), (lost, page.url)
    return "shown"


def edit_form(page: Page, wanted: FoundForm) -> Locator | None:
    """Return the form on this page that asks the same things, wherever it is sent."""
    names = [name for name, _ in wanted.controls]
    for each in page.locator("form").all():
        if each.evaluate("(form, names) => names.every((name) => form.elements[name])", names):
            return each
    return None


def missing(typed: dict[str, list[str]], kept: dict[str, list[str]]) -> dict[str, tuple[object, object]]:
    return {
        name: (values, kept.get(name))
        for name, values in typed.items()
        if name not in FOLLOWS_FROM_OTHERS and tidy(values) != tidy(kept.get(name, []))
    }


def tidy(values: list[str]) -> list[str]:
    return [value.strip() for value in values if value.strip()]


def assert_kept(typed: dict[str, list[str]], kept: dict[str, list[str]]) -> None:
    gone = missing(typed, kept)
    assert gone == {}, f"typed and not kept: {gone}"


def test_what_is_typed_in_any_form_is_kept(chromium: Browser, own_site: Site) -> None:
    forms = found_forms(chromium, own_site)
    assert len(forms) > 35, "the walk finds the forms"
    results: dict[str, str] = {}
    wrong: list[str] = []
    contexts: dict[tuple[str, str, bool], Page] = {}
    for nth, (who, form) in enumerate(forms):
        # A form whose fields send requests of their own is tried where they do.
        # What it decides or removes can be decided once.
        all_ways = FULL and rule_of(form) not in ("email", "once")
        for size, script in WAYS if all_ways else [WAYS[0 if form.has_checks else nth % 2]]:
            known = (who, size, script)
            if known not in contexts:
                context = signed_in(chromium, own_site, PEOPLE[who], size, script)
                contexts[known] = context.new_page()
                contexts[known].on("dialog", lambda dialog: dialog.accept())
            named = f"{form.method} {pattern_of(form.action)} on {form.page} ({who}, {size}, {script})"
            try:
                results[named] = try_form(contexts[known], own_site, form)
            except Exception as error:  # each form is tried, and all that is wrong is reported
                wrong.append(f"{named}: {type(error).__name__}: {str(error)[:600]}")
    for page in contexts.values():
        page.context.close()
    fields = Counter(who for who, form in forms for name in {name for name, _ in form.controls})
    print(Counter(who for who, _ in forms), fields)
    print("\n".join(f"{came}: {named}" for named, came in results.items()))
    assert wrong == [], "\n".join(wrong)
    assert sum(came in ("stored", "saved", "shown", "emailed") for came in results.values()) >= 20


def test_the_email_of_a_bulk_decline_is_kept(chromium: Browser, own_site: Site) -> None:
    context = signed_in(chromium, own_site, STAFF, "desk", False)
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


def test_a_new_kind_of_form_needs_a_rule() -> None:
    form = FoundForm("/projects/elm/gifts", 0, "post", "/projects/elm/gifts", (("donor", "text"),))
    with pytest.raises(AssertionError, match="post /projects/x/gifts: no rule for this form"):
        kind_of(form)

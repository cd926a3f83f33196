"""Every form of the service, found by following links: what is typed in it is kept.

By default each form is tried once, in turn on a phone with JavaScript and at a desk without. All four ways:

    HOMEWARD_EVERY_FORM=full .venv/bin/pytest -s tests/browser/test_every_form.py
"""

import itertools
import os
import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.browser.conftest import opened
from tests.browser.connected import CONNECTED_OWNER
from tests.browser.form_walk import (
    CHOICES,
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
PEOPLE = {"visitor": "", "owner": OWNER, "owner with domains": CONNECTED_OWNER}
NUMBERS = itertools.count(1)

FOLLOWS_FROM_OTHERS = {"listed", "breed_unknown", "special_needs", "birth_date_estimated", "on_hold"}
"""Ticks that the rules set by other answers: an animal on hold is not shown, a known breed is not unknown."""


RULES: dict[str, Callable[[FoundForm], bool]] = {
    # What is typed is in the address of the result.
    "search": lambda form: form.method == "get",
    # A password is asked for, and never shown again.
    "credentials": lambda form: "password" in form.kinds,
    # A device answers it, which this browser has not.
    "device": lambda form: form.needs_device,
    # Ticks choose rows of a table, and a button does something with them.
    "rows": lambda form: [name for name, kind in form.controls if kind == "checkbox"].count("id") > 0,
    # A choice before something is done, such as where visitors are sent after a domain is removed.
    "choice": lambda form: form.method == "post" and form.kinds <= CHOICES | {"select"},
    "text": lambda form: form.method == "post",
}
"""What becomes of what is typed, by the first rule that fits. Only texts are looked for afterwards."""


def kind_of(form: FoundForm) -> str:
    return next(kind for kind, fits in RULES.items() if fits(form))


@pytest.fixture(scope="module")
def own_site(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A service of its own, since every form changes something."""
    with furnished(tmp_path_factory.mktemp("forms") / "instance") as running:
        yield running


def signed_in(chromium: Browser, site: Site, email: str, size: str, script: bool) -> BrowserContext:
    context = opened(chromium, site, size, script)
    if email:
        let_in(context.new_page(), email)
    return context


def found_forms(chromium: Browser, site: Site) -> list[tuple[str, FoundForm]]:
    """Return every kind of form with the person who found it first."""
    found: dict[object, tuple[str, FoundForm]] = {}
    for who, email in PEOPLE.items():
        context = signed_in(chromium, site, email, "desk", True)
        starts = [address for address in site.places.values() if address.startswith("/")]
        if not email:
            starts = [address for address in starts if not address.startswith("/projects/")]
        elif email != OWNER:
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


def try_form(page: Page, wanted: FoundForm) -> str:
    """Fill in a form and send it. Return what came of it; fail where something typed is gone."""
    kind = kind_of(wanted)
    page.goto(wanted.page)
    form = page.locator("form").nth(wanted.number)
    if kind != "text" or not controls_of(form):
        return kind
    type_in(page, form, next(NUMBERS))
    typed = values_of(form)
    press(form)
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
    return find_saved(page, wanted, typed)


def empty(page: Page, control: str) -> None:
    """Leave out what was refused: what is right may depend on things that this test knows nothing of."""
    target = page.locator(control)
    if target.evaluate("each => ['text', 'textarea', 'date'].includes(each.type)"):
        target.fill("")


def find_saved(page: Page, wanted: FoundForm, typed: dict[str, list[str]]) -> str:
    """Find what was typed, in a form or as text: on the answer, on the form's page, or a link away."""
    texts = [value for values in typed.values() for value in values if "Typed" in value or "typed" in value]
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
    assert len(forms) > 15, "the walk finds the forms"
    results: dict[str, str] = {}
    wrong: list[str] = []
    contexts: dict[tuple[str, str, bool], Page] = {}
    for nth, (who, form) in enumerate(forms):
        # A form whose fields send requests of their own is tried where they do.
        for size, script in WAYS if FULL else [WAYS[0 if form.has_checks else nth % 2]]:
            known = (who, size, script)
            if known not in contexts:
                context = signed_in(chromium, own_site, PEOPLE[who], size, script)
                contexts[known] = context.new_page()
                contexts[known].on("dialog", lambda dialog: dialog.accept())
            named = f"{form.method} {pattern_of(form.action)} on {form.page} ({who}, {size}, {script})"
            try:
                results[named] = try_form(contexts[known], form)
            except Exception as error:  # each form is tried, and all that is wrong is reported
                wrong.append(f"{named}: {type(error).__name__}: {str(error)[:600]}")
    for page in contexts.values():
        page.context.close()
    print("\n".join(f"{came}: {named}" for named, came in results.items()))
    assert wrong == [], "\n".join(wrong)
    assert sum(came in ("saved", "shown") for came in results.values()) >= 8

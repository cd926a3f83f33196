"""Trying a form: fill it in, send it, and look for the typed values."""

import email
import itertools
import os
import re
import sqlite3
from contextlib import AbstractContextManager, closing, nullcontext
from email import policy
from html import unescape
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Locator, Page, Response, expect

from tests.browser.form_rules import kind_of, place_of
from tests.browser.form_walk import FoundForm, controls_of, pattern_of, type_in, values_of
from tests.browser.site import PASSWORD, Site

NUMBERS = itertools.count(1)

FOLLOWS_FROM_OTHERS = {"listed", "breed_unknown", "special_needs", "birth_date_estimated", "on_hold"}
"""Checkboxes that follow from other answers: an animal on hold is not shown, a known breed is not unknown."""
FILLED: dict[FoundForm, set[str]] = {}
"""The names of the fields that were filled in, by form."""
FOR_PROGRAMS = {"subject"}
"""Fields that people do not see, but spam programs fill in."""


def find_form(page: Page, wanted: FoundForm) -> Locator | None:
    """Return the form on this page that has the same fields and is sent to the same kind of address."""
    names = [name for name, _ in wanted.controls]
    for each in page.locator("form").all():
        action = str(each.evaluate("form => form.getAttribute('action') || location.pathname"))
        has = each.evaluate("(form, names) => names.every((name) => form.elements[name])", names)
        if has and pattern_of(action) == pattern_of(wanted.action or wanted.page):
            return each
    return None


BUTTON = """form => {
  const buttons = [...form.elements].filter((each) => each.type === "submit" && !each.disabled);
  const shown = buttons.filter((each) => each.checkVisibility());
  return shown.find((each) => !each.hasAttribute("formaction")) ?? shown[0] ?? buttons[0];
}"""


def go_to(page: Page, address: str) -> Response | None:
    """Open a page. Wait for its scripts, but not for its pictures."""
    return page.goto(address, wait_until="domcontentloaded")


def waiting_for_page(page: Page) -> AbstractContextManager[object]:
    """When the block ends, wait for the page that it has opened, and for the page's scripts."""
    return page.expect_navigation(wait_until="domcontentloaded")


def expect_settled(page: Page) -> None:
    """Wait until responses that scripts requested are on the page."""
    expect(page.locator(".htmx-request, .htmx-swapping, .htmx-settling, .htmx-added")).to_have_count(0)


def open_details(form: Locator) -> None:
    """Open the disclosures inside and outside the form."""
    form.evaluate(
        """form => {
          form.querySelectorAll("details").forEach((each) => (each.open = true));
          form.querySelectorAll("[popover]:not(:popover-open)").forEach((each) => each.showPopover());
          for (let each = form; each; each = each.parentElement)
            if (each.localName === "details") each.open = true;
        }"""
    )


def press_form_button(form: Locator) -> None:
    """Press the form's button, wherever it is on the page. Wait for the result."""
    page = form.page
    button = form.evaluate_handle(BUTTON).as_element()
    assert button, "a form has a button"
    expect_settled(page)
    if not button.is_visible():  # The form sends each change immediately.
        return
    opens_page = form.evaluate(
        "form => !(window.htmx && form.matches('[hx-post]')) && !('download' in form.dataset)"
    )
    arrived = waiting_for_page(page) if opens_page else nullcontext()
    with arrived, page.expect_response(lambda response: response.request.method == "POST") as sent:
        button.click()
    if target := sent.value.headers.get("hx-redirect"):
        page.wait_for_url(f"**{target}", wait_until="domcontentloaded")
    expect_settled(page)


def try_form(page: Page, site: Site, wanted: FoundForm) -> str:
    """Fill in a form and send it. Return the result. Fails if a typed value is lost."""
    kind = kind_of(wanted)
    if kind == "device":
        return kind
    go_to(page, wanted.page)
    if kind == "rows":
        return try_rows(page, wanted)
    form = find_form(page, wanted)
    assert form, "the form is on its page"
    open_details(form)
    if kind == "credentials" and not controls_of(form):
        return "only passwords"
    assert controls_of(form), "the form has a field that can be filled in"
    type_in(page, form, next(NUMBERS))
    typed = values_of(form)
    FILLED.setdefault(wanted, set()).update(typed)
    if kind == "search":
        return try_search(page, form, wanted, typed)
    press_form_button(form)
    if kind == "credentials":
        again = find_form(page, wanted)
        assert again, "without a password it is refused"
        assert_kept(typed, values_of(again))
        return "refused and kept"
    if kind == "once":
        return "sent"
    for _ in range(2):
        again = find_form(page, wanted)
        refused = page.locator(".error-summary a").all()
        if not refused or not again:
            break
        assert_kept(typed, values_of(again))
        for link in refused:
            clear_field(page, str(link.get_attribute("href")))
        typed = values_of(again)
        press_form_button(again)
    if page.locator(".error-summary").count():
        again = find_form(page, wanted)
        assert again, "a refused form is shown again"
        assert_kept(typed, values_of(again))
        return "refused and kept"
    if kind == "edit":
        go_to(page, wanted.page)
        again = find_form(page, wanted)
        assert again, "the form's page shows it again"
        open_details(again)
        if typed.get("to") == ["site"]:  # a domain that shows the site has no redirect status
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
    """Find an application's answers on its private page. The page asks for the applicant's name."""
    if (link := page.get_by_role("link", name="Follow your application")).count():
        with waiting_for_page(page):
            link.click()
    page.get_by_label("Your name").fill(typed["name"][0])
    with waiting_for_page(page):
        page.get_by_role("button", name="Show").click()
    shown = page.locator("body").inner_text()
    lost = [text for text in texts_of(typed) if text not in shown]
    assert lost == [], (lost, page.url)
    return "shown"


def unfilled_fields(form: FoundForm) -> set[str]:
    """Return the names of fields that no trial of the form filled in."""
    asked = {name for name, control in form.controls if control != "password"}
    return asked - FILLED[form] - FOR_PROGRAMS if form in FILLED else set()


def try_search(page: Page, form: Locator, wanted: FoundForm, typed: dict[str, list[str]]) -> str:
    """Send a search by keyboard. The page shows the typed words, even after a reload."""
    button = form.evaluate_handle(BUTTON).as_element()
    with waiting_for_page(page):
        (button or form.locator("input:not([type=hidden])").first).press("Enter")
    for is_reloaded in (False, True):
        if is_reloaded:
            page.reload(wait_until="domcontentloaded")
        again = find_form(page, wanted) or edit_form(page, wanted)
        assert again, "the page of the search has its form"
        open_details(again)
        shown = values_of(again)
        assert_kept({name: values for name, values in typed.items() if name in shown}, shown)
    return "found"


TICKS = "input[type=checkbox]:not([data-select-all]):not([name=all])"


BUTTONS_MOST = None if os.environ.get("HOMEWARD_EVERY_FORM") == "full" else 2


def try_rows(page: Page, wanted: FoundForm) -> str:
    """Select two rows and press each button in turn.

    The selection is kept, or the button's action is done for both rows.
    """
    form = find_form(page, wanted)
    if form is None and page.locator(".empty-state").count():
        return "no rows left"
    assert form, "the form is on its page"
    names = [str(button.inner_text()) for button in form.locator(".bulk-bar button:not([type=reset])").all()]
    for name in names[:BUTTONS_MOST]:
        go_to(page, wanted.page)
        form = find_form(page, wanted)
        assert form, "the form is on its page"
        ticks = form.locator(TICKS)
        count = min(2, ticks.count())
        if not count:  # The previous button changed all rows.
            break
        for tick in ticks.all()[:count]:
            tick.press("Space")
        ticked = [tick.input_value() for tick in ticks.all()[:count]]
        form.locator(".bulk-bar").get_by_role("button", name=name, exact=True).press("Enter")
        answer = page.locator(".notice, dialog[open], .question, .question-form").first
        expect(answer).to_be_visible()
        kept = [tick.input_value() for tick in page.locator(f"{TICKS}:checked").all()]
        hidden = page.locator(":is(dialog, .question, .question-form) input[type=hidden]").all()
        carried = {field.input_value() for field in hidden} | set(
            parse_qs(urlsplit(page.url).query).get("id", [])
        )
        said = page.locator(".notice").all_inner_texts()
        # If no choice is missing, the rows already have the chosen value, or a hold prevents the change.
        is_needless = any(re.match("Nothing was changed.(?!.*(Choose|Tick))", text) for text in said)
        is_used = page.locator('.notice[data-tone="good"]').count() or is_needless
        assert is_used or set(ticked) <= set(kept) | carried, (name, ticked, page.url, said)
    return "used or kept"


def send_passwords(page: Page, wanted: FoundForm) -> str:
    """Send a form with the passwords that it asks for. It must be accepted."""
    go_to(page, wanted.page)
    form = find_form(page, wanted)
    assert form, "the form is on its page"
    open_details(form)
    if place_of(wanted) != "/sign-in":
        type_in(page, form, next(NUMBERS))
    for field in form.locator("[type=password]").all():
        field.fill(PASSWORD)
        field.press("Tab")
    typed = values_of(form)
    press_form_button(form)
    if place_of(wanted) == "/sign-in":
        return "signed in by others"
    assert not page.locator(".error-summary").count(), page.locator(".error-summary").inner_text()
    lost = [text for text in texts_of(typed) if text not in page.content()]
    if lost:
        page.goto("/account")
        lost = [text for text in texts_of(typed) if text.replace("&", "&amp;") not in page.content()]
    assert lost == [], (lost, page.url)
    return "accepted"


def press_button(page: Page, wanted: FoundForm) -> str:
    """Press the button of a form without fields. Return the result, or the error."""
    shown = go_to(page, wanted.page)
    form = find_form(page, wanted)
    if not shown or shown.status >= 400 or form is None:
        return "gone"  # A previous button has already done this action.
    open_details(form)
    if form.locator("[type=file]").count():
        return "needs a file"
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer) if answer.request.method == "POST" else None)
    button = form.evaluate_handle(BUTTON).as_element()
    if button is None or not button.is_visible():
        return "no button"
    button.click()
    page.wait_for_timeout(300)
    page.wait_for_load_state("networkidle")
    if not answers:
        return "not sent"
    # 409: a previous button has already done or undone this action.
    status = answers[-1].status
    return (
        "answered" if status < 400 or status == 409 else f"{status}: {page.locator('h1').first.inner_text()}"
    )


def texts_of(typed: dict[str, list[str]]) -> list[str]:
    lines = [line for values in typed.values() for value in values for line in value.splitlines()]
    return [line for line in lines if re.search("[Tt]yped|First line", line)]


def emails(site: Site) -> str:
    """Return the texts of all emails: first the waiting emails, then the sent ones."""
    with closing(sqlite3.connect(site.instance / "homeward.sqlite3")) as database:
        texts = [text for (text,) in database.execute("SELECT text FROM letters")]
    for file in (site.instance / "mail").glob("*.eml"):
        message = email.message_from_bytes(file.read_bytes(), policy=policy.default)
        part = message.get_body(("plain",))
        texts.append(part.get_content() if part else "")
    return "\n".join(texts)


def confirm_applicants(site: Site) -> None:
    """Mark all applicants as confirmed, including applicants that this test added."""
    with closing(sqlite3.connect(site.instance / "homeward.sqlite3")) as database, database:
        database.execute("UPDATE applications SET confirmed_at = created_at WHERE confirmed_at IS NULL")


def clear_field(page: Page, control: str) -> None:
    """Clear a rejected field. A valid value may depend on data that the test does not know."""
    target = page.locator(control)
    if target.evaluate("each => ['text', 'textarea', 'date'].includes(each.type)"):
        target.fill("")


def find_saved(page: Page, wanted: FoundForm, typed: dict[str, list[str]]) -> str:
    """Find the typed values as text or in a form.

    They may be in the response, on the form's page, or a link away.
    """
    texts = texts_of(typed)
    answer = page.locator("body").inner_text()
    named = page.locator("main a", has_text=texts[0]).all() if texts else []
    others = page.locator("main a").all()[:6]
    links = [str(link.get_attribute("href")) for link in [*named[:2], *others]]
    places = [wanted.page, *(link for link in links if link.startswith("/"))]
    if is_saved(page, wanted, typed):
        return "saved"
    shown = answer
    for place in dict.fromkeys(places):
        source = unescape(page.context.request.get(place).text())
        if texts and not any(text in source for text in texts):
            continue
        go_to(page, place)
        if is_saved(page, wanted, typed):
            return "saved"
        shown += page.locator("body").inner_text()
    lost = [text for text in texts if text not in shown]
    # A visitor's message is forwarded by email. The page says to whom.
    assert not lost or any(text in answer for text in texts), (lost, page.url)
    return "shown"


def is_saved(page: Page, wanted: FoundForm, typed: dict[str, list[str]]) -> bool:
    """Return whether a form on this page shows all typed values."""
    forms = (find_form(page, wanted), edit_form(page, wanted))
    return any(not missing_texts(typed, values_of(form)) for form in forms if form)


def edit_form(page: Page, wanted: FoundForm) -> Locator | None:
    """Return the form on this page that has the same fields. It may be sent anywhere."""
    names = [name for name, _ in wanted.controls]
    for each in page.locator("form").all():
        if each.evaluate("(form, names) => names.every((name) => form.elements[name])", names):
            return each
    return None


def missing_texts(
    typed: dict[str, list[str]], kept: dict[str, list[str]]
) -> dict[str, tuple[object, object]]:
    return {
        name: (values, kept.get(name))
        for name, values in typed.items()
        if name not in FOLLOWS_FROM_OTHERS
        and normalize_values(name, values) != normalize_values(name, kept.get(name, []))
    }


def normalize(values: list[str]) -> list[str]:
    return [value.strip() for value in values if value.strip()]


def normalize_values(name: str, values: list[str]) -> list[str]:
    """Return the values for comparison. Blank lines of a question's options are dropped."""
    return normalize(
        [line for value in values for line in value.splitlines()] if name == "options" else values
    )


def assert_kept(typed: dict[str, list[str]], kept: dict[str, list[str]]) -> None:
    gone = missing_texts(typed, kept)
    assert gone == {}, f"typed and not kept: {gone}"

"""Steps to pages that have no address."""

import itertools
import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.connected import CONNECTED_OWNER, FREE_OWNER
from tests.browser.imported import IMPORT_OWNER
from tests.browser.site import OWNER, PASSWORD, STAFF_PLACES, Site

NUMBERS = itertools.count(1)


def fill_application(page: Page, email: str) -> None:
    page.get_by_label("Your name").fill("Sam O'Neill")
    page.get_by_label("Email").fill(email)
    page.get_by_label("I own my home").check()
    page.get_by_label("Why would").fill("There is a garden, and somebody is at home all day.")


def send_application(page: Page) -> None:
    page.get_by_role("button", name="Send application").click()


def send_invalid_application(page: Page, site: Site) -> None:
    page.goto(site.places["animal"])
    page.get_by_label("Email").fill("sam at example.org")
    send_application(page)
    expect(page.locator(".error-summary")).to_be_visible()


def submit_application(page: Page, site: Site) -> None:
    page.goto(site.places["animal"])
    fill_application(page, f"somebody-{next(NUMBERS)}@example.org")
    send_application(page)
    expect(page.get_by_role("link", name="Follow your application")).to_be_visible()


def open_private_page(page: Page, site: Site) -> None:
    submit_application(page, site)
    page.get_by_role("link", name="Follow your application").click()
    expect(page.get_by_role("link", name="Withdraw application")).to_be_visible()


def ask_to_withdraw(page: Page, site: Site) -> None:
    open_private_page(page, site)
    page.get_by_role("link", name="Withdraw application").click()
    expect(page.get_by_role("button", name="Withdraw application")).to_be_visible()


def withdraw_application(page: Page, site: Site) -> None:
    ask_to_withdraw(page, site)
    page.get_by_role("button", name="Withdraw application").click()
    page.wait_for_url(lambda address: not address.endswith("/withdrawal"))


def sign_in(page: Page, email: str = OWNER) -> None:
    """Sign in with the form. Afterwards the page of the project is open."""
    page.goto("/sign-in")
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url("**/projects/**")


def sign_in_by_request(page: Page, email: str = OWNER) -> None:
    """Sign this browser in without opening a page. Do nothing if the browser is already signed in."""
    asked = page.context.request.get("/sign-in")
    if 'name="password"' not in asked.text():
        return
    token = re.search(r'name="csrf_token" value="([^"]+)"', asked.text())
    assert token is not None
    form = {"csrf_token": token[1], "email": email, "password": PASSWORD}
    answer = page.context.request.post("/sign-in", form=form, headers={"Referer": asked.url})  # type: ignore[arg-type]
    assert "/projects/" in answer.url


STEPS = {
    "apply-errors": send_invalid_application,
    "apply-thanks": submit_application,
    "application": open_private_page,
    "application-withdrawal": ask_to_withdraw,
    "application-withdrawn": withdraw_application,
}


def submit_invalid_animal(page: Page, site: Site) -> None:
    page.goto(site.places["staff-animal-new"])
    page.get_by_role("button", name="Add animal").click()
    expect(page.locator(".error-summary")).to_be_visible()


def open_edit_conflict(page: Page, site: Site) -> None:
    page.goto(site.places["staff-animal-edit"])
    # The page looks as if it was opened before another user saved the animal.
    page.locator("[name=opened]").evaluate("field => { field.value = 'before' }")
    page.get_by_label("Colours").fill(f"Blue {next(NUMBERS)}")
    page.get_by_role("button", name="Save changes").click()
    expect(page.get_by_role("link", name="Discard my changes")).to_be_visible()


def select_two_animals(page: Page, site: Site) -> None:
    page.goto(site.places["staff-animals"])
    for row in page.locator("tbody tr").all()[:2]:
        row.get_by_role("checkbox").check()
    expect(page.get_by_text("2 selected").first).to_be_visible()


def open_bulk_details(page: Page, site: Site) -> None:
    select_two_animals(page, site)
    page.get_by_role("button", name="Change details").click()
    expect(page.get_by_label("House trained")).to_be_visible()


def submit_invalid_key(page: Page, site: Site) -> None:
    page.goto(site.places["keys"])
    page.get_by_role("button", name="Create key").click()
    expect(page.locator(".error-summary")).to_be_visible()


def create_key(page: Page, site: Site) -> None:
    page.goto(site.places["keys"])
    page.get_by_label("Name", exact=True).fill("Kennel software")
    page.get_by_role("button", name="Create key").click()
    expect(page.locator("#new-key")).to_be_visible()


def submit_invalid_texts(page: Page, site: Site) -> None:
    page.goto(site.places["general"])
    page.get_by_label("Name", exact=True).fill("")
    page.get_by_label("Your colour").fill("bottle green")
    page.get_by_role("button", name="Save draft").click()
    expect(page.locator(".error-summary")).to_be_visible()


def save_draft(page: Page, site: Site) -> None:
    page.goto(site.places["general"])
    page.get_by_label("Contact phone").fill(f"01632 960 {next(NUMBERS):03}")
    page.get_by_label("Your colour").fill("#ffe14d")
    page.get_by_role("button", name="Save draft").click()
    expect(page.get_by_text("not published yet")).to_be_visible()


SPREADSHEET = (
    "ShelterCode,Call name,SpeciesName,DateOfBirth,photo1\n"
    "ZQ1,Teasel,Cat,4/5/2020,https://pictures.example/teasel.jpg\n"
    "ZQ2,Olive,,2024-02-28,\nZQ3,Possy,Opossum,,\n"
)


def upload_spreadsheet(page: Page, site: Site) -> None:
    page.goto(site.places["staff-imports"])
    # The header is unique. Otherwise the choices of an earlier test for this header would be filled in.
    text = SPREADSHEET.replace("\n", f",List {next(NUMBERS)}\n", 1)
    file = {"name": "november-intake.csv", "mimeType": "text/csv", "buffer": text.encode()}
    page.get_by_label("Spreadsheet").set_input_files(file)  # type: ignore[arg-type]
    page.get_by_role("button", name="Upload file").click()
    expect(page.get_by_role("heading", name="november-intake.csv")).to_be_visible()


def choose_invalid_column(page: Page, site: Site) -> None:
    upload_spreadsheet(page, site)
    page.get_by_label("Call name").select_option("Species")
    expect(page.locator(".field-error")).to_be_visible()


def check_import(page: Page, site: Site) -> None:
    upload_spreadsheet(page, site)
    page.get_by_label("Call name").select_option("Name")
    expect(page.locator("td").get_by_text("Teasel", exact=True)).to_have_count(2)
    page.get_by_label("The day first").check()
    page.get_by_role("button", name="Check file").click()
    expect(page.get_by_role("heading", name="What an import would do")).to_be_visible()


def switch_user(page: Page, email: str) -> None:
    page.context.clear_cookies()
    sign_in_by_request(page, email)


def open_as(name: str, email: str = CONNECTED_OWNER) -> Callable[[Page, Site], None]:
    """Return a step that opens a page as an owner."""

    def look(page: Page, site: Site) -> None:
        switch_user(page, email)
        page.goto(site.places[name])

    return look


def submit_invalid_domain(page: Page, site: Site) -> None:
    open_as("domains")(page, site)
    page.get_by_label("Domain you own").fill("my_shelter.example.org")
    page.get_by_role("button", name="Add domain").click()
    expect(page.locator(".error-summary")).to_be_visible()


STAFF_STEPS: dict[str, Callable[[Page, Site], None]] = {
    "key-errors": submit_invalid_key,
    "key-created": create_key,
    "general-errors": submit_invalid_texts,
    "general-draft": save_draft,
    "staff-animal-errors": submit_invalid_animal,
    "staff-animal-meanwhile": open_edit_conflict,
    "staff-animals-ticked": select_two_animals,
    "staff-animals-details": open_bulk_details,
    "staff-import-columns": upload_spreadsheet,
    "staff-import-errors": choose_invalid_column,
    "staff-import-tried": check_import,
    "import-questions": open_as("import-questions", IMPORT_OWNER),
    "import-done": open_as("import-done", IMPORT_OWNER),
    "import-undo": open_as("import-undo", IMPORT_OWNER),
    "domains": open_as("domains"),
    "domain-removal": open_as("domain-removal"),
    "domain-redirect": open_as("domain-redirect"),
    "domain-history": open_as("domain-history"),
    "domain-https": open_as("domain-https"),
    "domains-errors": submit_invalid_domain,
    "domains-plan": open_as("domains-plan", FREE_OWNER),
}
"""Steps to staff pages, for a browser that is signed in."""


def open_page(page: Page, site: Site, name: str) -> None:
    """Open a page by the name of its screenshot."""
    if name in STAFF_PLACES or name in STAFF_STEPS:
        sign_in_by_request(page)
    if name in STAFF_STEPS:
        STAFF_STEPS[name](page, site)
    elif name in STEPS:
        STEPS[name](page, site)
    else:
        page.goto(site.places[name])

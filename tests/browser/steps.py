"""What a person does to reach a page that has no address of its own."""

import itertools
import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.connected import CONNECTED_OWNER, FREE_OWNER
from tests.browser.imported import IMPORT_OWNER
from tests.browser.site import OWNER, PASSWORD, STAFF_PLACES, Site

NUMBERS = itertools.count(1)


def fill(page: Page, email: str) -> None:
    """Answer an application's questions."""
    page.get_by_label("Your name").fill("Sam O'Neill")
    page.get_by_label("Email").fill(email)
    page.get_by_label("I own my home").check()
    page.get_by_label("Why would").fill("There is a garden, and somebody is at home all day.")


def send(page: Page) -> None:
    page.get_by_role("button", name="Send application").click()


def slip(page: Page, site: Site) -> None:
    page.goto(site.places["animal"])
    page.get_by_label("Email").fill("sam at example.org")
    send(page)
    expect(page.locator(".error-summary")).to_be_visible()


def apply(page: Page, site: Site) -> None:
    page.goto(site.places["animal"])
    fill(page, f"somebody-{next(NUMBERS)}@example.org")
    send(page)
    expect(page.get_by_role("link", name="Follow your application")).to_be_visible()


def follow(page: Page, site: Site) -> None:
    apply(page, site)
    page.get_by_role("link", name="Follow your application").click()
    expect(page.get_by_role("link", name="Withdraw application")).to_be_visible()


def think_of_withdrawing(page: Page, site: Site) -> None:
    follow(page, site)
    page.get_by_role("link", name="Withdraw application").click()
    expect(page.get_by_role("button", name="Withdraw application")).to_be_visible()


def withdraw(page: Page, site: Site) -> None:
    think_of_withdrawing(page, site)
    page.get_by_role("button", name="Withdraw application").click()
    page.wait_for_url(lambda address: not address.endswith("/withdrawal"))


def sign_in(page: Page, email: str = OWNER) -> None:
    """Be let in as people are; the page is then the project's."""
    page.goto("/sign-in")
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url("**/projects/**")


def let_in(page: Page, email: str = OWNER) -> None:
    """Have this browser signed in without drawing a page, unless it is."""
    asked = page.context.request.get("/sign-in")
    if 'name="password"' not in asked.text():
        return
    token = re.search(r'name="csrf_token" value="([^"]+)"', asked.text())
    assert token is not None
    form = {"csrf_token": token[1], "email": email, "password": PASSWORD}
    answer = page.context.request.post("/sign-in", form=form, headers={"Referer": asked.url})  # type: ignore[arg-type]
    assert "/projects/" in answer.url


STEPS = {
    "apply-errors": slip,
    "apply-thanks": apply,
    "application": follow,
    "application-withdrawal": think_of_withdrawing,
    "application-withdrawn": withdraw,
}


def slip_in_an_animal(page: Page, site: Site) -> None:
    page.goto(site.places["staff-animal-new"])
    page.get_by_role("button", name="Add animal").click()
    expect(page.locator(".error-summary")).to_be_visible()


def edit_what_another_edits(page: Page, site: Site) -> None:
    page.goto(site.places["staff-animal-edit"])
    # As if the page had been opened before somebody else saved.
    page.locator("[name=opened]").evaluate("field => { field.value = 'before' }")
    page.get_by_label("Colours").fill(f"Blue {next(NUMBERS)}")
    page.get_by_role("button", name="Save changes").click()
    expect(page.get_by_role("link", name="Discard my changes")).to_be_visible()


def tick_two_animals(page: Page, site: Site) -> None:
    page.goto(site.places["staff-animals"])
    for row in page.locator("tbody tr").all()[:2]:
        row.get_by_role("checkbox").check()
    expect(page.get_by_text("2 selected").first).to_be_visible()


def change_details(page: Page, site: Site) -> None:
    tick_two_animals(page, site)
    page.get_by_role("button", name="Change details").click()
    expect(page.get_by_label("House trained")).to_be_visible()


def slip_in_a_key(page: Page, site: Site) -> None:
    page.goto(site.places["keys"])
    page.get_by_role("button", name="Create key").click()
    expect(page.locator(".error-summary")).to_be_visible()


def create_a_key(page: Page, site: Site) -> None:
    page.goto(site.places["keys"])
    page.get_by_label("Name", exact=True).fill("Kennel software")
    page.get_by_role("button", name="Create key").click()
    expect(page.locator("#new-key")).to_be_visible()


def slip_in_the_texts(page: Page, site: Site) -> None:
    page.goto(site.places["general"])
    page.get_by_label("Name", exact=True).fill("")
    page.get_by_label("Your colour").fill("bottle green")
    page.get_by_role("button", name="Save draft").click()
    expect(page.locator(".error-summary")).to_be_visible()


def keep_a_draft(page: Page, site: Site) -> None:
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


def upload(page: Page, site: Site) -> None:
    page.goto(site.places["staff-imports"])
    # A header of its own: the choices of an earlier test for the same header would be filled in.
    text = SPREADSHEET.replace("\n", f",List {next(NUMBERS)}\n", 1)
    file = {"name": "november-intake.csv", "mimeType": "text/csv", "buffer": text.encode()}
    page.get_by_label("Spreadsheet").set_input_files(file)  # type: ignore[arg-type]
    page.get_by_role("button", name="Upload file").click()
    expect(page.get_by_role("heading", name="november-intake.csv")).to_be_visible()


def slip_in_an_import(page: Page, site: Site) -> None:
    upload(page, site)
    page.get_by_label("Call name").select_option("Species")
    expect(page.locator(".field-error")).to_be_visible()


def try_an_import(page: Page, site: Site) -> None:
    upload(page, site)
    page.get_by_label("Call name").select_option("Name")
    expect(page.locator("td").get_by_text("Teasel", exact=True)).to_have_count(2)
    page.get_by_label("The day first").check()
    page.get_by_role("button", name="Check file").click()
    expect(page.get_by_role("heading", name="What an import would do")).to_be_visible()


def let_in_anew(page: Page, email: str) -> None:
    page.context.clear_cookies()
    let_in(page, email)


def look_at(name: str, email: str = CONNECTED_OWNER) -> Callable[[Page, Site], None]:
    """As the owner of a shelter that has domains."""

    def look(page: Page, site: Site) -> None:
        let_in_anew(page, email)
        page.goto(site.places[name])

    return look


def slip_in_a_domain(page: Page, site: Site) -> None:
    look_at("domains")(page, site)
    page.get_by_label("Domain you own").fill("my_shelter.example.org")
    page.get_by_role("button", name="Add domain").click()
    expect(page.locator(".error-summary")).to_be_visible()


STAFF_STEPS: dict[str, Callable[[Page, Site], None]] = {
    "key-errors": slip_in_a_key,
    "key-created": create_a_key,
    "general-errors": slip_in_the_texts,
    "general-draft": keep_a_draft,
    "staff-animal-errors": slip_in_an_animal,
    "staff-animal-meanwhile": edit_what_another_edits,
    "staff-animals-ticked": tick_two_animals,
    "staff-animals-details": change_details,
    "staff-import-columns": upload,
    "staff-import-errors": slip_in_an_import,
    "staff-import-tried": try_an_import,
    "import-questions": look_at("import-questions", IMPORT_OWNER),
    "import-done": look_at("import-done", IMPORT_OWNER),
    "import-undo": look_at("import-undo", IMPORT_OWNER),
    "domains": look_at("domains"),
    "domain-removal": look_at("domain-removal"),
    "domain-redirect": look_at("domain-redirect"),
    "domain-history": look_at("domain-history"),
    "domain-https": look_at("domain-https"),
    "domains-errors": slip_in_a_domain,
    "domains-plan": look_at("domains-plan", FREE_OWNER),
}
"""The same for the staff's pages: whoever takes these steps has signed in."""


def show(page: Page, site: Site, name: str) -> None:
    """Go to a page, by the name of its picture."""
    if name in STAFF_PLACES or name in STAFF_STEPS:
        let_in(page)
    if name in STAFF_STEPS:
        STAFF_STEPS[name](page, site)
    elif name in STEPS:
        STEPS[name](page, site)
    else:
        page.goto(site.places[name])

"""General settings and publishing: drafts, deploys, rollbacks, and taking the site offline."""

import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from apiflask import APIFlask
from flask.testing import FlaskClient
from sqlalchemy import select, update
from werkzeug.test import TestResponse

from adoption.accounts.account_creation import create_account
from adoption.projects.models import Deploy, Project, VisibilityChange
from adoption.projects.publication import publish_site
from adoption.storage.database import reading, transaction
from tests import factories
from tests.cast import Colleague

TEXTS = {
    "name": "Elm Road Rescue",
    "about": "",
    "place": "",
    "contact_email": "owner@elm.example",
    "contact_phone": "",
    "colour": "",
    "currency": "USD",
    "language": "en",
}


def opened(who: Colleague, form: str = "texts-form") -> str:
    """Return the stored values of the form's fields."""
    page = who.get("settings").text.partition(f'id="{form}"')[2]
    return re.findall(r'name="opened" value="([^"]*)"', page)[0]


def save(who: Colleague, **given: object) -> TestResponse:
    return who.post("settings", {"opened": opened(who), **TEXTS, **given})


def publish_with(who: Colleague, **given: object) -> TestResponse:
    save(who, **given)
    return who.post("settings/deploys")


def project_of(who: Colleague) -> Project:
    with reading() as session:
        return session.get_one(Project, who.project_id)


def site(client: FlaskClient, who: Colleague) -> TestResponse:
    return client.get("/", headers={"Host": f"{who.slug}.localhost"})


def notices(who: Colleague, path: str = "settings") -> str:
    return " ".join(re.findall(r'class="notice staff-notice".*?</div>', who.get(path).text, re.DOTALL))


def test_visitors_see_a_draft_only_after_it_is_published(owner: Colleague, client: FlaskClient) -> None:
    assert save(owner, name="Elm Lane Rescue", place="Alderbrook").status_code == 303
    assert "Elm Lane" not in site(client, owner).text
    page = owner.get("settings").text
    assert "2 changes not published yet" in page
    assert '<del dir="auto">Elm Road Rescue</del>' in page
    assert '<ins dir="auto">Elm Lane Rescue</ins>' in page
    answer = owner.post("settings/deploys")
    told_at = (303, f"/projects/{owner.slug}/settings")
    assert (answer.status_code, answer.headers["Location"]) == told_at, "at the top, where the notice is"
    assert "Elm Lane Rescue" in site(client, owner).text
    assert "Everything you saved is published." in owner.get("settings").text


@pytest.mark.settings("embedded")
def test_the_page_says_that_many_animals_are_still_being_listed(owner: Colleague) -> None:
    listing = "Your animals are being added to the catalogue."
    assert listing not in owner.get("settings").text
    with transaction() as session:
        session.add(VisibilityChange(project_id=owner.project_id))
    assert listing in owner.get("settings").text
    owner.post("settings/offline")
    assert listing not in owner.get("settings").text


def test_the_publish_button_is_shown_only_if_there_is_something_to_publish(
    owner: Colleague, client: FlaskClient
) -> None:
    def buttons() -> list[str]:
        return re.findall(r"<button[^>]*>([^<]*[Pp]ublish[^<]*)<", owner.get("settings").text)

    assert buttons() == []
    save(owner, name="Elm Lane Rescue")
    assert buttons() == ["Publish changes"]
    owner.post("settings/deploys")
    assert "Published. Visitors see it now." in notices(owner)
    assert "Elm Lane Rescue" in site(client, owner).text
    owner.post("settings/offline")
    assert buttons() == ["Publish your site"]


def test_a_failed_deploy_shows_the_reason_and_keeps_the_live_deploy(
    owner: Colleague, client: FlaskClient
) -> None:
    publish_with(owner, name="Elm Lane Rescue", contact_email="")
    found = notices(owner)
    assert "Nothing was published. Add a contact email" in found
    assert "Visitors still see version 1." in found
    page = owner.get("settings").text
    assert re.search(
        "Version 2.*Failed.*Add a contact email so adopters can reach you.*Version 1.*Live", page, re.DOTALL
    )
    assert project_of(owner).live_deploy == 1
    assert "Elm Road Rescue" in site(client, owner).text


def test_the_deploy_history_shows_number_and_person_and_marks_the_live_deploy(owner: Colleague) -> None:
    owner.post("/account/name", {"name": "Ann Carter"})
    owner.post("settings/deploys")
    history = owner.get("settings").text.partition('id="history"')[2]
    assert re.search(
        "Version 2.*Live.*just now.*by <bdi>Ann Carter.*Version 1.*by <bdi>the operator",
        history,
        re.DOTALL,
    )


def test_a_rollback_is_confirmed(owner: Colleague) -> None:
    owner.post("settings/deploys")
    asked = owner.get("settings/deploys/1/return").text
    assert "Restore version 1?" in asked
    assert "Keep what is live" in asked
    assert project_of(owner).live_deploy == 2


def test_a_rollback_is_a_new_deploy_with_the_old_texts(owner: Colleague, client: FlaskClient) -> None:
    publish_with(owner, name="Elm Lane Rescue")
    assert owner.post("settings/deploys/1/return").status_code == 303
    assert "Elm Road Rescue" in site(client, owner).text
    page = owner.get("settings").text
    assert re.search("Version 3.*Live.*Restored version 1", page.partition('id="history"')[2], re.DOTALL)
    assert project_of(owner).live_deploy == 3
    assert project_of(owner).name == "Elm Lane Rescue", "the draft stays"
    assert "1 change not published yet" in page


@pytest.mark.parametrize("number", [2, 99, 2**31, 2**63 - 1])
def test_a_rollback_to_a_failed_or_unknown_deploy_is_rejected(owner: Colleague, number: int) -> None:
    publish_with(owner, contact_email="")
    assert owner.get(f"settings/deploys/{number}/return").status_code == 404
    assert owner.post(f"settings/deploys/{number}/return").status_code == 404
    assert project_of(owner).live_deploy == 1


def test_a_rollback_to_the_live_deploy_is_rejected(owner: Colleague) -> None:
    owner.post("settings/deploys/1/return")
    assert "Version 1 is already live" in notices(owner)
    with reading() as session:
        assert len(session.scalars(select(Deploy).where(Deploy.project_id == owner.project_id)).all()) == 1


def test_taking_a_site_offline_hides_its_animals_until_it_is_published(
    owner: Colleague, client: FlaskClient
) -> None:
    animal = factories.animal(project_of(owner), "Biscuit")
    assert client.get(f"/animals/{animal}", follow_redirects=True).status_code == 200
    assert "Take Elm Road Rescue offline?" in owner.get("settings/offline").text
    owner.post("settings/offline")
    assert site(client, owner).status_code == client.get(f"/animals/{animal}").status_code == 404
    assert "Offline" in owner.get("settings").text
    owner.post("settings/offline")
    assert "not published" in notices(owner)
    owner.post("settings/deploys")
    assert "Biscuit" in site(client, owner).text


def test_an_operator_takes_a_site_offline(app: APIFlask, owner: Colleague) -> None:
    homeward = app.test_cli_runner()
    assert homeward.invoke(args=["project", "unpublish", owner.slug]).exit_code == 0
    assert project_of(owner).live_deploy is None
    again = homeward.invoke(args=["project", "unpublish", owner.slug])
    assert (again.exit_code, again.stderr.strip()) == (1, "Error: The site is not published.")
    assert homeward.invoke(args=["project", "unpublish", "nowhere"]).exit_code == 1


def test_every_error_is_shown_at_its_field_and_values_stay(owner: Colleague) -> None:
    wrong = {
        "name": " ",
        "about": "x" * 20_001,
        "place": "y" * 201,
        "contact_email": "sam at example.org",
        "contact_phone": "12",
        "colour": "bottle green",
        "currency": "ZZZ",
        "street": "s" * 201,
        "city": "c" * 101,
        "region": "r" * 101,
        "postcode": "07055!",
        "country": "XK",
        "website": "https://elm",
        "adoption_policy": "p" * 5_001,
        "language": "tlh",
    }
    answer = save(owner, **wrong)
    assert answer.status_code == 422
    assert "<title>Error: General" in answer.text
    for name, value in wrong.items():
        assert re.search(f'id="{name}"[^>]*aria-invalid="true"', answer.text), name
        assert f'href="#{name}"' in answer.text
        assert value in answer.text, name
    assert project_of(owner).name == "Elm Road Rescue"


@pytest.mark.parametrize(
    ("colour", "sentence"),
    [("#1d5c4b", "Good contrast"), ("#ffe14d", "too little contrast on white"), ("nothing", "")],
)
def test_a_colour_is_shown_as_the_site_would_use_it(owner: Colleague, colour: str, sentence: str) -> None:
    sample = owner.get("settings/colour", query_string={"colour": colour}).text
    assert sentence in sample if sentence else "contrast" not in sample
    assert ("<svg" in sample) == bool(sentence)


def test_html_in_a_shelters_settings_is_escaped(owner: Colleague) -> None:
    save(owner, name="<b>Elm</b>", about="<img src=x onerror=alert(1)>", place='"><script>')
    page = owner.get("settings").text
    assert not re.search('<b>Elm|<img src=x|"><script>', page)


def test_the_embed_code_and_feed_url_on_the_page_work(owner: Colleague, client: FlaskClient) -> None:
    page = owner.get("settings").text
    assert f':8000/embed.js" data-shelter="{owner.slug}"&gt;&lt;/script&gt;' in page
    assert client.get(f"/embed/{owner.slug}").status_code == 200
    assert f"//{owner.slug}.localhost:8000/feed.atom" in page


@pytest.mark.settings("embedded")
def test_a_new_shelter_sees_its_first_steps_until_it_has_published(
    owner: Colleague, teammate: Colleague
) -> None:
    with transaction() as session:
        session.execute(update(Project).where(Project.id == owner.project_id).values(live_deploy=None))
        session.query(Deploy).delete()
    button = r'<button class="([^"]+)"[^>]*>Publish your site<'
    for path, buttons in (("animals", []), ("settings", ["button"])):
        page = owner.get(path).text
        assert "First steps" in page, path
        assert "API key" not in page.partition("First steps")[2].partition("</ol>")[0]
        assert page.count(": done</span>") == 0
        assert re.findall(button, page) == buttons, f"{path}: an animal comes first"
    assert "First steps" not in teammate.get("animals").text
    assert "once an owner publishes the site" in teammate.get("animals").text
    animal = factories.animal(project_of(owner), "Biscuit")
    save(owner, place="Alderbrook")
    for path in ("animals", "settings"):
        page = owner.get(path).text
        assert page.count(": done</span>") == 2, path
        assert re.findall(button, page) == ["button primary"], path
    page = owner.get(f"animals/{animal}").text
    assert "Only your team can see Biscuit" in page
    assert "Publish your site</button>" in page
    assert owner.post("settings/deploys", {"back": "animals"}).headers["Location"] == owner.at("animals")
    for path in ("animals", "settings", f"animals/{animal}"):
        page = owner.get(path).text
        assert ("All done" in page) == ("/" not in path), path
        assert "Only your team can see" not in page, path
    for following in (f"http://{owner.slug}.localhost:8000/", "adoption-form", "imports", "members"):
        assert f'{following}"' in owner.get("animals").text.partition("All done")[2].partition("</ol>")[0]
    assert "All done" not in teammate.get("animals").text
    with transaction() as session:
        session.execute(update(Deploy).values(created_at=datetime.now(UTC) - timedelta(days=8)))
    assert "First steps" not in owner.get("animals").text, "a week later"
    owner.post("settings/offline")
    assert "Only your team can see your animals" in owner.get("animals").text
    assert "First steps" not in owner.get("animals").text, "they are for beginners"


def test_a_teammate_sees_the_site_and_changes_nothing(owner: Colleague, teammate: Colleague) -> None:
    page = teammate.get("settings").text
    assert "Web address" in page
    assert "Save draft" not in page
    assert "Take site offline" not in page
    for path in ("settings", "settings/deploys", "settings/deploys/1/return", "settings/offline"):
        assert teammate.post(path).status_code == 403, path


def test_a_long_history_is_read_a_page_at_a_time(owner: Colleague) -> None:
    for _ in range(55):
        publish_site(owner.slug)
    assert "See all versions" in owner.get("settings").text
    first = owner.get("settings/deploys").text
    [older] = re.findall(r'href="([^"]+before=\d+)"', first)
    numbers = [
        int(n) for page in (first, owner.get(older).text) for n in re.findall(r'id="deploy-(\d+)"', page)
    ]
    assert numbers == list(range(56, 0, -1))


def test_a_shelter_of_the_same_name_is_not_visible(owner: Colleague, outsider: Colleague) -> None:
    create_account("Elm Road Rescue", "other@elm.example")
    assert outsider.post(owner.at("settings/deploys")).status_code == 404
    assert outsider.post(owner.at("settings/deploys/1/return")).status_code == 404


@pytest.mark.settings("embedded")
def test_publishing_and_hiding_a_site_is_rate_limited(owner: Colleague) -> None:
    paths = ("settings/offline", "settings/deploys")
    with time_machine.travel(datetime.now(UTC), tick=False):
        assert {owner.post(path).status_code for path in paths * 10} == {303}
        for path in (*paths, "settings/deploys/1/return"):
            refused = owner.post(path)
            assert refused.status_code == 429, path
            assert "taken sites offline 20 times within 15 minutes" in refused.text
            assert 0 < int(refused.headers["Retry-After"]) <= 15 * 60
    assert 'id="deploy-12"' not in owner.get("settings/deploys").text

"""Names that contain web addresses are rejected, because names are in emails to strangers."""

import json
from pathlib import Path

import pytest
from apiflask import APIFlask
from sqlalchemy import select

from adoption.accounts.api_access.api_keys import create_key
from adoption.animals.models import Animal
from adoption.links_in_names import has_web_address
from adoption.storage.database import reading
from tests.cast import Colleague
from tests.portal.visitor import Visitor
from tests.staffing import NEW

pytestmark = pytest.mark.settings("embedded")

BAD = "Unlock it at https://evil.example/login"


@pytest.mark.parametrize(
    "name",
    [
        *("www.evil.example", "evil-bank.com", "Sign in: EVIL.IO/x", "[url=x]", BAD),
        *("unlock at evil.tk/login", "evil.support", "t.me/evil", "write to a@evil.de", "evil.xn--p1ai"),
        *(
            "例え.みんな",
            "bücher.de",
            "evil。com",
            "evil\uff0ecom",
            "http\uff1a//x",
            "hxxp://x",
            "192.0.2.1/login",
        ),
        *("mr.evil.com", "dr.support/login"),
    ],
)
def test_web_addresses_are_found(name: str) -> None:
    assert has_web_address(name)


@pytest.mark.parametrize(
    "name",
    [
        "Mr. Fluff",
        "St.John",
        "Dr.Dog",
        "J.R.",
        "Comet",
        "A.J. & P.J.",
        "犬.猫",
        "No. 5",
        "044.123.45.67",
        "Tierheim e.V.",
    ],
)
def test_ordinary_names_of_animals_are_not_web_addresses(name: str) -> None:
    assert not has_web_address(name)


def test_names_with_web_addresses_are_rejected_by_forms_and_commands(app: APIFlask, owner: Colleague) -> None:
    texts = {"name": BAD, "contact_email": "a@b.example", "currency": "USD", "language": "en"}
    for path, form in (
        ("animals/new", NEW | {"name": BAD}),
        ("settings", texts),
        ("/account/name", {"name": BAD}),
        ("sites", {"name": BAD}),
    ):
        answer = owner.post(path, dict(form))
        assert (path, answer.status_code) == (path, 422)
        assert "Remove the web address" in answer.text
    sent = {"shelter": BAD, "name": "Sam", "email": "sam@example.org", "currency": "USD"}
    answer = Visitor(app.test_client()).send("/sign-up", **sent)
    assert "Remove the web address from the name" in answer.text
    command = app.test_cli_runner().invoke(args=["account", "create", BAD, "--owner", "sam@example.org"])
    assert "must not contain a web address" in command.stderr


def test_names_with_web_addresses_are_rejected_by_the_api(owner: Colleague) -> None:
    headers = {"Authorization": f"Bearer {create_key(owner.slug)[1]}"}
    answer = owner.client.post("/v1/pets", json={"name": BAD, "categoryId": 1}, headers=headers)
    assert answer.status_code == 400
    assert answer.json
    assert answer.json["message"] == "name must not contain a web address."


def test_an_import_removes_a_web_address_from_a_name(app: APIFlask, owner: Colleague, tmp_path: Path) -> None:
    file = tmp_path / "animals.csv"
    file.write_text(
        f"code,name,species\nA1,Rex see www.evil.example,Dog\nA2,www.evil.example,Dog\n,{BAD},Dog\n"
    )
    result = app.test_cli_runner().invoke(args=["animals", "import", owner.slug, str(file), "--json"])
    found = json.loads(result.stdout)
    assert [each["row"] for each in found["warnings"]] == [2, 3, 4]
    assert all("must not contain a web address" in each["reason"] for each in found["warnings"])
    with reading() as session:
        names = session.scalars(select(Animal.name).order_by(Animal.id)).all()
    assert names == ["Rex see", "A2", "Unlock it at"]

"""A null character in any text of a request. PostgreSQL refuses statements with it."""

from collections.abc import Iterator

from apiflask import APIFlask
from flask.testing import FlaskClient

from adoption.accounts.api_access.api_keys import create_key
from adoption.accounts.api_access.key_format import SCOPES
from adoption.projects.models import Project
from api.petfinder.animal_filters import NAMES
from tests.api.petfinder.conftest import Program

ORGANIZATION_PARAMETERS = ("name", "query", "state", "country", "location", "distance", "sort", "page")
LISTS = {
    "/petfinder/v2/animals": NAMES,
    "/petfinder/v2/organizations": ORGANIZATION_PARAMETERS,
}
PARTS = ("/v1/directory", "/v1/animals", "/petfinder/v2/")


def addresses_with_null(app: APIFlask) -> Iterator[str]:
    """Return the addresses that have a null character in one parameter."""
    for rule in app.url_map.iter_rules():
        path = rule.rule
        if "GET" in (rule.methods or ()) and path.startswith(PARTS) and rule.arguments:
            for name in rule.arguments:
                path = path.replace(f"<{name}>", "%00")
            yield path
    paths = {f"/v1{path}": each["get"] for path, each in app.spec["paths"].items() if "get" in each}
    known = {
        path: [each["name"] for each in operation.get("parameters", ()) if each["in"] == "query"]
        for path, operation in paths.items()
        if path.startswith(PARTS) and "{" not in path
    }
    for path, names in (known | LISTS).items():
        for name in names:
            yield f"{path}?{name}=%00"
            yield (
                f"{path}?{name}=a%00b&country=DE" if name in ("near", "location") else f"{path}?{name}=a%00b"
            )


def test_a_null_character_is_never_an_error_of_the_server(
    app: APIFlask, client: FlaskClient, elm: Project
) -> None:
    found = {}
    key = ""
    for number, address in enumerate(addresses_with_null(app)):
        if number % 40 == 0:  # below the limit of requests in a minute
            key = create_key(elm.slug, scopes=SCOPES)[1]
            program = Program(client, key)
        is_v1 = address.startswith("/v1")
        answer = (
            client.get(address, headers={"Authorization": f"Bearer {key}"})
            if is_v1
            else program.ask(address, base="")
        )
        found[address] = answer.status_code
    assert len(found) > 90
    assert {address: status for address, status in found.items() if status not in (200, 400, 404)} == {}
    for refused in ("q=%00", "q=a%00b", "region=%00", "region=a%00b"):
        assert found[f"/v1/directory/shelters?{refused}"] == 400

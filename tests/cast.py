"""Who plays in the tests: shelters with a project and a key."""

from dataclasses import dataclass

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from adoption.accounts import actions as accounts
from adoption.projects import actions as projects


@dataclass
class Shelter:
    """A shelter with its project and one key, and ``get`` and ``post`` as a program that holds the key."""

    client: FlaskClient
    account_id: int
    project_id: int
    slug: str
    key: str

    def get(self, path: str, **rest: object) -> TestResponse:
        return self.call("GET", path, **rest)

    def post(self, path: str, **rest: object) -> TestResponse:
        return self.call("POST", path, **rest)

    def call(self, method: str, path: str, **rest: object) -> TestResponse:
        headers = {"Authorization": f"Bearer {self.key}", **rest.pop("headers", {})}  # type: ignore[dict-item]
        return self.client.open(path, method=method, headers=headers, **rest)  # type: ignore[arg-type]

    def add(self, name: str = "Biscuit", category: int = 1, **rest: object) -> int:
        """Add an animal over the API; gives its id."""
        answer = self.post("/v1/pets", json={"name": name, "categoryId": category, **rest})
        assert answer.status_code == 201, answer.text
        return int(answer.json["id"])  # type: ignore[index]


def shelter(client: FlaskClient, name: str = "Elm Road Rescue", plan: str = "business") -> Shelter:
    """A new shelter whose site is published."""
    account, project = accounts.create_account(name, "owner@example.org", plan)
    projects.publish(project.slug)
    _, key = accounts.create_key(project.slug)
    return Shelter(client, account.id, project.id, project.slug, key)

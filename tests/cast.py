"""Actors in tests: shelters with an API key, and signed-in members."""

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from adoption.accounts import account_creation as accounts
from adoption.accounts.api_access import api_keys
from adoption.accounts.models import Member, User
from adoption.accounts.password_hashes import hash_password
from adoption.projects import publication as projects
from adoption.storage.database import transaction


@dataclass
class Shelter:
    """A shelter with a project, and a client with its API key."""

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
        """Add an animal through the API. Return its id."""
        answer = self.post("/v1/pets", json={"name": name, "categoryId": category, **rest})
        assert answer.status_code == 201, answer.text
        return int(answer.json["id"])  # type: ignore[index]


PASSWORD = "correct horse battery"


@dataclass
class Colleague:
    """A signed-in member.

    Paths without a leading slash are below the path of the member's project.
    """

    client: FlaskClient
    slug: str
    account_id: int
    project_id: int
    email: str
    kept: tuple[object, str] = field(default=(None, ""), init=False, repr=False)
    """The session cookie, and the CSRF token of its session."""

    def get(self, path: str = "", **rest: object) -> TestResponse:
        return self.client.get(self.at(path), **rest)  # type: ignore[arg-type]

    def post(self, path: str, data: dict[str, object] | None = None, **rest: object) -> TestResponse:
        """Send a form with its CSRF token."""
        session = self.client.get_cookie("homeward")
        if self.kept[0] != session or not session:
            self.kept = session, self.token()
        given = {"csrf_token": self.kept[1], **(data or {})}
        return self.client.post(self.at(path), data=given, **rest)  # type: ignore[arg-type]

    def at(self, path: str) -> str:
        return path if path.startswith("/") else f"/projects/{self.slug}/{path}".rstrip("/")

    def token(self, page: str = "/account") -> str:
        found = re.search(r'name="csrf_token" value="([^"]+)"', self.client.get(page).text)
        assert found, "every staff page has a form"
        return found[1]


def colleague(app: Flask, email: str, slug: str, account_id: int, project_id: int) -> Colleague:
    """Sign in a member of a shelter. The member gets a new client."""
    client = app.test_client()
    token = re.search(r'name="csrf_token" value="([^"]+)"', client.get("/sign-in").text)
    assert token
    form = {"email": email, "password": PASSWORD, "csrf_token": token[1]}
    assert client.post("/sign-in", data=form).status_code == 303
    return Colleague(client, slug, account_id, project_id, email)


def owner(app: Flask, name: str = "Elm Road Rescue", email: str = "owner@elm.example") -> Colleague:
    """Create a published shelter on the free plan. Return its owner, signed in."""
    account, project = accounts.create_account(name, email, password=PASSWORD)
    projects.publish_site(project.slug)
    return colleague(app, email, project.slug, account.id, project.id)


def teammate(app: Flask, of: Colleague, email: str = "staff@elm.example") -> Colleague:
    """Add a member with the role ``staff``. Return the member, signed in."""
    now = datetime.now(UTC)
    with transaction() as session:
        user = User(email=email, password_hash=hash_password(PASSWORD), created_at=now)
        session.add(user)
        session.flush()
        session.add(Member(account_id=of.account_id, user_id=user.id, role="staff", created_at=now))
    return colleague(app, email, of.slug, of.account_id, of.project_id)


def shelter(client: FlaskClient, name: str = "Elm Road Rescue", plan: str = "business") -> Shelter:
    """Create a shelter with a published site and a key."""
    account, project = accounts.create_account(name, "owner@example.org", plan)
    projects.publish_site(project.slug)
    _, key = api_keys.create_key(project.slug)
    return Shelter(client, account.id, project.id, project.slug, key)

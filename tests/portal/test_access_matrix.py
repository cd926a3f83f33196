"""The status of every route for anonymous requests, other accounts, staff and owners.

The routes are in ``access_matrix``, which says how to add one.
"""

import re
from typing import Any

from apiflask import APIFlask
from flask.testing import FlaskClient
from sqlalchemy import Column, select
from werkzeug.routing import Rule

from adoption.accounts.permissions import OWNER, STAFF
from adoption.storage.database import Base, reading
from portal.csrf import WITHOUT_TOKEN
from tests.cast import Colleague
from tests.portal import test_hidden_data as public
from tests.portal.access_matrix import DOOR, ROUTES, SELF, Route, animal, photo

Rows = dict[str, list[tuple[Any, ...]]]
TOKENS = re.compile(r"[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{5,8}\.[A-Za-z0-9_-]{20,}")


def changing(rule: Rule) -> set[str]:
    return {"POST", "PUT", "PATCH", "DELETE"} & (rule.methods or set())


def test_every_route_stands_in_one_table(app: APIFlask) -> None:
    there = {
        (rule.endpoint, method)
        for rule in app.url_map.iter_rules()
        for method in changing(rule) | ({"GET"} & (rule.methods or set()))
    }
    staffs = {(route.endpoint, route.method) for route in ROUTES}
    door = {(endpoint, method) for endpoint, methods in DOOR.items() for method in methods}
    publics = {(name, "GET") for name in public.ADDRESSES} | {(name, "POST") for name in public.FORMS}
    assert there == staffs | door | publics
    assert len(there) == len(staffs) + len(door) + len(publics), "some route stands in two"


def test_routes_require_the_right_in_the_table(app: APIFlask) -> None:
    for route in ROUTES:
        if route.endpoint.startswith("staff."):
            view: Any = app.view_functions[route.endpoint]
            assert view.may == route.right, route.endpoint
        else:
            assert route.right == SELF, route.endpoint


def visit(who: Colleague, route: Route, whose: Colleague | None = None) -> int:
    """Return the status for a member.

    The ids in the request belong to the member's account or to another account.
    """
    made = route.made_for(whose or who)
    path = (whose or who).at(made.path)
    if route.method == "GET":
        return who.client.get(path).status_code
    return who.post(path, dict(made.form)).status_code


def missed(wrong: list[str], route: Route, who: str, got: int, due: int) -> None:
    if got != due:
        wrong.append(f"{who} got {got} and not {due} at {route.method} {route.path} ({route.endpoint})")


def test_anonymous_requests_are_sent_to_sign_in(app: APIFlask, owner: Colleague) -> None:
    stranger = Colleague(app.test_client(), owner.slug, owner.account_id, owner.project_id, "")
    wrong: list[str] = []
    for route in ROUTES:
        made = route.made_for(owner)
        answer = stranger.client.open(stranger.at(made.path), method=route.method, data=token_of(stranger))
        if route.method == "POST":
            # The values of a form with a valid token are kept while its sender signs in.
            missed(wrong, route, "a stranger", answer.status_code, 401)
            assert 'action="/sign-in' in answer.text, route
            continue
        missed(wrong, route, "a stranger", answer.status_code, 302)
        assert answer.headers.get("Location", "").startswith("/sign-in"), route
    assert wrong == []


def token_of(stranger: Colleague) -> dict[str, str]:
    """Return the CSRF token of the sign-in page. The page needs no session."""
    return {"csrf_token": stranger.token("/sign-in")}


def test_members_of_other_accounts_get_404(owner: Colleague, outsider: Colleague) -> None:
    wrong: list[str] = []
    for route in ROUTES:
        if route.right != SELF or route.things:
            missed(wrong, route, "an outsider", visit(outsider, route, owner), 404)
    assert wrong == []


def test_staff_get_what_their_role_allows(owner: Colleague, teammate: Colleague) -> None:
    wrong: list[str] = []
    for route in ROUTES:
        due = route.status if STAFF in route.roles else 403
        missed(wrong, route, "a teammate", visit(teammate, route), due)
    assert wrong == []


def test_owners_can_use_every_route(owner: Colleague) -> None:
    wrong: list[str] = []
    for route in ROUTES:
        assert OWNER in route.roles
        missed(wrong, route, "an owner", visit(owner, route), route.status)
    assert wrong == []


def test_ids_of_another_tenant_are_not_found_in_an_own_project(owner: Colleague, outsider: Colleague) -> None:
    """In a path, an id of another tenant is not found.

    In a form or filter, the id has no effect, or is ignored.
    """
    for route in ROUTES:
        if route.right == SELF or not route.things:
            continue
        made = route.made_for(owner)
        before = rows_of(owner)
        answer = outsider.client.open(
            outsider.at(made.path),
            method=route.method,
            data={"csrf_token": outsider.token(), **made.form} if route.method == "POST" else None,
        )
        found = f"{route.method} {route.path} {route.form}"
        if "{" in route.path.partition("?")[0]:
            assert answer.status_code == 404, found
        assert answer.status_code < 500, found
        # A form's token is random, and may contain these letters.
        assert "zq" not in TOKENS.sub("", answer.text).lower(), found
        assert rows_of(owner) == before, found


def test_a_photo_of_another_tenant_is_not_found_at_an_own_animal(
    owner: Colleague, outsider: Colleague
) -> None:
    theirs = str(photo(owner)).rpartition("/")[2]
    mine = animal(outsider)
    before = rows_of(owner)
    for end in ("description", "position", "removal"):
        form = {"alt": "A cat", "to": "first"}
        assert outsider.post(f"animals/{mine}/photos/{theirs}/{end}", dict(form)).status_code == 404, end
    outsider.post(f"animals/{mine}/photos/order", {"order": theirs})
    assert rows_of(owner) == before


def rows_of(whose: Colleague) -> Rows:
    """Return all rows of a shelter: the rows of its account, its project and its animals."""
    kept: Rows = {}
    with reading() as session:
        animals = Base.metadata.tables["animals"]
        its = select(animals.c.id).where(animals.c.project_id == whose.project_id)
        for table in Base.metadata.sorted_tables:
            if table.name in ("accounts", "projects"):
                own = table.c.id == (whose.account_id if table.name == "accounts" else whose.project_id)
            elif (column := owning(table.c)) is None:
                continue
            elif column.name == "animal_id":
                own = column.in_(its)
            else:
                own = column == getattr(whose, column.name)
            found = session.execute(select(table).where(own).order_by(*table.primary_key))
            kept[table.name] = [tuple(row) for row in found]
    return kept


def owning(columns: Any) -> Column[Any] | None:
    names = ("project_id", "account_id", "animal_id")
    return next((columns[name] for name in names if name in columns), None)


def test_every_form_is_rejected_without_its_csrf_token(app: APIFlask, owner: Colleague) -> None:
    asked = 0
    for rule in app.url_map.iter_rules():
        if not rule.endpoint.startswith(("portal.", "staff.")) or rule.endpoint in WITHOUT_TOKEN:
            continue
        for method in changing(rule):
            answer = owner.client.open(path_of(app, rule, owner), method=method)
            assert answer.status_code == 400, rule
            assert "Your session has expired" in answer.text, rule
            asked += 1
    assert asked >= 2


def path_of(app: APIFlask, rule: Rule, whose: Colleague) -> str:
    """Return a URL of a route in a shelter's project."""
    numbers = {name for name, converter in rule._converters.items() if hasattr(converter, "num_convert")}
    values: dict[str, Any] = {name: 1 if name in numbers else "x" for name in rule.arguments}
    if "slug" in values:
        values["slug"] = whose.slug
    adapter = app.url_map.bind("localhost")
    return adapter.build(rule.endpoint, values, method=next(iter(changing(rule))))


KEPT = {"staff.photo_file"}
"""Routes whose responses browsers may cache: photos."""


def test_staff_pages_are_no_store(owner: Colleague, client: FlaskClient) -> None:
    for route in ROUTES:
        if route.method == "GET" and route.endpoint not in KEPT:
            answer = owner.client.get(owner.at(route.made_for(owner).path))
            assert answer.headers["Cache-Control"] == "no-store", route

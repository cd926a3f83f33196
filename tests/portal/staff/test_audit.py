"""The audit log records every action. Owners can read it, and no one can change it."""

import ast
import csv
import io
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from apiflask import APIFlask
from sqlalchemy import delete, select, text, update
from sqlalchemy.exc import DatabaseError

from adoption import jobs
from adoption.accounts.api_access.api_keys import create_key
from adoption.accounts.models import Account, Member, User
from adoption.accounts.permissions import PERMISSIONS
from adoption.audit import address_removal
from adoption.audit.action_labels import ACTIONS, KINDS
from adoption.audit.actors import OPERATOR, SERVICE, Actor
from adoption.audit.models import AuditEntry
from adoption.audit.trail import record
from adoption.projects.models import Project
from adoption.storage.database import Base, db, reading, transaction
from portal.staff.audit import KIND_LABELS
from tests.cast import Colleague


def entries(of: Colleague) -> list[AuditEntry]:
    """Return the entries, oldest first."""
    found = select(AuditEntry).where(AuditEntry.account_id == of.account_id).order_by(AuditEntry.id)
    with reading() as session:
        return list(session.scalars(found))


def last(of: Colleague) -> tuple[str, str, str, str]:
    one = entries(of)[-1]
    return one.actor, one.action, one.thing, one.address


def rows(page: str) -> list[str]:
    """Return the text of each row."""
    found = re.findall(r"<tr>\s*<td.*?</tr>", page, re.DOTALL)
    return [unescape(" ".join(re.sub("<[^>]+>", " ", row).split())) for row in found]


def test_the_audit_log_has_actions_of_owners_with_email_and_ip_address(owner: Colleague) -> None:
    me, here = owner.email, "127.0.0.1"
    owner.post("keys", {"name": "Kennel software", "scopes": ["pets:read"], "expires": ""})
    assert last(owner) == (me, "key.created", "Kennel software", here)
    with reading() as session:
        key = session.execute(text("SELECT id FROM api_keys")).scalar_one()
    owner.post(f"keys/{key}/revocation")
    assert last(owner) == (me, "key.revoked", "Kennel software", here)
    owner.post("settings/deploys")
    assert last(owner) == (me, "site.published", "Version 2", here)
    owner.post("settings/deploys/1/return")
    assert last(owner) == (me, "site.rolled-back", "Version 3", here)
    owner.post("settings/offline")
    assert last(owner) == (me, "site.unpublished", "Elm Road Rescue", here)
    owner.post("usage/request", {"plan": "pro"})
    assert last(owner) == (me, "plan.requested", "Pro", here)
    owner.post("usage/request/withdrawal")
    assert last(owner) == (me, "plan.withdrawn", "Pro", here)


def test_the_audit_log_has_texts_and_failed_deploys(owner: Colleague) -> None:
    opened = re.findall(r'name="opened" value="([^"]+)"', owner.get("settings").text)[0]
    texts = {"name": "Elm Lane", "contact_email": "", "currency": "USD", "language": "en"}
    owner.post("settings", {"opened": opened, **texts})
    owner.post("settings/deploys")
    edited, failed = entries(owner)[-2:]
    assert (edited.action, edited.detail) == ("site.edited", "name, contact email")
    assert (failed.action, failed.thing) == ("site.publish-failed", "Version 2")
    assert failed.detail.startswith("Add a contact email")


def test_the_audit_log_has_actions_of_operators(app: APIFlask, owner: Colleague, tmp_path: Path) -> None:
    homeward = app.test_cli_runner()
    made = homeward.invoke(args=["key", "create", owner.slug, "--name", "Feed"]).stdout.strip()
    homeward.invoke(args=["key", "revoke", made])
    homeward.invoke(
        args=["account", "set-plan", owner.slug, "enterprise", "--per-minute", "5", "--per-day", "9"]
    )
    file = tmp_path / "dogs.csv"
    file.write_text("name,species\nBiscuit,Dog\n")
    homeward.invoke(args=["animals", "import", owner.slug, str(file), "--dry-run"])
    homeward.invoke(args=["animals", "import", owner.slug, str(file)])
    homeward.invoke(args=["project", "publish", owner.slug])
    homeward.invoke(args=["project", "unpublish", owner.slug])
    found = [(one.action, one.thing) for one in entries(owner) if one.actor == "the operator"]
    assert found == [
        ("account.opened", "Elm Road Rescue"),
        ("site.published", "Version 1"),
        ("key.created", "Feed"),
        ("key.revoked", "Feed"),
        ("plan.set", "Enterprise"),
        ("import.finished", "dogs.csv"),
        ("site.published", "Version 2"),
        ("site.unpublished", "Elm Road Rescue"),
    ]


def test_the_audit_log_has_no_rejected_actions(owner: Colleague) -> None:
    before = len(entries(owner))
    owner.post("settings/deploys/1/return")
    owner.post("keys", {"name": ""})
    owner.post("settings", {"name": ""})
    assert len(entries(owner)) == before


def test_every_action_has_a_sentence_and_one_kind(owner: Colleague) -> None:
    with transaction() as session:
        for action in ACTIONS:
            record(session, OPERATOR, action, owner.account_id, thing=f"<{action}>")
    shown = [row for page in pages(owner, "audit") for row in rows(page)]
    for action, sentence in ACTIONS.items():
        assert any(row.startswith(f"{sentence}: <{action}> Who the operator") for row in shown), action
        assert sum(action.partition(".")[0] in prefixes for prefixes in KINDS.values()) == 1, action
    assert KINDS.keys() == KIND_LABELS.keys()


def pages(who: Colleague, path: str) -> Iterator[str]:
    page = who.get(path).text
    yield page
    while older := re.search(r'href="([^"]+)">Older', page):
        page = who.get(older[1].replace("&amp;", "&")).text
        yield page


OTHERS = PERMISSIONS.keys() | {
    "animals.search",
    *(str(column) for table in Base.metadata.tables.values() for column in table.columns),
}
"""Names that look like actions, but are permissions or columns."""


def recorded(root: Path) -> set[str]:
    """Return every name of an action in the source code."""
    prefixes = "|".join({action.partition(".")[0] for action in ACTIONS})
    form = re.compile(rf"({prefixes})\.[a-z-]+")
    found = set()
    for path in sorted((root / "adoption").rglob("*.py")):
        if path.name != "action_labels.py" and "migrations" not in path.parts:
            nodes = ast.walk(ast.parse(path.read_text()))
            texts = {node.value for node in nodes if isinstance(node, ast.Constant)}
            found |= {each for each in texts if isinstance(each, str) and form.fullmatch(each)}
    return found - OTHERS


def test_every_recorded_action_has_a_sentence(root: Path) -> None:
    assert recorded(root) <= ACTIONS.keys()


def test_paging_the_audit_log_shows_each_entry_once(owner: Colleague) -> None:
    with transaction() as session:
        for number in range(120):
            record(session, OPERATOR, "animal.edited", owner.account_id, thing=f"Animal {number}")
    found = [row for page in pages(owner, "audit?kind=animals") for row in rows(page)]
    assert [re.findall(r"Animal (\d+)", row) for row in found] == [[str(n)] for n in range(119, -1, -1)]


def test_the_audit_log_is_filtered_by_person_and_kind(owner: Colleague) -> None:
    create_key(owner.slug, "Feed")
    owner.post("settings/deploys")
    [(actor, _)] = re.findall(r'<option value="(\d+)"[^>]*>([^<]*owner@elm.example)', owner.get("audit").text)
    mine = rows(owner.get(f"audit?actor={actor}").text)
    assert [row.partition(" Who ")[0] for row in mine] == ["Published the site: Version 2"]
    keys = rows(owner.get("audit?kind=keys").text)
    assert [row.partition(" pets")[0] for row in keys] == ["Created an API key: Feed"]
    assert "No entries match" in owner.get(f"audit?kind=keys&actor={actor}").text


@pytest.mark.settings("embedded")
def test_the_audit_log_shows_names_emails_and_system(owner: Colleague, teammate: Colleague) -> None:
    owner.post("/account/name", {"name": "Ann Carter"})
    teammate.post("/account/name", {"name": "Robin Hale"})
    with transaction() as session:
        gone = session.scalars(select(User).where(User.email == teammate.email)).one()
        by = Actor(gone.id, gone.email, "192.0.2.1")
        record(session, by, "animal.edited", owner.account_id, thing="Moss")
        record(session, SERVICE, "domain.live", owner.account_id, thing="elm.example")
        session.execute(delete(Member).where(Member.user_id == gone.id))
    owner.post("settings/deploys")
    page = owner.get("audit").text
    shown = rows(page)
    assert any("Published the site: Version 2 Who Ann Carter owner@elm.example" in row for row in shown)
    assert any("Moss Who Robin Hale staff@elm.example" in row for row in shown), "also after they left"
    assert any("elm.example Who System" in row for row in shown)
    [actor] = re.findall(r'<option value="(\d+)">Ann Carter \(owner@elm.example\)</option>', page)
    assert "@" not in "".join(re.findall(r'(?:href|value)="([^"]*)"', owner.get(f"audit?actor={actor}").text))
    [_, row] = csv.reader(io.StringIO(owner.get(f"audit.csv?kind=site&actor={actor}").text))
    assert row[1:3] == ["owner@elm.example", "Ann Carter"]


@pytest.mark.parametrize(
    "query", ["kind=nothing", "before=x", "before=99999999999999999999", "before=٣", "actor=%00", "before=-1"]
)
def test_an_invalid_filter_shows_the_whole_audit_log(owner: Colleague, query: str) -> None:
    answer = owner.get(f"audit?{query}")
    assert answer.status_code == 200
    assert "Opened the account" in answer.text


def test_the_audit_log_as_csv_escapes_formulas(owner: Colleague) -> None:
    create_key(owner.slug, '=HYPERLINK("http://evil.example")')
    answer = owner.get("audit.csv?kind=keys")
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    header, row = csv.reader(io.StringIO(answer.text.lstrip("\ufeff")))
    assert header == ["when", "who", "name", "action", "thing", "detail", "address"]
    assert row[1:3] == ["the operator"] * 2
    assert row[3:5] == ["Created an API key", '\'=HYPERLINK("http://evil.example")']


def test_only_owners_read_the_audit_log(owner: Colleague, teammate: Colleague, outsider: Colleague) -> None:
    create_key(owner.slug, "Secret name")
    for path in ("audit", "audit.csv"):
        assert teammate.get(path).status_code == 403
        assert outsider.get(owner.at(path)).status_code == 404
        assert "Secret name" not in outsider.get(path).text
    assert "Audit log" not in teammate.get("keys").text


def test_no_route_changes_the_audit_log(app: APIFlask) -> None:
    for rule in app.url_map.iter_rules():
        if "audit" in rule.rule:
            assert rule.methods == {"GET", "HEAD", "OPTIONS"}, rule


OLD = datetime.now(UTC) - address_removal.KEPT - timedelta(days=1)


def test_personal_data_in_old_audit_entries_is_erased(
    app: APIFlask, owner: Colleague, teammate: Colleague
) -> None:
    owner.post("/account/name", {"name": "Ann Carter"})
    with transaction() as session:
        users = {user.email: user.id for user in session.scalars(select(User))}
        by, gone = Actor(users[owner.email], owner.email, "192.0.2.1"), Actor(None, "gone@x.example", "::1")
        for at in (OLD, datetime.now(UTC)):
            for who in (by, gone, OPERATOR):
                record(session, who, "member.invited", owner.account_id, thing="new@x.example", now=at)
                record(session, who, "animal.edited", owner.account_id, None, "Rex @ home", "x@y", at)
    before = [vars_of(one) for one in entries(owner)]
    for _ in range(2):
        jobs.JOBS["forget_sign_ins"].do()
    for one, was in zip(entries(owner), before, strict=True):
        if one.created_at > OLD:
            assert vars_of(one) == was
            continue
        actor = "a member" if "@" in was["actor"] else was["actor"]
        thing = "" if one.action == "member.invited" else "Rex @ home"
        assert vars_of(one) == was | {"actor": actor, "address": "", "thing": thing}
    shown = [row for row in rows(owner.get("audit").text) if "Not kept" in row or "Rex" in row]
    assert any("Who Ann Carter When" in row and "From Not kept" in row for row in shown), "by their id"
    assert any("Who a member When" in row for row in shown)


CHANGES = [
    update(AuditEntry).values(address="192.0.2.9"),
    update(AuditEntry).values(actor="a member", detail="another"),
    update(AuditEntry).values(thing=""),
    update(AuditEntry).values(actor=""),
    update(AuditEntry).values(thing="another"),
    update(AuditEntry).values(actor="somebody else"),
    update(AuditEntry).values(user_id=None, project_id=None),
    update(AuditEntry).values(created_at=datetime(2020, 1, 1, tzinfo=UTC)),
    delete(AuditEntry),
]


@pytest.mark.parametrize("change", CHANGES)
def test_the_database_rejects_changes_of_audit_entries(owner: Colleague, change: object) -> None:
    owner.post("settings/deploys")
    before = [vars_of(one) for one in entries(owner)]
    with pytest.raises(DatabaseError, match="entries of the audit log"), transaction() as session:
        session.execute(change)  # type: ignore[call-overload]
    assert [vars_of(one) for one in entries(owner)] == before


def vars_of(entry: AuditEntry) -> dict[str, Any]:
    return {column.key: getattr(entry, column.key) for column in AuditEntry.__table__.columns}


def test_the_database_rejects_emptying_the_audit_log(owner: Colleague) -> None:
    is_sqlite = db.engine.dialect.name == "sqlite"
    at_once = "DELETE FROM audit_entries" if is_sqlite else "TRUNCATE audit_entries CASCADE"
    with pytest.raises(DatabaseError, match="entries of the audit log"), transaction() as session:
        session.execute(text(at_once))


def test_removed_members_are_still_named_in_the_audit_log(owner: Colleague, teammate: Colleague) -> None:
    with transaction() as session:
        user = session.scalars(select(User).where(User.email == teammate.email)).one()
        by = Actor(user.id, user.email, "192.0.2.1")
        record(session, by, "animal.edited", owner.account_id, owner.project_id, "Biscuit")
        session.execute(delete(Member).where(Member.user_id == user.id))
        session.delete(user)
    assert last(owner) == (teammate.email, "animal.edited", "Biscuit", "192.0.2.1")
    assert entries(owner)[-1].user_id is None


def test_the_audit_log_of_a_deleted_project_stays(owner: Colleague) -> None:
    before = len(entries(owner))
    with transaction() as session:
        session.execute(delete(Project).where(Project.id == owner.project_id))
    assert [one.project_id for one in entries(owner)] == [None] * before


def test_the_audit_log_is_deleted_with_its_account(owner: Colleague, outsider: Colleague) -> None:
    with transaction() as session:
        session.execute(delete(Account).where(Account.id == owner.account_id))
    assert entries(owner) == []
    assert entries(outsider) != []

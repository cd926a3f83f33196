"""``homeward account``, ``key`` and ``project``."""

import json
from collections.abc import Callable

import pytest
from apiflask import APIFlask
from click.testing import Result
from sqlalchemy import select

from adoption.accounts.models import ApiKey, Member, User
from adoption.accounts.password_hashes import PASSWORDS
from adoption.projects.models import Project
from adoption.projects.slugs import free_slugs
from adoption.storage.database import reading, transaction

Homeward = Callable[..., Result]


@pytest.fixture
def homeward(app: APIFlask) -> Homeward:
    runner = app.test_cli_runner()
    return lambda *words, given=None: runner.invoke(args=list(words), input=given)


def make(homeward: Homeward, name: str = "Elm Road Rescue") -> str:
    made = homeward("account", "create", name, "--owner", "Sam@Example.org", "--json")
    return str(json.loads(made.stdout)["project"])


def test_an_account_is_created_with_a_project_and_an_owner(homeward: Homeward) -> None:
    made = homeward("account", "create", "Elm Road Rescue", "--owner", "Sam@Example.org", "--json")
    found = json.loads(made.stdout)
    assert (found["project"], found["plan"], found["owner"]) == ("elm-road-rescue", "free", "sam@example.org")
    with reading() as session:
        member = session.scalars(select(Member)).one()
        assert (member.account_id, member.role) == (found["account"], "owner")


def test_two_accounts_of_one_name_get_different_slugs(homeward: Homeward) -> None:
    assert [make(homeward), make(homeward)] == ["elm-road-rescue", "elm-road-rescue-2"]
    with reading() as session:
        assert len(session.scalars(select(User)).all()) == 1
        assert len(session.scalars(select(Member)).all()) == 2


def test_a_name_without_latin_letters_gets_a_slug(homeward: Homeward) -> None:
    assert make(homeward, "🐾") == "project"


def test_the_password_is_read_from_standard_input_and_hashed(homeward: Homeward) -> None:
    words = ("account", "create", "Elm", "--owner", "sam@example.org", "--password-stdin")
    assert homeward(*words, given="correct horse\n").exit_code == 0
    with reading() as session:
        kept = session.scalars(select(User.password_hash)).one()
    assert kept is not None
    assert kept.startswith("$argon2id$")
    assert PASSWORDS.verify(kept, "correct horse")


def test_all_errors_of_an_account_are_reported_together(homeward: Homeward) -> None:
    refused = homeward("account", "create", " ", "--owner", "sam", "--password-stdin", given="short\n")
    assert refused.exit_code == 1
    assert "name: must have 1 to 200 characters" in refused.stderr
    assert "owner: must be an email address" in refused.stderr
    assert "password: must have 10 characters or more" in refused.stderr
    with reading() as session:
        assert session.scalars(select(User)).all() == []


def test_an_invisible_account_name_is_rejected(homeward: Homeward) -> None:
    refused = homeward("account", "create", "\u200b\u2060", "--owner", "sam@example.org")
    assert refused.exit_code == 1
    assert "name: must have 1 to 200 characters" in refused.stderr


def test_an_enterprise_account_requires_a_quota(homeward: Homeward) -> None:
    refused = homeward("account", "create", "Elm", "--owner", "sam@example.org", "--plan", "enterprise")
    assert refused.exit_code == 1
    assert "create the account on another plan, then run `account set-plan` with" in refused.stderr
    with reading() as session:
        assert session.scalars(select(User)).all() == []


def test_an_unknown_plan_is_wrong_usage(homeward: Homeward) -> None:
    assert homeward("account", "create", "Elm", "--owner", "sam@example.org", "--plan", "gold").exit_code == 2


@pytest.mark.settings("embedded")
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("enterprise",), "enterprise has no fixed quota"),
        (("pro", "--per-minute", "5", "--per-day", "5"), "pro has a fixed quota"),
        (("pro", "--animals", "5"), "pro has fixed limits: leave out animals, photos-gb and imports-a-day"),
        (
            ("enterprise", "--per-minute", "5", "--per-day", "5", "--photos-gb", "0"),
            "animals, photos-gb and imports-a-day must be from 1 to 2,147,483,647",
        ),
        (("enterprise", "--per-minute", "0", "--per-day", "5"), "must be from 1 to 2,147,483,647"),
        (("enterprise", "--per-minute", "5", "--per-day", "2147483648"), "must be from 1 to 2,147,483,647"),
    ],
)
def test_a_quota_that_does_not_fit_the_plan_is_rejected(
    homeward: Homeward, words: tuple[str, ...], sentence: str
) -> None:
    refused = homeward("account", "set-plan", make(homeward), *words)
    assert refused.exit_code == 1
    assert sentence in refused.stderr


def test_only_the_key_is_printed_to_standard_output(homeward: Homeward) -> None:
    made = homeward("key", "create", make(homeward), "--name", "Website", "--scope", "pets:read")
    assert made.stdout.startswith("hw_")
    assert made.stdout.count("\n") == 1
    [found] = json.loads(homeward("key", "list", "elm-road-rescue", "--json").stdout)
    assert (found["name"], found["scopes"], found["revoked"]) == ("Website", ["pets:read"], None)
    assert made.stdout.strip() not in homeward("key", "list", "elm-road-rescue").stdout


@pytest.mark.settings("embedded")
def test_a_key_for_web_pages_lists_its_websites(homeward: Homeward) -> None:
    slug = make(homeward)
    made = homeward(
        "key", "create", slug, "--origin", "https://elm.example", "--origin", "https://*.elm.example"
    )
    assert made.stdout.startswith("hwp_")
    [found] = json.loads(homeward("key", "list", slug, "--json").stdout)
    assert found["scopes"] == ["directory:read"]
    assert found["origins"] == ["https://elm.example", "https://*.elm.example"]
    refused = homeward("key", "create", slug, "--origin", "elm.example")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "Begin elm.example with https://" in refused.stderr
    for words in (("--origin", "https://elm.example", "--scope", "pets:read"), ("--from-programs",)):
        assert homeward("key", "create", slug, *words).exit_code == 2


def test_a_key_is_revoked_once(homeward: Homeward) -> None:
    homeward("key", "create", make(homeward))
    with reading() as session:
        key_id = session.scalars(select(ApiKey.public_id)).one()
    assert homeward("key", "revoke", key_id).exit_code == 0
    again = homeward("key", "revoke", key_id)
    assert (again.exit_code, again.stderr) == (1, f"Error: The key {key_id} is already revoked.\n")
    assert homeward("key", "revoke", "nobody").stderr.startswith("Error: There is no key with the id nobody.")


def test_a_leaked_key_is_revoked_by_its_text_without_printing_it(homeward: Homeward) -> None:
    text = homeward("key", "create", make(homeward)).stdout.strip()
    done = homeward("key", "revoke", text)
    assert done.exit_code == 0
    assert text not in done.output
    mistyped = homeward("key", "revoke", text[:-1])
    assert mistyped.exit_code == 1
    assert text[:-1] not in mistyped.output


@pytest.mark.parametrize(
    "words",
    [("key", "create"), ("key", "list"), ("project", "publish"), ("animals", "export")],
)
def test_an_unknown_project_is_rejected_by_name(homeward: Homeward, words: tuple[str, ...]) -> None:
    refused = homeward(*words, "nowhere")
    assert (refused.exit_code, refused.stderr) == (1, "Error: There is no project called 'nowhere'.\n")


def test_each_publish_is_a_numbered_deploy(homeward: Homeward) -> None:
    slug = make(homeward)
    found = [json.loads(homeward("project", "publish", slug, "--json").stdout)["deploy"] for _ in range(2)]
    assert found == [1, 2]
    [listed] = json.loads(homeward("project", "list", "--json").stdout)
    assert (listed["project"], listed["live_deploy"]) == (slug, 2)


def test_a_failed_deploy_reports_the_reason_and_the_previous_deploy_stays_live(homeward: Homeward) -> None:
    slug = make(homeward)
    homeward("project", "publish", slug)
    with transaction() as session:
        session.scalars(select(Project)).one().contact_email = ""
    failed = homeward("project", "publish", slug)
    assert failed.exit_code == 1
    assert failed.stderr.startswith("Error: Deploy 2 failed. Add a contact email so adopters can reach you")
    [listed] = json.loads(homeward("project", "list", "--json").stdout)
    assert listed["live_deploy"] == 1


RESERVED = "The address “login” is reserved, because visitors could take it for a page of ours."


def test_the_command_says_why_a_slug_has_a_number(homeward: Homeward) -> None:
    for name, slug, why in (
        (
            "Login",
            "login-2",
            RESERVED,
        ),
        ("Elm", "elm", ""),
        ("Elm", "elm-2", "Another site already has the address “elm”."),
        ("Elm 2", "elm-2-2", "Another site already has the address “elm-2”."),
    ):
        made = homeward("account", "create", name, "--owner", "sam@example.org")
        assert made.stdout == f"{slug}\n"
        assert made.stderr.rstrip().endswith(f"with the project {slug}. {why}".rstrip())


def test_slugs_for_several_names_at_once_are_all_different(app: APIFlask) -> None:
    with reading() as session:
        given = free_slugs(session, ["Elm", "Elm", "Elm 2", "Staging", "🐾"])
    assert given == ["elm", "elm-2", "elm-2-2", "staging-2", "project"]

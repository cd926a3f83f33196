"""The team: roles, invitations, and leaving."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from html import escape

import pytest
import time_machine
from apiflask import APIFlask
from sqlalchemy import select, update

from adoption.accounts import invitations
from adoption.accounts.email_throttles import PASSWORD_RESETS
from adoption.accounts.members import members_of
from adoption.accounts.models import Member, SignIn
from adoption.accounts.project_access import ProjectAccess, find_project_access
from adoption.audit.actors import Actor
from adoption.audit.models import AuditEntry
from adoption.errors import NotFound
from adoption.storage.database import reading, transaction
from tests.cast import PASSWORD, Colleague
from tests.mailbox import emails_to, link_in_email
from tests.pages import without_times
from tests.portal import access_matrix
from tests.portal.visitor import Visitor

NEW = "four small words here"
ROBIN = "robin@example.org"


def audited(owner: Colleague) -> list[tuple[str, str, str]]:
    """Return the audit entries. Each entry is an action, an actor and a thing."""
    with reading() as session:
        query = select(AuditEntry).where(AuditEntry.account_id == owner.account_id).order_by(AuditEntry.id)
        return [(each.action, each.actor, each.thing) for each in session.scalars(query)]


def roles(owner: Colleague) -> dict[str, str]:
    return {each.email: each.role for each in members_of(owner.account_id)}


def place(owner: Colleague) -> ProjectAccess:
    with reading() as session:
        return find_project_access(session, access_matrix.id_of(owner), owner.slug)


def id_of(owner: Colleague, email: str) -> int:
    return next(each.id for each in members_of(owner.account_id) if each.email == email)


def invited(owner: Colleague, email: str = ROBIN, role: str = "staff") -> str:
    """Invite a person. Return the link in the email."""
    assert owner.post("members/invitations", {"email": email, "role": role}).status_code == 303
    return link_in_email(email, "/invitations/")


def test_an_invited_member_joins_with_name_and_password(app: APIFlask, owner: Colleague) -> None:
    link = invited(owner)
    assert "robin@example.org" in owner.get("members").text
    robin = Visitor(app.test_client())
    assert "Join <bdi>Elm Road Rescue</bdi>" in robin.get(link).text
    assert robin.send(link, name="Robin", password="short").status_code == 422
    assert robin.send(link, name="Robin", password=NEW).headers["Location"] == "/projects"
    assert robin.get("/projects").headers["Location"] == owner.at("animals")
    assert roles(owner)[ROBIN] == "staff"
    assert "Robin" in owner.get("members").text
    assert audited(owner)[-2:] == [
        ("member.invited", owner.email, ROBIN),
        ("member.joined", ROBIN, ROBIN),
    ]


def test_an_invited_user_with_an_account_signs_in_and_joins(
    app: APIFlask, owner: Colleague, outsider: Colleague
) -> None:
    link = invited(owner, outsider.email, "owner")
    visitor = Visitor(app.test_client())
    assert f'href="/sign-in?next={link}"' in visitor.get(link).text
    assert visitor.send(link, name="Mallory", password=NEW).status_code == 302
    sent = visitor.sign_in(outsider.email)
    assert sent.status_code == 303
    assert "Accept invitation" in visitor.get(link).text
    assert visitor.send(link).status_code == 303
    assert roles(owner)[outsider.email] == "owner"
    assert visitor.get(owner.at("members")).status_code == 200
    assert visitor.get(outsider.at("members")).status_code == 200


def test_an_invitation_belongs_to_its_email(owner: Colleague, outsider: Colleague) -> None:
    link = invited(owner)
    assert "this invitation is for another email address" in outsider.get(link).text
    assert outsider.post(link).status_code == 409
    with pytest.raises(NotFound):
        invitations.join(link.rpartition("/")[2], access_matrix.id_of(outsider), "")
    assert roles(owner) == {owner.email: "owner"}


def test_an_invitation_works_once_and_expires_after_a_week(app: APIFlask, owner: Colleague) -> None:
    robin, link = Visitor(app.test_client()), invited(owner)
    with time_machine.travel(datetime.now(UTC) + invitations.GOOD_FOR + timedelta(minutes=1)):
        assert robin.get(link).status_code == 404
    assert robin.send(link, name="Robin", password=NEW).status_code == 303
    second = Visitor(app.test_client()).send(link, name="Other", password=NEW)
    assert second.status_code == 404
    assert "has expired, or was already used" in second.text


@pytest.mark.settings("embedded")
@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/password/forgotten", {"email": ROBIN}),
        ("/sign-up", {"email": ROBIN, "shelter": "Dune Lane Cats", "name": "Robin"}),
        ("/sign-in", {"email": f" {ROBIN.upper()}", "password": "some password"}),
    ],
)
def test_signing_up_or_resetting_with_an_invited_address_repeats_the_invitation(
    app: APIFlask, owner: Colleague, path: str, form: dict[str, str]
) -> None:
    owner.post("/account/name", {"name": "Ann Carter"})
    first, robin = invited(owner), Visitor(app.test_client())
    pages = []
    with time_machine.travel(datetime.now(UTC), tick=False):  # the token of a form contains the time
        for email in (form["email"], "nobody@example.org"):
            sent = robin.send(path, **form | {"email": email})
            shown = sent.text + (robin.get("/mailbox").text if sent.status_code == 303 else "")
            shown = shown.replace(escape(email), "").replace(email, "")
            pages.append((sent.status_code, sent.headers.get("Location"), shown))
    assert pages[0] == pages[1], "the page is the same for an address that nobody invited"
    letter = emails_to(ROBIN)[-1]
    assert letter.subject == "You have an invitation from Elm Road Rescue"
    assert "Ann Carter has invited" in " ".join(letter.text.split())
    fresh = link_in_email(ROBIN, "/invitations/")
    assert robin.get(first).status_code == 404
    assert robin.send(fresh, name="Robin", password=NEW).status_code == 303
    assert roles(owner)[ROBIN] == "staff"


@pytest.mark.settings("embedded")
def test_an_invitation_stays_usable_when_no_more_emails_are_sent(app: APIFlask, owner: Colleague) -> None:
    invited(owner)
    robin = Visitor(app.test_client())
    with time_machine.travel(1_796_000_400, tick=False):
        for _ in range(PASSWORD_RESETS.most + 2):
            robin.send("/password/forgotten", email=ROBIN)
    assert len(emails_to(ROBIN)) == 1 + PASSWORD_RESETS.most
    assert robin.send(link_in_email(ROBIN), name="Robin", password=NEW).status_code == 303


def test_another_invitation_replaces_the_first_and_can_be_revoked(app: APIFlask, owner: Colleague) -> None:
    first, robin = invited(owner), Visitor(app.test_client())
    second = invited(owner, role="owner")
    assert robin.get(first).status_code == 404
    [waiting] = invitations.pending_invitations(owner.account_id)
    question = owner.get(f"members/invitations/{waiting.id}/removal")
    assert "Cancel the invitation to robin@example.org?" in question.text
    assert owner.post(f"members/invitations/{waiting.id}/removal").status_code == 303
    assert robin.send(second, name="Robin", password=NEW).status_code == 404
    assert audited(owner)[-1] == ("invitation.revoked", owner.email, ROBIN)


def test_invitation_errors_are_shown_per_field(owner: Colleague, teammate: Colleague) -> None:
    for form, found in (
        ({"email": "robin", "role": "staff"}, "Enter an email address with an @"),
        ({"email": teammate.email, "role": "staff"}, "is already a member"),
        ({"email": ROBIN, "role": "admin"}, "Choose a role"),
    ):
        answer = owner.post("members/invitations", form)
        assert answer.status_code == 422
        assert "The invitation was not sent" in answer.text
        assert found in answer.text
        assert form["email"] in answer.text
    assert emails_to(ROBIN) == []


def test_an_invitation_does_not_reveal_known_emails(owner: Colleague, outsider: Colleague) -> None:
    pages = []
    for email in (outsider.email, ROBIN):
        invited(owner, email)
        pages.append(owner.get("members").text.count(email))
    assert pages[0] == pages[1]


def test_invitations_are_limited_per_account(owner: Colleague, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invitations, "OF_ONE_ACCOUNT", replace(invitations.OF_ONE_ACCOUNT, most=2))
    for number in range(2):
        invited(owner, f"robin-{number}@example.org")
    answer = owner.post("members/invitations", {"email": ROBIN, "role": "staff"})
    assert "You have sent many invitations" in answer.text
    assert emails_to(ROBIN) == []


def test_a_changed_role_applies_at_once(owner: Colleague, teammate: Colleague) -> None:
    assert teammate.post("members/invitations", {"email": ROBIN, "role": "staff"}).status_code == 403
    owner.post(f"members/{id_of(owner, teammate.email)}/role", {"role": "owner"})
    assert teammate.post("members/invitations", {"email": ROBIN, "role": "staff"}).status_code == 303
    owner.post(f"members/{id_of(owner, teammate.email)}/role", {"role": "staff"})
    assert teammate.post("members/invitations", {"email": ROBIN, "role": "staff"}).status_code == 403
    assert ("member.role-changed", owner.email, teammate.email) in audited(owner)


def test_a_removed_member_loses_access_at_once(owner: Colleague, teammate: Colleague) -> None:
    path = f"members/{id_of(owner, teammate.email)}/removal"
    assert f"Remove {teammate.email} from Elm Road Rescue?" in owner.get(path).text
    assert owner.post(path).status_code == 303
    assert teammate.get("animals").status_code == 403
    assert teammate.client.get("/projects").status_code == 200
    assert "You don\u2019t have access to a shelter" in teammate.client.get("/projects").text
    assert audited(owner)[-1] == ("member.removed", owner.email, teammate.email)


@pytest.mark.settings("embedded")
def test_members_are_emailed_when_owners_change_their_role_or_remove_them(
    owner: Colleague, teammate: Colleague
) -> None:
    owner.post("/account/name", {"name": "Ann Carter"})
    path = f"members/{id_of(owner, teammate.email)}"
    question = owner.get(f"{path}/role?role=owner").text
    assert f"Make {teammate.email} an owner?" in question
    for _ in range(2):
        owner.post(f"{path}/role", {"role": "owner"})
    [changed] = emails_to(teammate.email)
    assert changed.subject == "Your role at Elm Road Rescue has changed"
    assert "Ann Carter made you an owner of Elm Road Rescue." in changed.text
    owner.post(f"{path}/removal")
    removed = emails_to(teammate.email)[-1]
    assert removed.subject == "You no longer have access to Elm Road Rescue"
    assert emails_to(owner.email) == []


@pytest.mark.settings("embedded")
def test_members_can_leave_except_the_last_owner(owner: Colleague, teammate: Colleague) -> None:
    only = "You are the only owner. Make someone else an owner first, then you can leave."
    assert owner.get("members/departure").status_code == 303
    assert only in owner.get("members").text
    owner.post("members/departure")
    assert only in owner.get("members").text
    assert "Leave Elm Road Rescue?" in teammate.get("members/departure").text
    assert teammate.post("members/departure").headers["Location"] == "/projects"
    assert teammate.get("animals").status_code == 403
    assert roles(owner) == {owner.email: "owner"}
    assert audited(owner)[-1] == ("member.left", teammate.email, teammate.email)


@pytest.mark.settings("embedded")
def test_the_owners_who_stay_get_an_email_when_someone_leaves(owner: Colleague, teammate: Colleague) -> None:
    teammate.post("/account/name", {"name": "Robin Hill"})
    teammate.post("members/departure")
    [found] = emails_to(owner.email)
    assert found.subject == "Robin Hill has left Elm Road Rescue"
    assert f"Robin Hill ({teammate.email}) was a member of staff of Elm Road Rescue" in found.text
    assert emails_to(teammate.email) == []
    owner.post("members/departure")
    assert len(emails_to(owner.email)) == 1, "the last owner stays"


@pytest.mark.settings("embedded")
def test_owners_send_a_locked_out_colleague_a_reset_link(
    app: APIFlask, owner: Colleague, teammate: Colleague
) -> None:
    path = f"members/{id_of(owner, teammate.email)}/password-reset"
    with time_machine.travel(datetime.now(UTC), tick=False):
        for _ in range(PASSWORD_RESETS.most + 1):
            assert owner.post(path).status_code == 303
        assert re.search(r"Wait (a minute|\d+ minutes), then try again\.", owner.get("members").text)
        assert len(emails_to(teammate.email)) == PASSWORD_RESETS.most
        link = link_in_email(teammate.email, "/password/new/")
        assert link not in owner.get("members").text, "only the colleague gets it"
        robin = Visitor(app.test_client())
        assert robin.send(link, password=NEW).headers["Location"] == "/projects"
    assert ("member.reset-sent", owner.email, teammate.email) in audited(owner)


@pytest.mark.settings("embedded")
def test_an_invitation_is_sent_again_for_another_week(app: APIFlask, owner: Colleague) -> None:
    first, robin = invited(owner), Visitor(app.test_client())
    [waiting] = invitations.pending_invitations(owner.account_id)
    with time_machine.travel(datetime.now(UTC) + timedelta(days=6)):
        invitations.resend_invitation(place(owner), waiting.id, Actor(None, owner.email))
    with time_machine.travel(datetime.now(UTC) + timedelta(days=12)):
        assert robin.get(first).status_code == 404
        assert robin.get(link_in_email(ROBIN)).status_code == 200
    [waiting] = invitations.pending_invitations(owner.account_id)
    assert owner.post(f"members/invitations/{waiting.id}/sending").status_code == 303
    assert len(emails_to(ROBIN)) == 3
    assert audited(owner)[-1] == ("invitation.sent-again", owner.email, ROBIN)


@pytest.mark.settings("embedded")
def test_the_team_page_says_when_members_were_last_seen(owner: Colleague, teammate: Colleague) -> None:
    access_matrix.member(owner)
    with transaction() as session:
        session.execute(update(SignIn).values(seen_at=datetime.now(UTC) - timedelta(days=3)))
        session.execute(update(Member).values(created_at=datetime.now(UTC)))
    page = without_times(owner.get("members").text)
    assert page.count("Last seen 3 days ago") == 1, "the owner was seen again just now"
    assert page.count("Last seen just now") == 1
    assert page.count("Not signed in yet") == 1


def test_an_account_never_loses_its_last_owner(owner: Colleague, teammate: Colleague) -> None:
    myself = id_of(owner, owner.email)
    for path, form in ((f"members/{myself}/removal", {}), (f"members/{myself}/role", {"role": "staff"})):
        assert owner.post(path, dict(form)).status_code == 303
        assert "An account needs an owner" in owner.get("members").text
    assert roles(owner) == {owner.email: "owner", teammate.email: "staff"}
    owner.post(f"members/{id_of(owner, teammate.email)}/role", {"role": "owner"})
    assert owner.post(f"members/{myself}/removal").headers["Location"] == "/projects"
    assert roles(teammate) == {teammate.email: "owner"}


def test_staff_without_the_right_cannot_change_the_team(owner: Colleague, teammate: Colleague) -> None:
    invited(owner)
    page = teammate.get("members").text
    assert owner.email in page
    assert ROBIN in page
    assert "Invite a colleague" not in page
    assert "removal" not in page
    assert PASSWORD not in page

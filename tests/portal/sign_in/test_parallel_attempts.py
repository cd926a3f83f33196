"""Rate limits are exact under 60 parallel attempts."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from threading import Barrier, Condition, Thread
from typing import Any, NamedTuple

import pytest
import time_machine
from apiflask import APIFlask
from sqlalchemy import func, select

from adoption.accounts.authentication import password_attempts
from adoption.accounts.models import SignIn
from adoption.mail.models import OutgoingEmail
from adoption.orders import applicant_name_verification
from adoption.projects.models import Project
from adoption.storage.database import reading
from portal.staff.domains import verification as domain_verification
from tests import applying, domains, factories
from tests.authenticator import Device
from tests.cast import Colleague
from tests.portal.visitor import Visitor

pytestmark = pytest.mark.settings("embedded")

PARALLEL = 60
SECONDS_MOST = 60
ADDRESS = "192.0.2.7"
START_OF_A_DAY = 1_796_000_400 // 86_400 * 86_400


class Attempts:
    """A barrier that blocks each attempt until every request has reached its attempt or was rejected."""

    def __init__(self) -> None:
        self.made = self.answered = 0
        self.changed = Condition()

    def hold(self) -> None:
        with self.changed:
            self.made += 1
            self.changed.notify_all()
            self.changed.wait_for(lambda: self.made + self.answered >= PARALLEL, SECONDS_MOST)

    def answer(self) -> None:
        with self.changed:
            self.answered += 1
            self.changed.notify_all()

    def holding(self, check: Callable[..., Any]) -> Callable[..., Any]:
        def held(*arguments: Any) -> Any:
            self.hold()
            return check(*arguments)

        return held


class Case(NamedTuple):
    path: str
    form: Callable[[int], dict[str, str]]
    count: Callable[[], int]
    """Return the number of attempts."""
    limit: int


class World(NamedTuple):
    app: APIFlask
    owner: Colleague
    attempts: Attempts
    patch: pytest.MonkeyPatch


def hold_password_verification(world: World) -> None:
    held = world.attempts.holding(password_attempts.verify_password)
    world.patch.setattr(password_attempts, "verify_password", held)


def wrong_passwords(world: World) -> Case:
    hold_password_verification(world)
    form = {"email": world.owner.email, "password": "not the password"}
    return Case("/sign-in", lambda _: form, lambda: world.attempts.made, 8)


def wrong_current_passwords(world: World) -> Case:
    hold_password_verification(world)
    form = {"password": "not the password"}
    return Case("/account/identity", lambda _: form, lambda: world.attempts.made, 8)


def wrong_names(world: World) -> Case:
    animal = factories.animal(Project(id=world.owner.project_id))
    link = applying.link_in(applying.apply(world.app.test_client(), animal))
    plain = world.attempts.holding(applicant_name_verification.comparable_name)
    world.patch.setattr(
        applicant_name_verification, "comparable_name", lambda name: plain(name) if "Name" in name else name
    )
    return Case(link, lambda number: {"name": f"Name {number}"}, lambda: world.attempts.made, 10)


def password_resets(world: World) -> Case:
    form = {"email": world.owner.email}
    return Case("/password/forgotten", lambda _: form, letters, 4)


def reset_senders(_world: World) -> Case:
    return Case("/password/forgotten", lambda n: {"email": f"robin{n}@example.org"}, letters, 30)


def sign_ups(_world: World) -> Case:
    form = {"email": "robin@example.org", "shelter": "Robin's Rest", "name": "Robin", "currency": "GBP"}
    return Case("/sign-up", lambda _: form, letters, 4)


def invitations(world: World) -> Case:
    form = {"role": "staff"}
    path = world.owner.at("members/invitations")
    return Case(path, lambda n: {**form, "email": f"robin{n}@example.org"}, letters, 20)


def passkey_answers(world: World) -> Case:
    device = Device(counts=False)
    made = device.make(world.owner.post("/account/passkeys/challenge").text)
    world.owner.post("/account/passkeys", {"answer": made, "name": "My phone"})
    stranger = Visitor(world.owner.client)
    answer = device.sign(stranger.send("/sign-in/passkey/challenge").text)
    before = count_of(SignIn.id)
    return Case("/sign-in/passkey", lambda _: {"answer": answer}, lambda: count_of(SignIn.id) - before, 1)


def sites(world: World) -> Case:
    before = count_of(Project.id)
    form = {"name": "Elm Road Cats"}
    return Case(world.owner.at("sites"), lambda _: form, lambda: count_of(Project.id) - before, 10)


def dns_checks(world: World) -> Case:
    domains.upgrade_to_pro(world.owner)
    row = domains.add_verified_row(
        world.owner.project_id, "adopt.example.org", state="unverified", verified_host=None
    )
    reserve = domain_verification.reserve_check
    made: list[int] = []

    def counting(account_id: int) -> Any:
        with suppress(domain_verification.ChecksBusy), reserve(account_id):
            pass
        made.append(account_id)
        raise domain_verification.ChecksBusy("This test asks no name server.")

    world.patch.setattr(domain_verification, "reserve_check", counting)
    path = world.owner.at(f"domains/{row}/verification")
    return Case(path, lambda _: {}, lambda: len(made), 20)


def letters() -> int:
    return count_of(OutgoingEmail.id)


def count_of(column: Any) -> int:
    with reading() as session:
        return session.scalar(select(func.count(column))) or 0


@pytest.fixture
def one_day() -> Iterator[None]:
    """The periods of all throttles do not end during the test."""
    with time_machine.travel(START_OF_A_DAY + 60, tick=False):
        yield


@pytest.mark.usefixtures("one_day")
@pytest.mark.parametrize(
    "case_of",
    [
        wrong_passwords,
        wrong_current_passwords,
        wrong_names,
        password_resets,
        reset_senders,
        sign_ups,
        invitations,
        passkey_answers,
        sites,
        dns_checks,
    ],
)
def test_60_parallel_attempts_get_exactly_the_rate_limit(
    app: APIFlask,
    case_of: Callable[[World], Case],
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    owner: Colleague = request.getfixturevalue("owner")
    world = World(app, owner, Attempts(), monkeypatch)
    case = case_of(world)
    token = Visitor(owner.client).token()
    cookie = owner.client.get_cookie("homeward")
    assert cookie
    before = case.count()
    together, statuses = Barrier(PARALLEL), []

    def send(number: int) -> None:
        browser = app.test_client()
        browser.set_cookie("homeward", cookie.value)
        form = {"csrf_token": token, **case.form(number)}
        together.wait()
        answer = browser.post(case.path, data=form, environ_base={"REMOTE_ADDR": ADDRESS})
        world.attempts.answer()
        statuses.append(answer.status_code)

    threads = [Thread(target=send, args=(number,)) for number in range(PARALLEL)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert case.count() - before == case.limit
    assert len(statuses) == PARALLEL
    assert set(statuses) <= {200, 303, 409, 422, 429}, set(statuses)


@pytest.mark.usefixtures("one_day")
def test_correct_passwords_use_no_attempts(app: APIFlask, owner: Colleague) -> None:
    for _ in range(10):
        assert Visitor(app.test_client()).sign_in(owner.email).status_code == 303

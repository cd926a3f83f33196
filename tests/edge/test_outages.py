"""An authority that goes down, and comes back as another one that rejects half of the nonces."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import select

from adoption.certificates import outages
from adoption.mail.models import OutgoingEmail
from adoption.storage.database import reading
from tests.edge.environment import World
from tests.waiting import wait_for

pytestmark = pytest.mark.parametrize("world", ["embedded"], indirect=True)

REJECTS = "PEBBLE_WFE_NONCEREJECT"


@contextmanager
def restarted(world: World, rejects: str) -> Iterator[None]:
    world.authority.stop()
    try:
        yield
    finally:
        world.authority.environ[REJECTS] = rejects
        world.authority.start()


def is_down(world: World) -> bool:
    with world.app.app_context():
        return outages.is_down()


def subjects_since(world: World, first: int) -> list[str]:
    with world.app.app_context(), reading() as session:
        known = select(OutgoingEmail.subject).where(
            OutgoingEmail.id > first, OutgoingEmail.subject.not_like("%plan")
        )
        return list(session.scalars(known.order_by(OutgoingEmail.id)))


def last_letter(world: World) -> int:
    with world.app.app_context(), reading() as session:
        return session.scalar(select(OutgoingEmail.id).order_by(OutgoingEmail.id.desc()).limit(1)) or 0


def test_orders_of_all_accounts_go_on_when_the_authority_is_back(world: World) -> None:
    before, shelters = last_letter(world), [world.new_shelter() for _ in range(3)]
    with restarted(world, rejects="50"):
        hosts = [world.verified(shelter=each) for each in shelters for _ in range(4)]
        wait_for("the authority to count as down", lambda: is_down(world))
    try:
        world.verify(hosts[0])
        for host in hosts:
            world.become("live", host)
        assert not is_down(world)
        late = world.live()
        expected = ["Your domains: 4 live"] * 3 + [f"{late} is live"]
        wait_for("the emails", lambda: sorted(subjects_since(world, before)) == sorted(expected))
    finally:
        with restarted(world, rejects="0"):
            pass

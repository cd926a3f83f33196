"""An outage of the authority.

After the outage, the authority has no accounts, and rejects half of the nonces.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import select

from adoption.certificates import authority_outages
from adoption.mail.models import OutgoingEmail
from adoption.storage.database import reading
from tests.edge.environment import Environment
from tests.waiting import wait_for

pytestmark = pytest.mark.parametrize("environment", ["embedded"], indirect=True)

REJECTS = "PEBBLE_WFE_NONCEREJECT"


@contextmanager
def restarted(environment: Environment, rejects: str) -> Iterator[None]:
    environment.authority.stop()
    try:
        yield
    finally:
        environment.authority.environ[REJECTS] = rejects
        environment.authority.start()


def is_down(environment: Environment) -> bool:
    with environment.app.app_context():
        return authority_outages.is_down()


def subjects_since(environment: Environment, first: int) -> list[str]:
    with environment.app.app_context(), reading() as session:
        known = select(OutgoingEmail.subject).where(
            OutgoingEmail.id > first, OutgoingEmail.subject.not_like("%plan")
        )
        return list(session.scalars(known.order_by(OutgoingEmail.id)))


def last_email_id(environment: Environment) -> int:
    with environment.app.app_context(), reading() as session:
        return session.scalar(select(OutgoingEmail.id).order_by(OutgoingEmail.id.desc()).limit(1)) or 0


def live_domains(subject: str) -> int:
    """Return how many domains an email reports as live.

    One email reports several domains if their orders were delayed.
    """
    several = re.fullmatch(r"Your domains: (\d+) live", subject)
    assert several or subject.endswith(" is live"), subject
    return int(several[1]) if several else 1


def test_orders_of_all_accounts_continue_after_an_outage(environment: Environment) -> None:
    before, shelters = last_email_id(environment), [environment.new_shelter() for _ in range(3)]
    with restarted(environment, rejects="50"):
        hosts = [environment.add_verified(shelter=each) for each in shelters for _ in range(4)]
        wait_for("the authority to count as down", lambda: is_down(environment))
    try:
        environment.verify(hosts[0])
        for host in hosts:
            environment.wait_for_state("live", host)
        assert not is_down(environment)
        environment.add_live()
        count = len(hosts) + 1
        wait_for("the emails", lambda: sum(map(live_domains, subjects_since(environment, before))) == count)
    finally:
        with restarted(environment, rejects="0"):
            pass

"""Rate limits of sign-ins, emails and other actions."""

from dataclasses import replace

import pytest

from adoption.accounts.quotas.throttles import Throttle, reserve
from adoption.errors import TooMany

pytestmark = [pytest.mark.usefixtures("app"), pytest.mark.settings("embedded")]

NOW = 1_796_000_400.0
MINUTELY = Throttle("tests-minute", 2, 60, "Wait a minute.")
HOURLY = Throttle("tests-hour", 1, 3_600, "Wait an hour.")


def test_an_attempt_that_one_throttle_rejects_counts_for_no_throttle() -> None:
    assert HOURLY.take("ann", NOW)
    for _ in range(5):
        with pytest.raises(TooMany) as refused:
            reserve([(MINUTELY, "ann"), (HOURLY, "ann")], NOW)
    assert (refused.value.sentence, refused.value.seconds) == ("Wait an hour.", 3_600 - int(NOW % 3_600))
    assert [MINUTELY.take("ann", NOW) for _ in range(3)] == [True, True, False]


def test_a_period_begins_at_its_full_minute() -> None:
    start = NOW - NOW % 60
    assert [MINUTELY.take("ann", start + second) for second in (58, 59, 59.9, 60, 61, 62)] == [
        True,
        True,
        False,
        True,
        True,
        False,
    ]


def test_a_throttle_ignores_case_and_separates_names() -> None:
    assert HOURLY.take("Ann@example.org", NOW)
    assert not HOURLY.take("ann@Example.org", NOW)
    assert HOURLY.take("bob@example.org", NOW)
    assert replace(HOURLY, name="another").take("ann@example.org", NOW)


def test_attempts_without_a_limit_count_towards_the_limited_ones() -> None:
    for _ in range(3):
        assert MINUTELY.without_limit().take("ann", NOW)
    assert not MINUTELY.take("ann", NOW)

"""Limits on uploads of one account, which leave slots for other accounts and other requests."""

from collections.abc import Iterator

import pytest

from portal.staff.costly_requests import COSTLY, PER_ACCOUNT, PLACES, places
from serving import concurrent_request_limits
from serving.concurrent_request_limits import LONG_REQUESTS
from tests import staffing
from tests.cast import Colleague

pytestmark = pytest.mark.settings("embedded")


@pytest.fixture(autouse=True)
def no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concurrent_request_limits, "PATIENCE", -1)


@pytest.fixture
def busy(owner: Colleague) -> Iterator[str]:
    """The id of the owner's account, which uses all its slots."""
    account = str(owner.account_id)
    for _ in range(PER_ACCOUNT):
        assert places.take(account)
    yield account
    while places.taken[account]:
        places.give_back(account)


def test_costly_requests_are_limited_per_account(owner: Colleague, outsider: Colleague, busy: str) -> None:
    animal_id = staffing.add_animal(owner)
    path = f"animals/{animal_id}/photos"
    refused = owner.post(path, {"photos": staffing.photo_file()})
    assert refused.status_code == 503
    assert int(refused.headers["Retry-After"]) >= 1
    assert "We are still working on other photos and files. Nothing was saved." in refused.text
    by_script = owner.post(path, {"photos": staffing.photo_file()}, headers={"HX-Request": "true"})
    assert (by_script.status_code, by_script.mimetype) == (503, "text/plain"), "the page shows the reason"
    assert "Nothing was saved. Wait a few seconds, then try again." in by_script.text
    assert owner.get(f"animals/{animal_id}").status_code == 200
    assert (
        outsider.post(
            f"animals/{staffing.add_animal(outsider)}/photos", {"photos": staffing.photo_file()}
        ).status_code
        == 303
    )
    places.give_back(busy)
    for _ in range(PER_ACCOUNT + 1):
        assert owner.post(path, {"photos": staffing.photo_file()}).status_code == 303


def test_costly_requests_leave_half_of_the_slots() -> None:
    assert PLACES * 2 <= LONG_REQUESTS


def test_each_costly_endpoint_exists(owner: Colleague) -> None:
    assert set(owner.client.application.view_functions) >= COSTLY

"""Clocks that differ, and an authority that always wants a renewal: nothing is ordered over and over."""

from datetime import timedelta

import pytest

from adoption.projects.models import Project
from tests.adoption.certificates.conftest import World, held, verified

HOST = "adopt.elm.example"
HOURS = 3


@pytest.fixture(params=["ahead of the authority", "always to be renewed"])
def out_of_step(request: pytest.FixtureRequest, world: World) -> World:
    if request.param == "ahead of the authority":
        world.ca.behind = timedelta(days=70)  # what it issues is past two thirds of its life
    else:
        world.ca.wants_renewal = world.now - timedelta(days=1)
    return world


def test_one_is_not_renewed_on_the_day_it_came(elm: Project, out_of_step: World) -> None:
    domain_id = verified(elm, HOST)
    for _ in range(HOURS):
        out_of_step.round(hours=1)
    assert out_of_step.ca.count("order") == 1
    out_of_step.round(days=1)
    out_of_step.round(minutes=1)
    assert out_of_step.ca.count("order") == 2
    assert out_of_step.standing(domain_id).state == "live"


def test_one_of_a_short_life_is_renewed_in_time_all_the_same(elm: Project, world: World) -> None:
    world.ca.days = 1 / 24
    domain_id = verified(elm, HOST)
    world.round()
    assert held(domain_id).renew_at == held(domain_id).issued_at + timedelta(minutes=40)

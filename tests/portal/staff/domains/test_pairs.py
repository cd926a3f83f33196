"""Pairs of an apex and its www name, added in one step and verified by one click."""

import pytest
from sqlalchemy import select

from adoption.domains.models import Domain
from adoption.storage.database import reading
from tests import domains
from tests.cast import Colleague
from tests.dns_server import SILENT, Zone

pytestmark = pytest.mark.settings("embedded")

APEX, WWW = "example.org", "www.example.org"
HTMX = {"HX-Request": "true", "HX-Target": "pair"}
ADDRESS = "203.0.113.24"


def own() -> dict[str, Domain]:
    with reading() as session:
        return {each.host: each for each in session.scalars(select(Domain).order_by(Domain.id))}


@pytest.mark.parametrize(("typed", "other"), [(APEX, WWW), (WWW, APEX)])
def test_a_pair_is_added_in_one_step_and_the_partner_redirects(
    pro: Colleague, typed: str, other: str
) -> None:
    answer = pro.post("domains", {"domain": f"https://{typed}/", "pair": "yes"})
    added = own()
    assert list(added) == [typed, other]
    assert answer.location.endswith(f"#domain-{added[typed].id}")
    assert (added[typed].redirect_status, added[typed].wants_primary) == (None, True)
    assert (added[other].redirect_status, added[other].redirects_to) == (301, added[typed].id)
    page = pro.get("domains").text
    found = (
        f"{typed} and {other} are added. Add the records below at your DNS provider, then press one Verify"
    )
    assert found in page
    assert page.count('<li class="panel domain-card" id="domain-') == 3


def test_one_click_verifies_both_domains_of_a_pair(pro: Colleague, zone: Zone) -> None:
    pro.post("domains", {"domain": APEX, "pair": "yes"})
    zone.put("sites.example.com", "A", ADDRESS)
    zone.put(APEX, "A", ADDRESS)
    domains.put_right_records(zone, WWW)
    answer = pro.post(f"domains/{own()[WWW].id}/verification", headers={"HX-Request": "true"})
    assert f"{WWW}: DNS verified. {APEX}: DNS verified</p>" in answer.text
    assert {each.state for each in own().values()} == {"verified"}
    assert own()[APEX].primary_of == pro.project_id
    redirects = pro.get("domains/redirects.json").json
    assert redirects == [{"from": WWW, "to": APEX, "status": 301}]


def test_silent_servers_of_one_domain_do_not_stop_the_check_of_its_partner(
    pro: Colleague, zone: Zone
) -> None:
    pro.post("domains", {"domain": APEX, "pair": "yes"})
    domains.put_right_records(zone, WWW)
    zone.faults[APEX] = SILENT
    answer = pro.post(f"domains/{own()[APEX].id}/verification", headers={"HX-Request": "true"})
    assert f"{WWW}: DNS verified" in answer.text
    assert (own()[APEX].state, own()[WWW].state) == ("unverified", "verified")


def test_an_added_pair_redirects_to_an_existing_primary_domain(pro: Colleague, zone: Zone) -> None:
    pro.post("domains", {"domain": "adopt.example.net"})
    pro.post("domains", {"domain": APEX, "role": "redirect", "pair": "yes"})
    assert [(own()[host].redirect_status, own()[host].redirects_to) for host in (APEX, WWW)] == [
        (301, None),
        (301, None),
    ]


def test_a_domain_without_a_new_partner_is_added_alone(pro: Colleague) -> None:
    pro.post("domains", {"domain": "adopt.example.net", "pair": "yes"})
    pro.post("domains", {"domain": WWW})
    pro.post("domains", {"domain": APEX, "pair": "yes"})
    assert list(own()) == ["adopt.example.net", WWW, APEX]


def test_a_pair_over_the_limit_adds_neither_domain(pro: Colleague, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adoption.domains.additions.DOMAINS_MOST", 1)
    assert pro.post("domains", {"domain": APEX, "pair": "yes"}).status_code == 422
    assert own() == {}


@pytest.mark.parametrize(
    ("typed", "shows"),
    [
        ("", "Also add the same domain with or without www"),
        (APEX, f"Also add <b>{WWW}</b><small>It sends its visitors to {APEX}"),
        (f" https://{WWW.upper()}/ ", f"Also add <b>{APEX}</b>"),
        ("example", "Also add the same domain with or without www"),
    ],
)
def test_the_form_names_the_partner_of_the_typed_domain(pro: Colleague, typed: str, shows: str) -> None:
    answer = pro.client.get(
        f"/projects/{pro.slug}/domains/pair", query_string={"domain": typed, "pair": "yes"}, headers=HTMX
    )
    assert shows in answer.text
    assert 'type="checkbox" name="pair" value="yes" checked' in answer.text


def test_a_domain_without_a_partner_has_no_checkbox_and_keeps_the_choice(pro: Colleague) -> None:
    for chosen in ({"pair": "yes"}, {}):
        answer = pro.client.get(
            f"/projects/{pro.slug}/domains/pair",
            query_string={"domain": "adopt.example.org", **chosen},
            headers=HTMX,
        )
        assert "checkbox" not in answer.text
        assert ('name="pair" value="yes"' in answer.text) is bool(chosen)


def test_an_error_keeps_the_choice_of_the_pair(pro: Colleague) -> None:
    page = pro.post("domains", {"domain": "my_shelter.example.org"}).text
    assert 'name="pair" value="yes">' in page
    page = pro.post("domains", {"domain": "my_shelter.example.org", "pair": "yes"}).text
    assert 'name="pair" value="yes" checked>' in page

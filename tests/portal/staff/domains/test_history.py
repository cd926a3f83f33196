"""The history of a domain, and its HSTS switch."""

import pytest
from apiflask import APIFlask

from adoption.audit.actors import SERVICE
from adoption.domains.history import record_event
from adoption.projects.models import Project
from adoption.storage.database import transaction
from tests import domains
from tests.cast import Colleague
from tests.pages import without_times

pytestmark = pytest.mark.settings("embedded")

HOST = "adopt.example.org"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def pro(owner: Colleague) -> Colleague:
    return domains.upgrade_to_pro(owner)


@pytest.fixture
def domain_id(pro: Colleague) -> int:
    return domains.add_verified_row(pro.project_id, HOST)


def happen(pro: Colleague, domain_id: int, action: str, detail: str = "") -> None:
    domain = domains.stored_domain(domain_id)
    with transaction() as session:
        project = session.get_one(Project, pro.project_id)
        record_event(session, SERVICE, action, project, domain, detail)


def history(who: Colleague, domain_id: int) -> str:
    return without_times(who.get(f"domains/{domain_id}/history", headers=HTMX).text)


def test_the_card_loads_the_history_of_its_domain_newest_first(pro: Colleague, domain_id: int) -> None:
    other = domains.add_verified_row(pro.project_id, "www.example.org")
    happen(pro, other, "domain.added")
    happen(pro, domain_id, "domain.verified")
    happen(pro, domain_id, "domain.certificate-failed", "DNS problem: SERVFAIL")
    pro.post(f"domains/{domain_id}/primary")
    address = f"/projects/{pro.slug}/domains/{domain_id}/history"
    page = pro.get("domains").text
    assert f'hx-get="{address}" hx-trigger="toggle once"' in page
    assert f'<a href="{address}">Show the history of {HOST}</a>' in page
    found = history(pro, domain_id)
    order = ("Made a domain primary", "Could not get a certificate", "Verified a domain")
    places = [found.index(words) for words in order]
    assert places == sorted(places)
    assert "Could not get a certificate for a domain</span>: <bdi>DNS problem: SERVFAIL</bdi>" in found
    assert "Added a domain" not in found
    assert "<bdi>System</bdi>" in found
    assert 'href="/projects/elm-road-rescue/audit?kind=domains"' in found


def test_the_history_is_a_page_of_its_own_and_ends_after_twenty(pro: Colleague, domain_id: int) -> None:
    assert "Nothing has happened to this domain yet." in history(pro, domain_id)
    for number in range(21):
        happen(pro, domain_id, "domain.moved", f"Look {number}")
    page = pro.get(f"domains/{domain_id}/history").text
    assert "<title>History of adopt.example.org" in page
    assert ("Look 20" in page, "Look 0<" in page) == (True, False)
    assert "The 20 newest entries." in page


def test_staff_see_the_history_without_the_audit_log(
    pro: Colleague, domain_id: int, teammate: Colleague, outsider: Colleague
) -> None:
    assert "audit?kind" not in history(teammate, domain_id)
    assert "All events are in the audit log, which owners can see." in history(teammate, domain_id)
    assert outsider.get(f"domains/{domain_id}/history").status_code == 404


def orders_certificates(app: APIFlask, monkeypatch: pytest.MonkeyPatch) -> None:
    found = app.config["HOMEWARD"].model_copy(update={"acme_directory": "https://ca.example/directory"})
    monkeypatch.setitem(app.config, "HOMEWARD", found)


def test_an_owner_turns_hsts_of_a_year_on_and_off(
    app: APIFlask, pro: Colleague, monkeypatch: pytest.MonkeyPatch
) -> None:
    orders_certificates(app, monkeypatch)
    domain_id = domains.add_verified_row(pro.project_id, HOST, live_until=domains.FAR)
    switch = "Keep browsers on https for longer"
    assert switch in pro.get("domains").text
    question = without_times(pro.get(f"domains/{domain_id}/https").text)
    assert "You cannot undo it quickly" in question
    assert "Your other domains are not affected" in question
    assert pro.post(f"domains/{domain_id}/https?longer=yes").status_code == 303
    page = pro.get("domains").text
    assert "Browsers now use only https at adopt.example.org, for a year after each visit." in page
    assert "https for a year</span>" in page
    assert switch not in page
    assert (
        "For a year, browsers that were here use only https" in pro.get(f"domains/{domain_id}/removal").text
    )
    assert "keeps the year until its next visit" in pro.get(f"domains/{domain_id}/https").text
    pro.post(f"domains/{domain_id}/https?longer=no")
    pro.post(f"domains/{domain_id}/https?longer=no")
    assert domains.stored_domain(domain_id).keeps_https is False
    found = history(pro, domain_id)
    assert (found.count("for a year at a domain"), found.count("for a day at a domain")) == (1, 1)


def test_a_domain_without_a_certificate_sends_no_hsts(
    app: APIFlask, pro: Colleague, domain_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    orders_certificates(app, monkeypatch)
    assert "Keep browsers on https" not in pro.get("domains").text
    pro.post(f"domains/{domain_id}/https?longer=yes")
    assert "has no valid certificate yet" in pro.get("domains").text
    assert domains.stored_domain(domain_id).keeps_https is False

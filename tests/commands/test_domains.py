"""``homeward domain``: JSON, sentences and exit codes."""

import json
from collections.abc import Callable

import pytest
from apiflask import APIFlask
from click.testing import Result

from adoption.accounts.plan_changes import set_plan
from adoption.domains.dns_transport import DnsServer
from adoption.projects.models import Project
from tests import dns_server, domains, factories
from tests.dns_server import Zone

HOST = "adopt.example.org"
Run = Callable[..., Result]


@pytest.fixture
def homeward(app: APIFlask, name_server: DnsServer, monkeypatch: pytest.MonkeyPatch) -> Run:
    found = app.config["HOMEWARD"].model_copy(update={"dns_servers": (tuple(name_server),)})
    monkeypatch.setitem(app.config, "HOMEWARD", found)

    def run(*words: str) -> Result:
        return app.test_cli_runner().invoke(args=["domain", *words])

    return run


def test_adding_a_domain_prints_the_dns_record(homeward: Run, elm: Project) -> None:
    made = homeward("add", "elm-road", f"https://{HOST.upper()}/", "--json")
    assert made.exit_code == 0
    record = {"type": "CNAME", "name": "adopt", "value": "localhost", "ttl": 3600}
    assert json.loads(made.stdout) == {"host": HOST, "dns": "unverified", "records": [record]}
    assert homeward("add", "elm-road", "example.org").stdout == "ALIAS\t@\tlocalhost\n"


def test_adding_a_claimed_domain_prints_both_dns_records(homeward: Run, elm: Project, zone: Zone) -> None:
    domains.put_right_records(zone, HOST)
    for words in (("add", "elm-road", HOST), ("verify", HOST), ("remove", HOST)):
        assert homeward(*words).exit_code == 0
    factories.project("Fenland")
    set_plan("fenland", "pro")
    alias, text = homeward("add", "fenland", HOST).stdout.splitlines()
    assert alias == "CNAME\tadopt\tlocalhost"
    kind, name, token = text.split("\t")
    assert (kind, name) == ("TXT", "_homeward.adopt")
    refused = homeward("verify", HOST)
    assert refused.exit_code == 1
    assert f"Expected: {token}" in refused.stderr, "people without the page need the value"
    zone.put(f"_homeward.{HOST}", "TXT", token)
    assert homeward("verify", HOST).exit_code == 0


def test_verify_has_json_and_exit_codes_for_programs(homeward: Run, elm: Project, zone: Zone) -> None:
    homeward("add", "elm-road", HOST)
    zone.put(HOST, "A", "198.51.100.7")
    zone.put("example.org", "CAA", '0 issue "digicert.com"')
    wrong = homeward("verify", HOST, "--json")
    assert wrong.exit_code == 1
    assert "A adopt: Delete the A record named adopt with the value 198.51.100.7." in wrong.stderr
    assert "CAA example.org: Add a CAA record with the name @ and" in wrong.stderr
    found = json.loads(wrong.stdout)
    [record] = found.pop("records")
    caa = found.pop("caa")
    assert set(record) == {"type", "name", "found", "expected", "ok", "code", "hint"}
    assert (record["found"], record["ok"], record["code"]) == (["198.51.100.7"], False, "a_conflict")
    assert (caa["ok"], caa["at"], caa["code"]) == (False, "example.org", "caa_blocks")
    assert caa["found"] == ['0 issue "digicert.com"']
    assert found.pop("warnings") == []
    assert found == {
        "host": HOST,
        "dns": "unverified",
        "changed": False,
        "looked_up": True,
        "certificate": {"state": "none", "code": None, "detail": None, "not_after": None},
    }
    zone.put(HOST, "A")
    domains.put_right_records(zone, HOST)
    right = homeward("verify", HOST, "--json")
    assert right.exit_code == 0
    found = json.loads(right.stdout)
    assert (found["dns"], found["changed"], found["records"][0]["ok"]) == ("verified", True, True)


def test_a_failed_verify_says_so(homeward: Run, elm: Project, zone: Zone) -> None:
    homeward("add", "elm-road", HOST)
    zone.faults["*"] = dns_server.SERVFAIL
    answer = homeward("verify", HOST, "--json")
    found = json.loads(answer.stdout)
    assert answer.exit_code == 3
    assert (found["looked_up"], found["changed"], found["dns"]) == (False, False, "unverified")
    assert (found["records"][0]["ok"], found["records"][0]["code"]) == (None, "dns_failed")
    assert "We could not check just now" in answer.stderr


def test_domains_are_listed_with_their_redirects(homeward: Run, elm: Project, zone: Zone) -> None:
    domains.put_right_records(zone, HOST, "www.example.org")
    for host in (HOST, "www.example.org"):
        homeward("add", "elm-road", host)
        homeward("verify", host)
    found = json.loads(homeward("list", "elm-road", "--json").stdout)
    assert found["redirects"] == [{"from": "www.example.org", "to": HOST, "status": 301}]
    assert found["domains"][0] == {
        "host": HOST,
        "dns": "verified",
        "primary": True,
        "certificate": {"state": "none", "code": None, "detail": None, "not_after": None},
    }
    assert homeward("list", "elm-road").stdout.splitlines() == [
        f"{HOST}\tverified\tprimary\tnone",
        f"www.example.org\tverified\t301 to {HOST}\tnone",
    ]
    for words in ((), ("--primary",)):
        homeward("add", "elm-road", f"new{len(words)}.example.org", *words)
        added = homeward("list", "elm-road").stdout.splitlines()[-1]
        assert added == f"new{len(words)}.example.org\tunverified\tnothing yet\tnone"
        homeward("remove", f"new{len(words)}.example.org")
    refused = homeward("remove", HOST)
    assert refused.exit_code == 1
    assert "Choose the new primary" in refused.stderr
    for host, heir, why in (
        ("www.example.org", HOST, "it is not the primary domain, so it needs no replacement"),
        (HOST, HOST, f"{HOST} was not removed: it cannot replace itself"),
    ):
        refused = homeward("remove", host, "--new-primary", heir)
        assert (refused.exit_code, why in refused.stderr) == (1, True), refused.stderr
    assert len(homeward("list", "elm-road").stdout.splitlines()) == 2
    assert homeward("remove", HOST, "--new-primary", "www.example.org").exit_code == 0
    assert homeward("list", "elm-road").stdout == "www.example.org\tverified\tprimary\tnone\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("add", "elm-road", "co.uk"), "co.uk is an ending that many"),
        (("add", "nobody", HOST), "no project called"),
        (("verify", HOST), f"No project has the domain {HOST}"),
        (("remove", "*.example.org"), "wildcards"),
    ],
)
def test_a_rejected_domain_command_is_one_sentence(
    homeward: Run, elm: Project, words: tuple[str, ...], sentence: str
) -> None:
    refused = homeward(*words)
    assert refused.exit_code == 1
    assert sentence in refused.stderr
    assert refused.stdout == ""


def test_the_plan_limits_domains_of_the_command(homeward: Run, elm: Project) -> None:
    set_plan("elm-road", "free")
    assert "needs the Pro plan" in homeward("add", "elm-road", HOST).stderr


def test_several_claims_of_a_host_require_a_project(homeward: Run, elm: Project) -> None:
    factories.project("Fenland")
    set_plan("fenland", "pro")
    for slug in ("elm-road", "fenland"):
        homeward("add", slug, HOST)
    assert "--project" in homeward("verify", HOST).stderr
    assert homeward("verify", HOST, "--project", "fenland", "--json").exit_code == 1


def test_a_pair_of_domains_is_added_by_one_command(homeward: Run, elm: Project) -> None:
    made = homeward("add", "elm-road", "example.org", "--with-www")
    assert made.stdout == "ALIAS\t@\tlocalhost\nCNAME\twww\tlocalhost\n"
    assert "homeward domain verify www.example.org" in made.stderr
    found = json.loads(homeward("add", "elm-road", "www.example.net", "--with-www", "--json").stdout)
    assert (found["host"], [each["host"] for each in found["with_www"]]) == (
        "www.example.net",
        ["example.net"],
    )


def test_a_command_turns_hsts_on(homeward: Run, elm: Project) -> None:
    domain_id = domains.add_verified_row(elm.id, HOST)
    for duration, keeps in (("year", True), ("day", False)):
        assert homeward("https", HOST, duration).exit_code == 0
        assert domains.stored_domain(domain_id).keeps_https is keeps
    homeward("add", "elm-road", "new.example.org")
    refused = homeward("https", "new.example.org", "year")
    assert (refused.exit_code, "is not verified yet" in refused.stderr) == (1, True)

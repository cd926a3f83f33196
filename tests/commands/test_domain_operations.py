"""``homeward domain list --all`` and ``renew``: failing and expiring domains of all projects."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from apiflask import APIFlask
from click.testing import Result

from adoption.accounts.plan_changes import set_plan
from adoption.certificates.models import AuthorityOutage, PlatformCertificate
from adoption.domains.models import Domain
from adoption.projects.models import Project
from adoption.storage.database import transaction
from tests import certificates, domains, factories
from tests.statements import recorded_statements

Run = Callable[..., Result]
NOW = datetime.now(UTC).replace(microsecond=0)
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
CAA_BLOCKS = (
    '[[["CNAME", "adopt", [], "", true, "cname_ok", "", ""]], [false, "caa_blocks", "a.org", [], ""]]'
)
MOVED = '[[["CNAME", "adopt", [], "", false, "cname_wrong", "", ""]], [true, "caa_none", "", [], ""]]'

pytestmark = pytest.mark.settings("embedded")


@pytest.fixture
def homeward(app: APIFlask, monkeypatch: pytest.MonkeyPatch) -> Run:
    known = app.config["HOMEWARD"].model_copy(update={"acme_directory": "https://ca.test/directory"})
    monkeypatch.setitem(app.config, "HOMEWARD", known)

    def run(*words: str) -> Result:
        return app.test_cli_runner().invoke(args=["domain", *words])

    return run


def rows(answer: Result) -> list[dict[str, object]]:
    assert answer.exit_code == 0, answer.output
    return json.loads(answer.stdout)["domains"]


def hosts(answer: Result) -> list[object]:
    return [each["host"] for each in rows(answer)]


def verified(project: Project, host: str, **rest: object) -> int:
    known = {"caa_allows": True, "verified_at": NOW - DAY, "next_check_at": NOW + 5 * MINUTE}
    return domains.add_verified_row(project.id, host, **known | rest)


@pytest.fixture
def all_kinds(elm: Project) -> Project:
    """Two accounts with a domain of each kind."""
    fen = factories.project("Fenland", plan="pro", owner="fen@example.org")
    certificates.add_certificate(verified(elm, "live.org"), NOW)
    certificates.add_certificate(
        verified(fen, "ends.org"), NOW, not_after=NOW + 3 * DAY, renew_at=NOW + 7 * DAY
    )
    certificates.add_certificate(verified(fen, "over.org"), NOW, not_after=NOW - DAY)
    certificates.add_certificate(
        verified(fen, "unseen.org"), NOW - DAY, seen_at=None, unseen_why="Another certificate."
    )
    certificates.add_failed_order(verified(elm, "dns.org"), NOW, "dns", "No valid A records.")
    certificates.add_failed_order(verified(elm, "account.org"), NOW, "accountRefused", "Deactivated.")
    verified(elm, "caa.org", caa_allows=False, report=CAA_BLOCKS)
    verified(elm, "moved.org", state="attention", report=MOVED)
    certificates.add_certificate(
        verified(elm, "silent.org", unanswered_since=NOW - 8 * DAY, unanswered_at=NOW), NOW
    )
    certificates.add_certificate(
        verified(elm, "slow.org", unanswered_since=NOW - 6 * DAY, unanswered_at=NOW), NOW
    )
    verified(elm, "fresh.org", verified_at=NOW)
    verified(elm, "late.org")
    domains.add_verified_row(elm.id, "new.org", verified_host=None, state="unverified")
    return fen


def test_all_lists_every_project_with_failed_checks_and_who_acts(homeward: Run, all_kinds: Project) -> None:
    found = {each["host"]: each for each in rows(homeward("list", "--all", "--json"))}
    assert list(found) == sorted(found)
    assert found["dns.org"] == {
        "host": "dns.org",
        "project": "elm-road",
        "account": found["live.org"]["account"],
        "dns": "verified",
        "certificate": "failed",
        "code": "dns",
        "who": "shelter",
        "not_after": None,
        "next_try": f"{NOW + 60 * MINUTE:%Y-%m-%dT%H:%M:%SZ}",
    }
    reported = {
        host: (each["dns"], each["certificate"], each["code"], each["who"]) for host, each in found.items()
    }
    assert reported == {
        "account.org": ("verified", "failed", "accountRefused", "operator"),
        "caa.org": ("verified", "none", "caa_blocks", "shelter"),
        "dns.org": ("verified", "failed", "dns", "shelter"),
        "ends.org": ("verified", "live", None, None),
        "fresh.org": ("verified", "none", None, None),
        "late.org": ("verified", "none", None, None),
        "live.org": ("verified", "live", None, None),
        "moved.org": ("attention", "none", "cname_wrong", "shelter"),
        "new.org": ("unverified", "none", "unchecked", "shelter"),
        "over.org": ("verified", "expired", None, None),
        "silent.org": ("verified", "live", "unanswered", "shelter"),
        "slow.org": ("verified", "live", None, None),
        "unseen.org": ("verified", "issued", "unseen", "operator"),
    }
    assert found["unseen.org"]["project"] == all_kinds.slug
    assert found["live.org"]["not_after"] == f"{NOW + 90 * DAY:%Y-%m-%dT%H:%M:%SZ}"


def test_failing_lists_only_domains_that_fail(homeward: Run, all_kinds: Project) -> None:
    failing = ["account.org", "caa.org", "dns.org", "late.org", "moved.org", "over.org", "silent.org"]
    failing.append("unseen.org")
    assert hosts(homeward("list", "--all", "--failing", "--json")) == failing
    set_plan("elm-road", "free")
    assert "late.org" not in hosts(homeward("list", "--all", "--failing", "--json")), "none is ordered"


def test_expiring_lists_the_earliest_expiry_first(homeward: Run, all_kinds: Project) -> None:
    assert hosts(homeward("list", "--all", "--expiring", "21", "--json")) == ["over.org", "ends.org"]
    assert hosts(homeward("list", "--all", "--expiring", "0", "--json")) == ["over.org"]


def test_a_domain_waiting_for_an_unreachable_authority_says_so(homeward: Run, all_kinds: Project) -> None:
    with transaction() as session:
        session.add(AuthorityOutage(id=1, failing_since=NOW, down_since=NOW, probes=3))
    found = {each["host"]: (each["code"], each["who"]) for each in rows(homeward("list", "--all", "--json"))}
    waiting = ("unreached", "nobody")
    assert [found[host] for host in ("fresh.org", "late.org", "live.org")] == [waiting, waiting, (None, None)]
    [late] = [each for each in rows(homeward("list", "elm-road", "--json")) if each["host"] == "late.org"]
    assert late["certificate"] == {
        "state": "none",
        "code": "unreached",
        "detail": f"The certificate authority has not answered since {NOW:%Y-%m-%d %H:%M} UTC.",
        "not_after": None,
    }


def test_a_domain_waiting_for_a_rate_limit_says_so(homeward: Run, all_kinds: Project) -> None:
    until = NOW + DAY
    for number in range(3):
        limited = verified(all_kinds, f"adopt.limited{number}.org")
        certificates.add_failed_order(limited, NOW, "rateLimited", "Too many.", next_try_at=until)
    found = {each["host"]: each for each in rows(homeward("list", "--all", "--json"))}
    late = found["late.org"]
    assert (late["code"], late["who"]) == ("rateLimited", "nobody")
    assert late["next_try"] == f"{until:%Y-%m-%dT%H:%M:%SZ}"
    assert found["dns.org"]["code"] == "dns"


def test_the_platforms_own_certificate_is_listed_first(
    homeward: Run, app: APIFlask, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = app.config["HOMEWARD"].model_copy(
        update={"orders_platform_certificate": True, "platform_host": "homeward.example"}
    )
    monkeypatch.setitem(app.config, "HOMEWARD", known)

    def own(*words: str) -> object:
        return json.loads(homeward("list", "--all", *words, "--json").stdout)["platform"]

    about = {"host": "homeward.example", "certificate": "none", "code": None, "who": None}
    assert own() == {**about, "not_after": None, "next_try": None}
    with transaction() as session:
        ends = NOW + 20 * DAY
        row = PlatformCertificate(host="homeward.example", not_after=ends, next_step_at=NOW + DAY)
        session.add(row)
    times = {"not_after": f"{ends:%Y-%m-%dT%H:%M:%SZ}", "next_try": f"{NOW + DAY:%Y-%m-%dT%H:%M:%SZ}"}
    assert own() == own("--expiring", "21") == about | times | {"certificate": "issued"}
    assert own("--expiring", "19") is own("--failing") is None
    with transaction() as session:
        session.get_one(PlatformCertificate, "homeward.example").code = "dns"
    assert own("--failing") == about | times | {"certificate": "issued", "code": "dns", "who": "operator"}
    heading, line = homeward("list", "--all").stdout.splitlines()
    assert line.split()[:2] == ["homeward.example", "-"]
    assert line[heading.index("CODE") :].split()[:2] == ["dns", "operator"]


def test_the_table_is_aligned_and_counts(homeward: Run, all_kinds: Project) -> None:
    answer = homeward("list", "--all", "--failing")
    heading, *lines = answer.stdout.splitlines()
    assert heading.split("  ")[0] == "HOST"
    at = heading.index("CODE")
    assert [line[at:].split()[0] for line in lines] == [
        "accountRefused",
        "caa_blocks",
        "dns",
        "-",
        "cname_wrong",
        "-",
        "unanswered",
        "unseen",
    ]
    assert answer.stderr == "8 domains. Times are UTC.\n"


def test_an_empty_list_is_valid_as_table_and_json(homeward: Run) -> None:
    assert rows(homeward("list", "--all", "--json")) == []
    assert homeward("list", "--all").stdout == ""


def test_many_domains_need_few_statements(homeward: Run, elm: Project) -> None:
    with transaction() as session:
        for number in range(1_200):
            known = {
                "verified_host": f"a{number}.org",
                "state": "verified",
                "token": "",
                "wants_primary": False,
            }
            known |= {"report": "", "unanswered_why": "", "watched_since": NOW, "created_at": NOW}
            session.add(Domain(project_id=elm.id, host=f"a{number}.org", **known))
    with recorded_statements() as asked:
        assert len(hosts(homeward("list", "--all", "--json"))) == 1_200
    assert len(asked) < 20


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("list",), "Give a PROJECT, or --all"),
        (("list", "elm-road", "--all"), "Give a PROJECT, or --all"),
        (("list", "elm-road", "--failing"), "need --all"),
        (("list", "--all", "--failing", "--expiring", "3"), "either --failing or --expiring"),
        (("list", "--all", "--expiring", "soon"), "--expiring"),
        (("renew", "a.org", "--timeout", "0"), "--timeout"),
    ],
)
def test_wrong_usage_exits_with_code_2(
    homeward: Run, elm: Project, words: tuple[str, ...], sentence: str
) -> None:
    answer = homeward(*words)
    assert answer.exit_code == 2
    assert sentence in answer.stderr


def test_a_renewal_that_is_not_allowed_is_an_error(homeward: Run, all_kinds: Project) -> None:
    for host, sentence in {
        "nobodys.org": "No project has the domain nobodys.org.",
        "moved.org": "DNS of moved.org does not lead here. Run: homeward domain verify moved.org",
        "caa.org": "the CAA records of caa.org did not let our certificate authority issue a certificate",
    }.items():
        answer = homeward("renew", host, "--json")
        assert (answer.exit_code, answer.stdout) == (1, "")
        assert sentence in answer.stderr


def test_a_renewal_that_no_worker_starts_says_so(homeward: Run, elm: Project) -> None:
    verified(elm, "late.org")
    answer = homeward("renew", "late.org", "--timeout", "1", "--json")
    assert answer.exit_code == 1
    assert json.loads(answer.stdout) == {
        "host": "late.org",
        "renewed": False,
        "state": "waiting",
        "code": None,
        "detail": None,
        "who": None,
        "not_after": None,
        "next_try": None,
    }
    assert 'Is "homeward serve" or "homeward worker" running?' in answer.stderr


def test_without_an_authority_nothing_can_be_renewed(app: APIFlask, elm: Project) -> None:
    verified(elm, "late.org")
    answer = app.test_cli_runner().invoke(args=["domain", "renew", "late.org"])
    assert answer.exit_code == 1
    assert "HOMEWARD_ACME_DIRECTORY is not set" in answer.stderr

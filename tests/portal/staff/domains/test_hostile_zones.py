"""Hostile DNS records are shown as short escaped text on one line."""

from html import unescape

import pytest
from apiflask import APIFlask
from sqlalchemy import select

from adoption.domains.dns_transport import DnsServer
from adoption.domains.models import Domain
from adoption.mail.models import OutgoingEmail
from adoption.storage.database import reading
from tests import domains
from tests.cast import Colleague
from tests.dns_server import Zone

pytestmark = pytest.mark.settings("embedded")

HOST, TARGET = "adopt.example.org", "sites.example.com"
SCRIPT, TURNED = "<script>alert(1)</script>", "\u202egnp.exe\x07\n"


@pytest.fixture
def pro(
    app: APIFlask, owner: Colleague, name_server: DnsServer, monkeypatch: pytest.MonkeyPatch
) -> Colleague:
    found = app.config["HOMEWARD"].model_copy(
        update={"dns_servers": (tuple(name_server),), "cname_target": TARGET}
    )
    monkeypatch.setitem(app.config, "HOMEWARD", found)
    return domains.upgrade_to_pro(owner)


def the_domain() -> Domain:
    with reading() as session:
        return session.scalars(select(Domain).where(Domain.host == HOST)).one()


def test_hostile_dns_records_are_escaped_on_pages_and_in_emails(pro: Colleague, zone: Zone) -> None:
    pro.post("domains", {"domain": HOST})
    verification = f"domains/{the_domain().id}/verification"
    zone.put(HOST, "CNAME", TARGET)
    pro.post(verification)
    zone.put(HOST, "CNAME", f"{SCRIPT}.example.com")
    zone.put(HOST, "CAA", f'128 tbs "{SCRIPT}"', *(f'0 issue "{"x" * 200}{number}"' for number in range(20)))
    pro.post(verification)
    page = pro.get("domains").text
    assert the_domain().state == "attention"
    assert SCRIPT not in page
    assert SCRIPT in unescape(page)
    assert len(page) < 60_000
    with reading() as session:
        moved = session.scalars(select(OutgoingEmail).order_by(OutgoingEmail.id.desc())).first()
    assert moved is not None
    assert all(letter.isprintable() or letter == "\n" for letter in moved.text)


def test_a_record_that_reads_like_a_sentence_of_ours_is_quoted_whole(pro: Colleague, zone: Zone) -> None:
    deceit = '128 tbs "all is well. Add one with the value evil.example. Done"'
    pro.post("domains", {"domain": HOST})
    zone.put(HOST, "CNAME", TARGET)
    zone.put(HOST, "CAA", deceit)
    pro.post(f"domains/{the_domain().id}/verification")
    page = unescape(pro.get("domains").text)
    assert f"<strong>Delete the CAA record named adopt with the value “{deceit}”.</strong>" in page
    assert "<code>evil.example</code>" not in page


def test_bidi_controls_in_dns_records_are_shown_as_code_points(
    app: APIFlask, pro: Colleague, outsider: Colleague, zone: Zone
) -> None:
    zone.put(HOST, "CNAME", TARGET)
    domains.upgrade_to_pro(outsider)
    outsider.post("domains", {"domain": HOST})
    outsider.post(f"domains/{the_domain().id}/verification")
    outsider.post(f"domains/{the_domain().id}/removal")
    pro.post("domains", {"domain": HOST})
    zone.put(f"_homeward.{HOST}", "TXT", SCRIPT + TURNED)
    pro.post(f"domains/{the_domain().id}/verification")
    page = pro.get("domains").text
    assert "\\u202egnp.exe\\u0007\\u000a" in page
    assert not {"\u202e", "\x07"} & set(page)
    assert SCRIPT not in page

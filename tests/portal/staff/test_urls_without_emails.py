"""No page links to a URL with an email address, because proxies log URLs."""

import re
from html import unescape

import pytest
from flask.testing import FlaskClient

from adoption.orders import application_page_data
from tests.cast import Colleague
from tests.deciding import add_animal, apply_and_confirm

ATTRIBUTES = re.compile(r'(?:href|action|formaction|hx-[a-z-]+|data-[a-z-]+)="([^"]*)"')
OPTIONS = re.compile(r'<form[^>]*method="get".*?</form>', re.DOTALL)


@pytest.mark.settings("embedded")
def test_no_link_or_filter_has_an_email_address_in_it(
    client: FlaskClient, owner: Colleague, teammate: Colleague, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(application_page_data, "OTHERS_SHOWN", 1)
    refs = [apply_and_confirm(client, add_animal(owner, name)) for name in ("Juno", "Moss", "Rex")]
    owner.post("members/invitations", {"email": "new@example.org", "role": "staff"})
    teammate.post(f"applications/{refs[0]}/notes", {"note": "Kind."})
    paths = ["applications", f"applications/{refs[0]}", f"applications/{refs[0]}/refusal", "audit", "members"]
    paths += [f"applicants/{refs[0]}", f"applicants/{refs[0]}/erasure", f"animals/adoption?id={refs[0]}"]
    for path in paths:
        page = owner.get(path).text
        assert "sam@example.org" in page or path in ("applications", "audit", "members") or "adoption" in path
        found = [unescape(each) for each in ATTRIBUTES.findall(page) if not each.startswith("mailto:")]
        filters = "".join(OPTIONS.findall(page))
        found += re.findall(r'value="([^"]*)"', filters)
        assert [each for each in found if "@" in each or "%40" in each] == [], path
    more = owner.get(f"applications/{refs[0]}").text
    [address] = re.findall(r'href="([^"]+)">1 more</a>', more)
    everything = owner.get(address).text
    assert [name in everything for name in ("Juno", "Moss", "Rex")] == [True] * 3

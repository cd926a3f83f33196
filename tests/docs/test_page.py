import ast
import http.client
import itertools
import json
from pathlib import Path
from urllib.parse import urljoin, urlsplit
from xml.etree import ElementTree

import pytest

from adoption.accounts.api_access.key_format import SCOPES
from adoption.accounts.plans import PLANS
from adoption.animals import allowed_values
from adoption.orders import models as orders
from api import errors
from api.docs.changelog_entries import CHANGES
from api.docs.markdown import code_to_html
from tests.api.test_error_messages import AVOIDED
from tests.docs.conftest import Site, get
from tests.docs.reading import DocsPage


def ask(site: Site, path: str, **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
    connection = http.client.HTTPConnection(str(urlsplit(site.root).netloc))
    connection.request(
        "GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()}
    )
    answer = connection.getresponse()
    return answer, answer.read()


def codes_in(root: Path) -> set[str]:
    """Return every error code in the table and in the source."""
    named = set(errors.CODES.values())
    for path in (root / "api").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Problem":
                given = [*node.args[2:3], *(one.value for one in node.keywords if one.arg == "code")]
                named |= {str(one.value) for one in given if isinstance(one, ast.Constant) and one.value}
    return named


def test_every_operation_is_on_the_page_with_examples_in_four_languages(site: Site) -> None:
    document = json.loads(get(f"{site.root}/v1/openapi.json"))
    names = [one["operationId"] for path in document["paths"].values() for one in path.values()]
    assert names
    for name in names:
        assert name in site.page.ids
        assert {f"{name}.sh", f"{name}.py", f"{name}.mjs", f"{name}.php"} <= set(site.page.examples)
        assert {f"{name}.json", f"{name}.http"} & set(site.page.examples)


def test_every_error_code_is_on_the_page_with_what_to_do(site: Site, root: Path) -> None:
    found = (root / "templates/docs/_words.html").read_text()
    codes = codes_in(root)
    assert "key_banned" in codes
    for code in codes:
        assert f"error-{code}" in site.page.ids
        assert f'"{code}": ("' in found


def test_every_plan_is_on_the_page_with_its_quota(site: Site) -> None:
    for plan in PLANS.values():
        row = site.page.html.partition(f'id="plan-{plan.name}"')[2].partition("</tr>")[0]
        cells = [f"<td>{number:,}</td>" for number in plan.quota]
        assert plan.name.capitalize() in row
        assert all(cell in row for cell in cells) or plan.custom_quota


@pytest.mark.parametrize("name", [*SCOPES, *allowed_values.STATUSES, *orders.STATUSES])
def test_every_scope_and_status_is_on_the_page(site: Site, name: str) -> None:
    assert f'<th scope="row"><code>{name}</code></th>' in site.page.html


def test_every_status_of_animals_and_orders_is_explained(site: Site, root: Path) -> None:
    found = (root / "templates/docs/_words.html").read_text()
    assert all(f'"{status}": "' in found for status in (*allowed_values.STATUSES, *orders.STATUSES))


def test_every_link_within_the_page_has_a_target(site: Site) -> None:
    inner = {link for link in site.page.links if link.startswith("#")}
    assert inner
    assert {link[1:] for link in inner} <= set(site.page.ids)


def test_ids_are_unique(site: Site) -> None:
    assert sorted(site.page.ids) == sorted(set(site.page.ids))


def test_every_section_is_in_the_contents(site: Site) -> None:
    sections = [given["id"] for tag, given in site.page.tags if tag == "section"]
    contents = site.page.html.partition("<nav")[2].partition("</nav>")[0]
    assert len(sections) > 10
    assert all(f'href="#{one}"' in contents for one in sections)


def test_every_link_to_another_page_works(site: Site) -> None:
    for link in {link for link in site.page.links if not link.startswith("#")}:
        assert ask(site, link)[0].status == 200, link


def test_every_asset_is_local_and_exists(site: Site) -> None:
    assert site.page.assets
    for asset in site.page.assets:
        assert asset.startswith(("/static/", "/site.webmanifest", "/docs/changelog.atom"))
        answer, body = ask(site, asset)
        assert answer.status == 200
        if asset.partition("?")[0].endswith(".css"):
            assert b"//" not in body.replace(b"http://www.w3.org", b"")
            for part in body.split(b"url(")[1:]:
                address = urljoin(asset, part.partition(b")")[0].decode().strip("\"'"))
                assert ask(site, address)[0].status == 200


def test_no_script_or_style_is_inline(site: Site) -> None:
    for tag, given in site.page.tags:
        assert tag != "style"
        assert tag != "script" or given.get("src")
        assert not [name for name in given if name == "style" or name.startswith("on")]


def test_the_page_has_a_strict_csp(site: Site) -> None:
    answer, _ = ask(site, "/docs/")
    policy = str(answer.headers["Content-Security-Policy"])
    assert policy.startswith("default-src 'self';")
    assert "unsafe" not in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"


def test_an_unchanged_page_is_304(site: Site) -> None:
    first, _ = ask(site, "/docs/")
    again, body = ask(site, "/docs/", If_None_Match=str(first.headers["ETag"]))
    assert (again.status, body) == (304, b"")
    assert again.headers["Content-Security-Policy"] == first.headers["Content-Security-Policy"]


def test_a_missing_trailing_slash_redirects(site: Site) -> None:
    answer, _ = ask(site, "/docs")
    assert (answer.status, answer.headers["Location"]) == (308, "/docs/")


def test_the_page_has_a_language_and_one_h1(site: Site) -> None:
    assert ("html", {"lang": "en"}) in site.page.tags
    assert site.page.levels[0] == 1
    assert site.page.levels.count(1) == 1


def test_no_heading_skips_a_level(site: Site) -> None:
    levels = site.page.levels
    assert all(next_one - one <= 1 for one, next_one in itertools.pairwise(levels))


def test_the_page_is_not_in_the_specification(site: Site) -> None:
    document = json.loads(get(f"{site.root}/v1/openapi.json"))
    assert not [path for path in document["paths"] if "docs" in path]


def test_the_page_has_the_host_of_this_service_and_no_placeholder(site: Site) -> None:
    assert f"{site.root}/v1/pets" in site.page.words
    assert "{{" not in site.page.words
    assert "Undefined" not in site.page.words


def test_the_changelog_is_a_page_and_a_feed(site: Site) -> None:
    _, text = ask(site, "/docs/changelog")
    page = DocsPage(text.decode())
    answer, body = ask(site, "/docs/changelog.atom")
    assert answer.headers["Content-Type"] == "application/atom+xml; charset=utf-8"
    feed = ElementTree.fromstring(body)
    atom = "{http://www.w3.org/2005/Atom}"
    entries = feed.findall(f"{atom}entry")
    assert [entry.findtext(f"{atom}title") for entry in entries] == [change.title for change in CHANGES]
    assert feed.findtext(f"{atom}updated") == f"{max(change.on for change in CHANGES)}T00:00:00Z"
    assert len({entry.findtext(f"{atom}id") for entry in entries}) == len(CHANGES)
    assert {change.slug for change in CHANGES} <= set(page.ids)
    for entry, change in zip(entries, CHANGES, strict=True):
        link = entry.find(f"{atom}link")
        assert link is not None
        assert link.get("href") == f"{site.root}/docs/changelog#{change.slug}"
        assert entry.findtext(f"{atom}content") == str(code_to_html(change.text))


def test_the_changes_are_newest_first() -> None:
    assert [change.on for change in CHANGES] == sorted((change.on for change in CHANGES), reverse=True)


def test_the_reference_is_in_plain_english(site: Site) -> None:
    _, changelog = ask(site, "/docs/changelog")
    for words in (site.page.words, DocsPage(changelog.decode()).words):
        found = {word[0] for word in AVOIDED.finditer(words)}
        assert found - ALLOWED == set()


ALLOWED = {"hold"}
"""An animal can be on hold."""

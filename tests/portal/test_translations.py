"""Every text of a page comes from a language's catalogue."""

import io
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from apiflask import APIFlask
from flask.testing import FlaskClient
from markupsafe import Markup
from sqlalchemy import select

from adoption.animals.photos import find_photos
from adoption.audit.actors import OPERATOR
from adoption.certificates.email_templates import Failure, failed_email, summary_email
from adoption.domains.email_templates import DnsNews, news_email
from adoption.draft_previews import make_link
from adoption.imports import import_job
from adoption.imports.file_reader_job import read_waiting
from adoption.mail.models import OutgoingEmail
from adoption.operator_alerts.causes import FILES_MISSING
from adoption.operator_alerts.email_templates import opened_email
from adoption.operator_alerts.models import OperatorAlert
from adoption.orders.suggested_texts import ANIMALS
from adoption.projects.models import Project
from adoption.storage.database import db, reading
from adoption.translations import gettext, ngettext, set_up_translations
from tests import cast, domains, factories
from tests.applying import apply, link_in
from tests.deciding import add_animal, apply_and_confirm, decide
from tests.mailbox import emails_to, link_in_email
from tests.portal.visitor import Visitor
from tests.pseudo_locale import LOCALE, ordinary_words, untranslated, wide, write_catalogue
from tests.staffing import form_in
from wsgi import create_app

pytestmark = pytest.mark.settings("embedded")

PAGES = {
    "catalogue": "/",
    "catalogue with filters": "/?species=dog&sex=f&q=%D0%B1",
    "catalogue without results": "/?q=%D1%8F%D1%8F%D1%8F",
    "catalogue with an invalid filter": "/?age=1",
    "catalogue of a shelter": "/?shelter={slug}&species=cat&sex=female&age=senior&cats=yes&status=sold",
    "catalogue with a broken link": "/?after=x",
    "animal": "/animals/{animal}",
    "adopted animal": "/animals/{adopted}",
    "removed animal": "/animals/{removed}",
    "animal that does not exist": "/animals/999999999",
    "poster": "/animals/{animal}/poster",
    "poster with all facts": "/animals/{adopted}/poster",
    "preview of a site": "/preview/{preview}",
    "preview of an animal": "/preview/{preview}/animals/{adopted}",
    "shelters": "/shelters",
    "embedded grid": "/embed/{slug}",
    "embedded grid with an invalid limit": "/embed/{slug}?limit=0",
    "how adoption works": "/how-adoption-works",
    "help": "/help",
    "privacy": "/privacy",
    "accessibility": "/accessibility",
    "unknown page": "/nowhere",
    "unknown application": "/applications/bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
    "sign in": "/sign-in",
    "sign up": "/sign-up",
    "forgotten password": "/password/forgotten",
}
FACTS = {
    **{
        "category_id": 2,
        "breed_primary": "Сибирская",
        "breed_mixed": True,
        "sex": "female",
        "altered": False,
    },
    **{"birth_date": date(2024, 2, 3), "birth_date_estimated": True, "size": "small", "coat": "wire"},
    **{"colours": "белый", "good_with_children": True, "good_with_dogs": False, "house_trained": False},
    **{"special_needs": True, "special_needs_note": "тепло", "description": "Мурлычет.", "fee_cents": 0},
    **{"arrival_date": date(2025, 11, 5), "code": "7"},
}
"""Every fact of an animal."""
UNFINISHED: set[str] = set()
"""Pages with texts that are not in the catalogue yet. Remove a page once it is translated."""


@pytest.fixture(scope="module")
def translated(
    service: APIFlask, root: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[FlaskClient]:
    """The service in the test language."""
    folder = tmp_path_factory.mktemp("translations")
    write_catalogue(root, folder)
    app = create_app(service.config["HOMEWARD"])
    app.config.update(BABEL_DEFAULT_LOCALE=LOCALE, BABEL_TRANSLATION_DIRECTORIES=str(folder))
    set_up_translations(app)
    yield app.test_client()
    with app.app_context():
        db.engine.dispose()


@pytest.fixture
def world(app: APIFlask) -> dict[str, object]:
    """A shelter with an animal. Their own texts use other letters than English."""
    project: Project = factories.project("Приют")
    return {
        "slug": project.slug,
        "animal": factories.animal(project, "Бисквит", photos=2),
        "adopted": factories.animal(project, "Крошка", status="sold", photos=1, **FACTS),
        "preview": make_link(project, None, OPERATOR),
        "removed": factories.animal(project, "Рыжик", listed=False, removed_at=factories.NOW),
    }


@pytest.mark.parametrize("name", PAGES)
def test_pages_for_adopters_have_no_text_outside_the_catalogue(
    name: str, translated: FlaskClient, world: dict[str, object]
) -> None:
    page = translated.get(PAGES[name].format(**world), follow_redirects=True)
    left = untranslated(page.text)
    assert (left == []) != (name in UNFINISHED), f"{name}: {left or 'remove it from UNFINISHED'}"


STORED = {"owner", "pets:read", "Version 1"}
"""Details of audit entries. They are shown as they were written."""
OWNER_PAGES = {
    "account": "/account",
    "confirming who one is": "/account/identity",
    "team": "members",
    "API keys": "keys",
    "usage": "usage",
    "audit log": "audit",
    "imports": "imports",
    "export": "export",
    "adoption form": "adoption-form",
    "domains of the free plan": "domains",
}


@pytest.mark.usefixtures("app")
@pytest.mark.parametrize("name", OWNER_PAGES)
def test_pages_for_owners_have_no_text_outside_the_catalogue(name: str, translated: FlaskClient) -> None:
    owner = cast.owner(translated.application, "Приют")
    owner.post("members/invitations", {"email": "robin@example.org", "role": "owner"})
    owner.post("keys", {"name": "Ключ", "scopes": "pets:read", "expires": "30"})
    page = owner.get(OWNER_PAGES[name])
    assert page.status_code == 200
    left = [text for text in untranslated(page.text) if text not in STORED]
    assert (left == []) != (name in UNFINISHED), f"{name}: {left or 'remove it from UNFINISHED'}"


@pytest.mark.usefixtures("app")
def test_emails_about_accounts_have_no_text_outside_the_catalogue(translated: FlaskClient) -> None:
    owner = cast.owner(translated.application, "Приют")
    owner.post("members/invitations", {"email": "robin@example.org", "role": "owner"})
    for address in ("robin@example.org", owner.email, "nobody@example.org"):
        owner.post("/password/forgotten", {"email": address})
    owner.post("/account/email", {"email": "new@example.org"})
    owner.post("/account/password", {"password": "four small words here"})
    addresses = ("robin@example.org", owner.email, "nobody@example.org", "new@example.org")
    sent = [email for address in addresses for email in emails_to(address)]
    assert len(sent) == 7
    assert [text for email in sent for text in (email.subject, email.text) if ordinary_words(text)] == []


@pytest.mark.usefixtures("app")
def test_forms_of_accounts_have_no_text_outside_the_catalogue(translated: FlaskClient) -> None:
    owner = cast.owner(translated.application, "Приют")
    visitor = Visitor(translated.application.test_client())
    owner.post("members/invitations", {"email": "robin@example.org", "role": "owner"})
    invitation = link_in_email("robin@example.org", "/invitations/")
    owner.post("/account/email", {"email": "new@example.org"})
    sign_up = {"shelter": "Лапы", "name": "Аня", "email": "anna@example.org", "currency": "EUR"}
    pages = [
        owner.get("members"),
        owner.post("members/invitations", {"email": "x", "role": ""}),
        owner.get("members/departure", follow_redirects=True),
        owner.get(invitation),
        owner.get(link_in_email("new@example.org", "/account/email/")),
        owner.post("/account/name", {"name": ""}),
        owner.post("/account/email", {"email": owner.email}),
        owner.post("/account/password", {"password": "short"}),
        owner.post("/account/identity", {"password": "wrong"}),
        owner.post("keys", {"name": "", "expires": "1"}),
        owner.post("keys", {"name": "Ключ", "scopes": ["pets:read", "orders:read"], "expires": "30"}),
        owner.post(
            "keys/publishable", {"page-name": "", "page-origins": "http://a.example *", "page-expires": "1"}
        ),
        owner.get("keys/1/revocation"),
        owner.post("usage/request", {"plan": "x"}, follow_redirects=True),
        owner.post("usage/request", {"plan": "pro"}, follow_redirects=True),
        visitor.get(invitation),
        visitor.send(invitation, name="", password="password12"),
        visitor.get("/invitations/x"),
        visitor.send("/sign-in", email="x", password="x"),
        visitor.send("/sign-up", shelter="", name="", email="x"),
        visitor.send("/sign-up", **sign_up),
        visitor.get("/mailbox"),
        visitor.get(link_in_email("anna@example.org", "/sign-up/")),
        visitor.send("/account/name", name="Аня"),
    ]
    shown = [page for page in pages if page.status_code != 303]
    assert len(shown) == len(pages) - 1
    assert [[text for text in untranslated(page.text) if text not in STORED] for page in shown] == [[]] * len(
        shown
    )


STAFF_ANIMAL_PAGES = {
    "animals": "animals",
    "animals of one kind": "animals?species=dog&show=hidden",
    "removed animals": "animals?show=removed",
    "no animals found": "animals?q=%D1%8F%D1%8F%D1%8F",
    "new animal": "animals/new",
    "another animal of a litter": "animals/new?like={shown}",
    "edited animal": "animals/{shown}",
    "held animal": "animals/{held}",
    "animal that was removed": "animals/{removed}",
    "details of several animals": "animals/details?id={shown}&id={held}",
    "removal of animals": "animals/removal?id={shown}&id={held}",
    "removal of a photo": "animals/{shown}/photos/{photo}/removal",
}


@pytest.mark.parametrize("name", STAFF_ANIMAL_PAGES)
def test_staff_pages_of_animals_have_no_text_outside_the_catalogue(
    name: str, translated: FlaskClient, app: APIFlask
) -> None:
    staff = cast.teammate(translated.application, cast.owner(translated.application, "Приют"))
    with reading() as session:
        project = session.get_one(Project, staff.project_id)
    ids = {
        "shown": factories.animal(project, "Бисквит", photos=2, **FACTS),
        "held": factories.animal(project, "Крошка", listed=False),
        "removed": factories.animal(project, "Рыжик", listed=False, removed_at=factories.NOW),
    }
    with reading() as session:
        ids["photo"] = find_photos(session, ids["shown"])[0].id
    staff.post(f"animals/{ids['held']}/changes", {"do": "hold"})
    staff.get("animals")  # this page shows the notice of the change
    page = staff.get(STAFF_ANIMAL_PAGES[name].format(**ids))
    assert page.status_code == (410 if "{removed}" in STAFF_ANIMAL_PAGES[name] else 200)
    left = untranslated(page.text)
    assert (left == []) != (name in UNFINISHED), f"{name}: {left or 'remove it from UNFINISHED'}"


@pytest.mark.usefixtures("app")
def test_own_questions_have_no_text_outside_the_catalogue(translated: FlaskClient) -> None:
    owner = cast.owner(translated.application, "Приют")
    question = {"text": "Есть ли сад?", "kind": "yes_no"}
    pages = [
        owner.post("adoption-form/questions", question, follow_redirects=True),
        owner.post("adoption-form/questions", question),
        owner.post("adoption-form/questions", {"text": "", "kind": "choice", "options": "да"}),
        owner.post("adoption-form/questions/phone/asked", {"asked": "no"}, follow_redirects=True),
        owner.get("adoption-form/questions/own1"),
        owner.get("adoption-form/questions/own1/removal"),
    ]
    assert [page.status_code for page in pages] == [200, 422, 422, 200, 200, 200]
    assert [untranslated(page.text) for page in pages] == [[]] * len(pages)


HEADER = ["CODE", "NAME", "SPECIES", "STATUS", "BORN", "SEX"]
ROWS = "A1,Рекс,DOG,ADOPTED,01/02/2020,F\nA2,Бим,,слово,03/04/2021,M\nA1,Мурка,CAT,AVAILABLE,,\n"
ANSWERS = {
    **{f"column-{place}": name.casefold() for place, name in enumerate(HEADER)},
    **{"day_first": "day", "clash": "skip", "category": "Cat", "blanks": "keep"},
}
IN_FILE = re.compile(
    r"\b[A-Z]{3,}\b|\(Cat\)"
    r"|[^<>]*([Tt]his code belongs|\(Dog, born)[^<>]*"
)
"""Untranslated texts of an import: cells of the file, and errors that name an animal."""


@pytest.mark.usefixtures("app")
def test_the_pages_of_an_import_have_no_text_outside_the_catalogue(translated: FlaskClient) -> None:
    owner = cast.owner(translated.application, "Приют")
    file = io.BytesIO(f"{','.join(HEADER)}\n{ROWS}".encode())
    path = str(owner.post("imports", {"file": (file, "файл.xyz")}).headers["Location"])
    pages = [owner.get(path)]
    read_waiting()
    pages.append(owner.get(path))
    for run in ("try", "import"):
        owner.post(f"{path}/start", {"run": run, "columns": "1", **ANSWERS})
        pages.append(owner.get(path))
        read_waiting()
        import_job.run_waiting()
        pages.append(owner.get(path))
    pages.append(owner.get(f"{path}/undo"))
    owner.post(f"{path}/undo")
    pages.append(owner.get(path))
    import_job.run_waiting()
    pages += [owner.get(path), owner.get("imports")]
    picture = owner.post("imports", {"file": (io.BytesIO(b"\x89PNG"), "файл.xyz")})
    assert untranslated(picture.text) == []
    assert [page.status_code for page in pages] == [200] * 10
    assert wide("The import was undone") in pages[-2].text
    left = [untranslated(IN_FILE.sub("", page.text)) for page in pages]
    assert left == [[]] * 10


@pytest.mark.usefixtures("app")
def test_answers_to_changes_of_animals_have_no_text_outside_the_catalogue(translated: FlaskClient) -> None:
    staff = cast.teammate(translated.application, cast.owner(translated.application, "Приют"))
    with reading() as session:
        project = session.get_one(Project, staff.project_id)
    pets = [factories.animal(project, name) for name in ("Бисквит", "Крошка", "Рыжик", "Мышка")]
    applied = pets[0]
    apply_and_confirm(translated, applied, name="Сэм")
    old_form = form_in(staff.get(f"animals/{applied}").text)
    staff.post(f"animals/{applied}", {**old_form, "colours": "белый", "sex": "female"})
    row = {"HX-Request": "true", "HX-Target": "x"}
    answers = [
        staff.post("animals/new", {"fee": "money", "age": "?", "microchip": "1", "birth_date": "2027-01-01"}),
        staff.post(f"animals/{applied}", {**old_form, "colours": "рыжий", "sex": "male"}),
        staff.post(f"animals/{applied}", {**form_in(staff.get(f"animals/{applied}").text), "status": "sold"}),
        staff.get(f"animals/adoption?id={applied}&id={pets[1]}"),
        staff.post("animals/changes", {"do": "list"}, follow_redirects=True),
        staff.post(
            f"animals/{pets[1]}/changes", {"do": "status", f"status-{pets[1]}": "pending"}, headers=row
        ),
        staff.post("animals/changes", {"id": pets, "do": "hold"}, follow_redirects=True),
        staff.post("animals/changes", {"id": pets, "do": "list"}, follow_redirects=True),
        staff.post(f"animals/details?id={pets[1]}", {"house_trained": "yes"}, follow_redirects=True),
        staff.post(f"animals/details?id={pets[1]}", {"fee": "money"}),
        staff.post(f"animals/removal?id={pets[1]}&id={pets[2]}", follow_redirects=True),
        staff.post(f"animals/{pets[3]}/photos", {}, follow_redirects=True),
        staff.post(
            f"animals/adoption?id={applied}",
            {"tell": "yes", "tell_others": "yes", "words_to_others": "Спасибо."},
            follow_redirects=True,
        ),
        staff.get(f"animals/{applied}"),
    ]
    statuses = [422, 409, 422, 200, 200, 200, 200, 200, 200, 422, 200, 200, 200, 200]
    assert [answer.status_code for answer in answers] == statuses
    left = [text for answer in answers for text in untranslated(answer.text.replace(ANIMALS, ""))]
    assert left == []


SITE_PAGES = {
    "general settings": "settings",
    "publishing history": "settings/deploys",
    "another site": "sites/new",
    "another site's address": "sites/new?name=%D0%94%D0%BE%D0%BC",
    "taking a site offline": "settings/offline",
    "domains": "domains",
    "history of a domain": "domains/{new}/history",
    "redirect of a domain": "domains/{new}/redirect",
    "https of a domain": "domains/{verified}/https",
    "removal of a domain": "domains/{verified}/removal",
}


@pytest.mark.usefixtures("app")
@pytest.mark.parametrize("name", SITE_PAGES)
def test_pages_of_sites_and_domains_have_no_text_outside_the_catalogue(
    name: str, translated: FlaskClient
) -> None:
    owner = domains.upgrade_to_pro(cast.owner(translated.application, "Приют"))
    verified = domains.add_verified_row(owner.project_id, "example.org", primary_of=owner.project_id)
    domains.add_verified_row(owner.project_id, "www.example.org", redirect_status=301, keeps_https=True)
    lost = {"state": "attention", "unanswered_at": factories.NOW, "unanswered_why": "Нет."}
    new = domains.add_verified_row(owner.project_id, "adopt.example.org", **lost)
    owner.post("domains", {"domain": "pets.example.org"})
    page = owner.get(SITE_PAGES[name].format(verified=verified, new=new))
    assert page.status_code == 200
    # Cities have their English names, and names of countries and languages come from Babel.
    names = r'<select [^>]*id="(?:time_zone|country|language)".*?</select>'
    left = untranslated(re.sub(names, "", page.text, flags=re.DOTALL))
    assert not left, left


def test_emails_about_domains_have_no_text_outside_the_catalogue(translated: FlaskClient) -> None:
    failure = Failure("example.org", "connection", "Нет.", factories.NOW, None)
    news = DnsNews("moved", "example.org", "Приют", "Нет.")
    with translated.application.app_context():
        emails = [
            failed_email(failure),
            summary_email(["example.org"], [failure, failure._replace(not_after=factories.NOW)]),
            news_email([news]),
            news_email([news, news._replace(host="example.net")]),
            opened_email(OperatorAlert(cause=FILES_MISSING, opened_at=factories.NOW, detail="Нет.")),
        ]
    for subject, text in emails:
        names = re.compile("Let's Encrypt|localhost")
        assert ordinary_words(names.sub("", f"{subject} {text}")) == []


def test_a_page_names_its_language(translated: FlaskClient, client: FlaskClient) -> None:
    assert f'<html lang="{LOCALE}">' in translated.get("/").text
    assert f">{wide('Skip to main content')}<" in translated.get("/").text
    assert '<html lang="en">' in client.get("/").text


def test_numbers_have_separators_and_values_may_be_html(app: APIFlask) -> None:
    assert ngettext("%(num)s cat", "%(num)s cats", 1_500) == "1,500 cats"
    name = Markup("<bdi>&amp;</bdi>")
    found = ngettext("%(who)s: %(num)s cat, %(text)s", "%(num)s cats", 1, who=name, text="<b>")
    assert found == Markup("<bdi>&amp;</bdi>: 1 cat, &lt;b&gt;")
    assert isinstance(found, Markup)


def test_an_empty_text_stays_empty(translated: FlaskClient) -> None:
    with translated.application.app_context():
        assert gettext("") == ""


def test_the_catalogue_keeps_placeholders_tags_and_entities() -> None:
    assert wide("Meet %(name)s &amp; <b>all</b>") == (f"{wide('Meet')} %(name)s &amp; <b>{wide('all')}</b>")
    assert ordinary_words(wide("Meet them")) == []
    assert ordinary_words("Meet Бисквит") == ["Meet"]


def test_applications_and_their_emails_have_no_text_outside_the_catalogue(
    translated: FlaskClient, world: dict[str, Any]
) -> None:
    typed = {"name": "Шура", "email": "a@example.org", "why": "Сад."}
    pages = {
        "errors": apply(translated, world["animal"], **typed | {"name": "", "email": ""}),
        "closed": apply(translated, world["adopted"], "", **typed),
    }
    link = link_in(sent := apply(translated, world["animal"], **typed))
    pages["sent"] = translated.get(str(sent.location))
    pages["wrong name"] = translated.post(link, data={"name": "Я"})
    pages["answers"] = translated.post(link, data={"name": "Шура"})
    pages["confirmation"] = translated.get(link_in_email("a@example.org", "/applications/"))
    pages["withdrawal"] = translated.get(f"{link}/withdrawal")
    pages["withdrawn"] = translated.post(f"{link}/withdrawal", follow_redirects=True)
    assert {name: left for name, page in pages.items() if (left := untranslated(page.text))} == {}
    with reading() as session:
        emails = session.execute(select(OutgoingEmail.subject, OutgoingEmail.text)).all()
    assert len(emails) == 4
    assert [word for email in emails for text in email for word in ordinary_words(text)] == []


@pytest.mark.usefixtures("app")
def test_staff_pages_about_applications_have_no_text_outside_the_catalogue(translated: FlaskClient) -> None:
    owner = cast.owner(translated.application, "Приют")
    dog, cat = (add_animal(owner, name) for name in ("Бисквит", "Крошка"))
    applicants = {"a": dog, "b": dog, "c": cat}
    a, b, c = (
        apply_and_confirm(translated, animal, who, name="Шура", why="Сад.", confirms=who == "a")
        for who, animal in applicants.items()
    )
    pages = [f"applications{rest}" for rest in ("", "?box=all&q=x&pet=%D0%B1", "?box=held", f"/{a}")]
    pages += [f"applications/{a}/{rest}" for rest in ("approval", "refusal", "private-link")]
    pages += [f"applications/refusals?case={b}:placed&case={c}:placed", f"applicants/{a}"]
    found = {page: owner.get(page).text for page in [*pages, f"applicants/{a}/erasure"]}
    owner.post(f"applications/{a}/approval?seen=placed", {"tell": "yes", "words": "Да"})
    pages = [f"applications/{rest}" for rest in (a, b, f"{a}/completion", f"{a}/approval/removal")]
    found |= {f"{page} once approved": owner.get(page).text for page in pages}
    decide(owner, a, "complete", "approved")
    found["adopted"] = owner.get(f"applications/{a}").text
    decide(owner, c, "decline")
    found["declined"] = owner.get(f"applications/{c}").text
    left = {name: untranslated(page.replace(ANIMALS, "")) for name, page in found.items()}
    assert {name: texts for name, texts in left.items() if texts} == {}
    emails = [email for who in applicants for email in emails_to(f"{who}@example.org")]
    assert [text for email in emails for text in (email.subject, email.text) if ordinary_words(text)] == []

"""The form to add or edit an animal."""

import re
from datetime import UTC, date, datetime
from html import escape, unescape

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.cast import Colleague
from tests.pages import without_times
from tests.staffing import NEW, add_animal, audit_entries, form_in, names_in, photo_file, stored_animal

EVERYTHING = NEW | {
    "name": "  Zoë  ",
    "breed_primary": "Whippet",
    "breed_secondary": "Saluki",
    "breed_mixed": "yes",
    "sex": "female",
    "altered": "yes",
    "birth_date": "2024-02-29",
    "birth_date_estimated": "yes",
    "size": "medium",
    "coat": "short",
    "colours": "Blue and white",
    "description": "Gentle.\r\n\r\n- walks well",
    "good_with_children": "yes",
    "good_with_dogs": "no",
    "house_trained": "yes",
    "declawed": "no",
    "shots_current": "yes",
    "tags": "quiet, Loves water",
    "video_url": "https://video.example/zoe",
    "special_needs_note": "Tablets twice a day",
    "fee": "money",
    "fee_amount": "£1,234.50",
    "code": "R-77",
    "arrival_date": "2026-11-01",
    "microchip": "985 112 003 456 789",
    "internal_notes": "Bites postmen",
    "surrenderer": "Mr Hill",
    "foster_address": "1 Elm Road",
    "arrival_details": "Found in a shed",
}


def added(owner: Colleague, form: dict[str, str]) -> int:
    answer = owner.post("animals/new", dict(form))
    assert answer.status_code == 303, re.findall(r'<a href="#[^"]+">[^<]+', answer.text)
    return max(int(id_) for id_ in re.findall(r'<tr id="animal-(\d+)"', owner.get("animals").text))


def test_every_field_of_the_form_is_saved_and_shown(owner: Colleague) -> None:
    id_ = added(owner, EVERYTHING)
    zoe = stored_animal(id_)
    assert (zoe.name, zoe.category_id, zoe.fee_cents, zoe.special_needs) == ("Zoë", 2, 123450, True)
    assert (zoe.birth_date, zoe.birth_date_estimated) == (date(2024, 2, 29), True)
    assert (zoe.good_with_children, zoe.good_with_dogs, zoe.good_with_cats) == (True, False, None)
    assert (zoe.care.microchip, zoe.care.foster_address) == ("985 112 003 456 789", "1 Elm Road")
    again = form_in(owner.get(f"animals/{id_}").text)
    changed = {"name": "Zoë", "description": "Gentle.\n\n- walks well", "fee_amount": "1234.50"}
    for name, text in (EVERYTHING | changed).items():
        assert again[name] == text, name
    assert audit_entries(owner) == [("animal.added", f"Zoë ({id_})", "")]


def test_an_amount_is_never_dropped_silently(owner: Colleague) -> None:
    id_ = added(owner, EVERYTHING)
    form = form_in(owner.get(f"animals/{id_}").text)
    for choice in ("waived", "hidden"):
        answer = owner.post(f"animals/{id_}", form | {"fee": choice, "fee_amount": "80"})
        assert answer.status_code == 422
        assert "Choose “An amount” to ask for this fee, or clear the amount" in answer.text
        assert form_in(answer.text)["fee_amount"] == "80"
    assert owner.post(f"animals/{id_}", form | {"fee": "waived"}).status_code == 303
    assert stored_animal(id_).fee_cents == 0, "the amount of before gives way to the choice"


def test_saving_without_a_change_changes_nothing(owner: Colleague) -> None:
    id_ = added(owner, EVERYTHING)
    before = stored_animal(id_).updated_at
    assert owner.post(f"animals/{id_}", form_in(owner.get(f"animals/{id_}").text)).status_code == 303
    assert stored_animal(id_).updated_at == before
    assert len(audit_entries(owner)) == 1


def test_a_change_is_saved_searchable_and_confirmed(owner: Colleague) -> None:
    id_ = add_animal(owner, "Rex")
    form = form_in(owner.get(f"animals/{id_}").text) | {"name": "Rexford", "internal_notes": "Kind"}
    assert owner.post(f"animals/{id_}", form).status_code == 303
    assert stored_animal(id_).care.internal_notes == "Kind"
    assert names_in(owner.get("animals?q=rexford").text) == ["Rexford"]
    assert audit_entries(owner) == [("animal.edited", f"Rexford ({id_})", "internal notes, name")]


def test_all_errors_are_shown_together_and_values_stay(owner: Colleague) -> None:
    year = datetime.now(UTC).year + 1
    wrong = {
        "name": " ",
        "category_id": "",
        "birth_date": f"{year}-02-01",
        "fee": "money",
        "fee_amount": "lots",
    }
    answer = owner.post("animals/new", EVERYTHING | wrong)
    assert answer.status_code == 422
    summary = re.findall(r'<a href="#([^"]+)">([^<]+)</a>', answer.text)
    assert ("name", "Enter a name") in summary
    assert ("category_id", "Choose a species") in summary
    assert ("birth_date", "The date of birth is in the future. Check the year") in summary
    assert ("fee_amount", "Write the fee as a number, such as 125.00") in summary
    assert "4 things to fix" in answer.text
    assert "<title>Error: Add an animal" in answer.text
    assert form_in(answer.text)["internal_notes"] == "Bites postmen"
    assert form_in(answer.text)["fee_amount"] == "lots"
    assert names_in(owner.get("animals").text) == []


def test_every_invalid_field_has_an_error_message(owner: Colleague) -> None:
    slips = {
        "name": ("x" * 201, "Shorten the name to 200 characters"),
        "status": ("eaten", "Choose a status"),
        "sex": ("maybe", "Choose the sex from the list"),
        "altered": ("perhaps", "Choose yes, no or not known"),
        "birth_date": (
            "31.12",
            "This is not a date that we know. Write dates as year-month-day, such as 2020-02-28",
        ),
        "age": (
            "soon",
            "Enter the age as 2 years, 5 months or 8 weeks, or as baby, young, adult or senior",
        ),
        "fee": ("gold", "Choose what visitors see about the fee"),
        "code": ("c" * 101, "Shorten the code to 100 characters; it has 101"),
        "description": (
            "bad\x00letter",
            "The description contains a character that we cannot save, after “bad”. Delete the character",
        ),
        "bonded_with": (
            "Nobody",
            "No animal of yours is called Nobody. Check the spelling, or write the code of the animal",
        ),
    }
    page = owner.post("animals/new", NEW | {name: text for name, (text, _) in slips.items()}).text
    for name, (_, sentence) in slips.items():
        assert f">{sentence}</a>" in page, name


def test_a_single_field_check_has_the_same_message(owner: Colleague) -> None:
    headers = {"HX-Request": "true"}
    answer = owner.post("animals/checks/name", {"name": ""}, headers=headers)
    assert answer.status_code == 200
    assert answer.text.lstrip().startswith('<div class="field"')
    assert 'aria-invalid="true"' in answer.text
    assert 'aria-describedby="name-error"' in answer.text
    assert "Enter a name" in answer.text
    assert "aria-invalid" not in owner.post("animals/checks/name", {"name": "Rex"}, headers=headers).text
    assert owner.post("animals/checks/words", {}, headers=headers).status_code == 404


def test_a_code_belongs_to_one_animal_of_the_shelter(owner: Colleague, outsider: Colleague) -> None:
    add_animal(outsider, "Stranger", code="R-1")
    rex = added(owner, NEW | {"name": "Rex", "code": "R-1"})
    answer = owner.post("animals/new", NEW | {"code": "R-1"})
    assert answer.status_code == 422
    assert "Rex has this code already" in answer.text
    assert "already" in owner.post("animals/checks/code", {"code": "R-1"}).text
    assert "already" not in owner.post(f"animals/{rex}/checks/code", {"code": "R-1"}).text


def test_an_age_becomes_an_estimated_birth_date(owner: Colleague) -> None:
    id_ = added(owner, NEW | {"age": "about 2 years"})
    born, today = stored_animal(id_).birth_date, datetime.now(UTC).date()
    assert born is not None
    assert 729 <= (today - born).days <= 731
    assert stored_animal(id_).birth_date_estimated
    both = owner.post("animals/new", NEW | {"age": "9 years", "birth_date": "2024-01-01"})
    assert "This age does not fit the date of birth. Clear the age or the date of birth" in both.text
    form = form_in(owner.get(f"animals/{id_}").text)
    owner.post(f"animals/{id_}", form | {"age": "4 years"})
    assert 4 * 365 <= (today - stored_animal(id_).birth_date).days <= 4 * 365 + 2  # type: ignore[operator]


def test_the_visibility_choice_sets_holds_and_listing(owner: Colleague) -> None:
    for choice, wanted in (
        ("shown", (True, False, False)),
        ("hidden", (False, False, False)),
        ("on_hold", (False, True, False)),
        ("in_quarantine", (False, False, True)),
        ("held", (False, True, True)),
    ):
        id_ = added(owner, NEW | {"visibility": choice, "internal_notes": "Kept"})
        assert form_in(owner.get(f"animals/{id_}").text)["visibility"] == choice
        now = stored_animal(id_)
        assert (now.listed, now.care.on_hold, now.care.in_quarantine) == wanted
    assert (
        "Choose whether visitors see the animal" in owner.post("animals/new", NEW | {"visibility": ""}).text
    )


def test_an_adopted_animal_on_hold_stays_visible_when_other_fields_change(owner: Colleague) -> None:
    id_ = add_animal(owner, "Rex", status="sold", listed=True, care={"on_hold": True})
    owner.post(f"animals/{id_}", form_in(owner.get(f"animals/{id_}").text) | {"colours": "Brown"})
    assert (stored_animal(id_).listed, stored_animal(id_).care.on_hold, stored_animal(id_).colours) == (
        True,
        True,
        "Brown",
    )


def test_an_age_group_is_kept_until_a_birth_date_is_known(owner: Colleague) -> None:
    id_ = added(owner, NEW | {"age": "Adult"})
    assert (stored_animal(id_).birth_date, stored_animal(id_).age_group) == (None, "adult")
    form = form_in(owner.get(f"animals/{id_}").text)
    assert form["age"] == "Adult"
    assert "Adult" in owner.get("animals").text
    clash = owner.post(f"animals/{id_}", form | {"birth_date": datetime.now(UTC).date().isoformat()})
    assert "This age does not fit the date of birth. Clear the age or the date of birth" in clash.text
    owner.post(f"animals/{id_}", form | {"age": "4 years"})
    assert (stored_animal(id_).birth_date is None, stored_animal(id_).age_group) == (False, None)


def test_an_age_is_parsed_or_rejected_with_a_reason(owner: Colleague) -> None:
    today = datetime.now(UTC).date()
    for text, days in (
        ("two years", 730),
        ("about 3 months", 91),
        ("a year", 365),
        ("2 1/2 years", 913),
        ("1,5 years old", 548),
        ("~8 weeks", 56),
    ):
        born = stored_animal(added(owner, NEW | {"age": text})).birth_date
        assert born is not None, text
        assert abs((today - born).days - days) <= 3, text
    for text, sentence in (
        ("2", "Add years, months or weeks, such as 2 years"),
        ("about 3", "Add years, months or weeks, such as 3 years"),
        ("1-2 years", "Enter one age, such as 2 years, and not a range"),
        ("one to two years", "Enter one age, such as 2 years, and not a range"),
    ):
        assert sentence in owner.post("animals/checks/age", NEW | {"age": text}).text, text


@pytest.mark.settings("embedded")
def test_a_field_with_an_error_is_checked_again_after_each_change_of_the_form(owner: Colleague) -> None:
    """For example, an amount is valid only with one kind of fee."""
    fields = [
        owner.post("animals/checks/fee_amount", NEW | {"fee": fee, "fee_amount": "85"}).text
        for fee in ("waived", "money")
    ]
    assert [">Amount (USD)<" in field for field in fields] == [True, True], "amounts are in its currency"
    triggers = [re.findall('hx-trigger="([^"]+)"', field) for field in fields]
    assert triggers == [["change from:#animal-form"], ["blur changed"]]


@pytest.mark.settings("embedded")
def test_the_tab_order_has_the_photos_between_the_fields_and_the_buttons(owner: Colleague) -> None:
    rex = added(owner, NEW)
    for path in ("animals/new", f"animals/{rex}"):
        reached = re.findall(
            r'(arrival_details|photos-chosen)"|type="submit" form="animal', owner.get(path).text
        )
        assert list(dict.fromkeys(reached)) == ["arrival_details", "photos-chosen", ""], path


def test_a_microchip_has_a_valid_format_and_is_unique(owner: Colleague) -> None:
    rex = added(owner, NEW | {"name": "Rex", "microchip": "985-112 003456789"})
    for text, sentence in (
        ("abc", "abc has 3 characters. Microchip numbers have 15 digits (ISO)"),
        ("12345678901234567", "has 17 characters"),
        ("985112003456789", "Rex has this microchip already. Check both numbers"),
        ("985112003456788, 985.112.003.456.789", "Rex has this microchip already"),
    ):
        answer = owner.post("animals/new", NEW | {"microchip": text})
        assert answer.status_code == 422
        assert sentence in answer.text
    for text in ("0A1B2C3D4E", "123456789", "985112003456780"):
        added(owner, NEW | {"microchip": text})
    odd = add_animal(owner, "Odd", care={"microchip": "abc"})
    assert "already" not in owner.post(f"animals/{rex}", form_in(owner.get(f"animals/{rex}").text)).text
    owner.post(f"animals/{odd}", form_in(owner.get(f"animals/{odd}").text) | {"colours": "Brown"})
    assert (stored_animal(odd).colours, stored_animal(odd).care.microchip) == ("Brown", "abc")


def test_save_and_add_another_keeps_species_and_arrival(owner: Colleague) -> None:
    answer = owner.post("animals/new", NEW | {"arrival_date": "2026-11-01", "then": "another"})
    form = form_in(owner.client.get(answer.headers["Location"]).text)
    assert (form["category_id"], form["arrival_date"], form["name"]) == ("2", "2026-11-01", "")


def test_duplicating_an_animal_leaves_out_unique_values(owner: Colleague) -> None:
    id_ = added(owner, EVERYTHING | {"visibility": "on_hold"})
    page = owner.get(f"animals/new?like={id_}").text
    form = form_in(page)
    assert "Add an animal like Zoë" in page
    assert (form["breed_primary"], form["description"]) == ("Whippet", "Gentle.\n\n- walks well")
    assert [form[name] for name in ("name", "code", "microchip", "internal_notes")] == ["", "", "", ""]
    assert form["visibility"] == "shown"
    assert owner.get("animals/new?like=x").status_code == 404


def test_animals_are_bonded_by_name_code_or_number_and_separated(owner: Colleague) -> None:
    salt, pepper = add_animal(owner, "Salt"), add_animal(owner, "Pepper", code="P-1")
    id_ = added(owner, NEW | {"bonded_with": f"salt, P-1, {pepper}"})
    bonds = {stored_animal(each).bond_id for each in (id_, salt, pepper)}
    assert len(bonds) == 1
    assert None not in bonds
    form = form_in(owner.get(f"animals/{id_}").text)
    assert form["bonded_with"] == f"Salt ({salt}), Pepper ({pepper})"
    owner.post(f"animals/{id_}", form | {"bonded_with": f"Salt ({salt})"})
    assert (stored_animal(pepper).bond_id, stored_animal(salt).bond_id) == (None, stored_animal(id_).bond_id)
    owner.post(f"animals/{id_}", form_in(owner.get(f"animals/{id_}").text) | {"bonded_with": ""})
    assert [stored_animal(each).bond_id for each in (id_, salt, pepper)] == [None, None, None]


def test_bonding_by_an_ambiguous_name_asks_for_the_number(owner: Colleague) -> None:
    first, second = add_animal(owner, "Bella"), add_animal(owner, "Bella")
    page = owner.post("animals/checks/bonded_with", {"bonded_with": "bella"}).text
    assert (
        "Several of your animals are called bella. Write the number of the right animal instead: "
        f"{first}, {second}" in page
    )
    page = owner.post(f"animals/{first}/checks/bonded_with", {"bonded_with": str(first)}).text
    assert "An animal cannot be bonded with itself. Name only other animals" in page


def save_both(
    owner: Colleague, teammate: Colleague, id_: int, theirs: dict[str, str], mine: dict[str, str]
) -> TestResponse:
    """Let the teammate save an animal's form.

    Then let the owner save the same form, opened before the teammate's change.
    """
    my_form, their_form = (form_in(who.get(f"animals/{id_}").text) for who in (owner, teammate))
    teammate.post(f"animals/{id_}", their_form | theirs | {"csrf_token": teammate.token()})
    return owner.post(f"animals/{id_}", my_form | mine)


def test_fields_that_one_of_two_editors_changed_are_merged(owner: Colleague, teammate: Colleague) -> None:
    id_ = add_animal(
        owner, "Rex", colours="Agouti", description="Old", fee_cents=100, care={"microchip": "abc"}
    )
    theirs = {"colours": "Black", "visibility": "on_hold", "fee": "waived", "microchip": ""}
    mine = {"description": "New", "code": "R-1", "birth_date": "2024-02-01"}
    assert save_both(owner, teammate, id_, theirs, mine).status_code == 303
    rex = stored_animal(id_)
    assert (rex.colours, rex.fee_cents, rex.listed, rex.care.on_hold) == ("Black", 0, False, True)
    assert (rex.description, rex.code, rex.birth_date, rex.care.microchip) == (
        "New",
        "R-1",
        date(2024, 2, 1),
        None,
    )
    page = owner.get(f"animals/{id_}").text
    assert "staff@elm.example also changed" in page
    assert "Colours" in page.split("both are saved")[0]


def test_conflicting_edits_are_resolved_field_by_field(owner: Colleague, teammate: Colleague) -> None:
    id_ = add_animal(owner, "Rex", colours="Agouti")
    theirs = {"colours": "Black", "name": "Rexford", "coat": "long"}
    mine = {"colours": "Brown", "name": "Rexie", "internal_notes": "Kind"}
    answer = save_both(owner, teammate, id_, theirs, mine)
    assert answer.status_code == 409
    assert "staff@elm.example changed it just now" in without_times(answer.text)
    for text in ("Rexie", "Rexford", "Brown", "Black"):
        assert f'class="clash-value">{text}</small>' in answer.text
    assert stored_animal(id_).name == "Rexford"
    form = form_in(answer.text)
    assert (form["name"], form["colours"], form["coat"], form["internal_notes"]) == (
        "Rexie",
        "Brown",
        "long",
        "Kind",
    )
    assert owner.post(f"animals/{id_}", form).status_code == 409  # no value was chosen
    sides = dict(re.findall(r'name="(keep-\w+)" value="(theirs:\w+)"', answer.text))
    chosen = {
        "keep-name": sides["keep-name"].replace("theirs", "mine"),
        "keep-colours": sides["keep-colours"],
    }
    assert owner.post(f"animals/{id_}", form | chosen).status_code == 303
    rex = stored_animal(id_)
    assert (rex.name, rex.colours, rex.coat, rex.care.internal_notes) == ("Rexie", "Black", "long", "Kind")


def test_the_choice_in_a_conflict_counts_only_for_the_value_that_was_shown(
    owner: Colleague, teammate: Colleague
) -> None:
    id_ = add_animal(owner, "Rex", colours="Agouti")
    answer = save_both(owner, teammate, id_, {"colours": "Black"}, {"colours": "Brown"})
    form = form_in(answer.text) | {
        "keep-colours": re.findall(r'name="keep-colours" value="(mine:\w+)"', answer.text)[0]
    }
    again = form_in(teammate.get(f"animals/{id_}").text) | {"csrf_token": teammate.token()}
    teammate.post(f"animals/{id_}", again | {"colours": "White"})
    answer = owner.post(f"animals/{id_}", form)
    assert answer.status_code == 409
    assert "White" in answer.text
    assert stored_animal(id_).colours == "White"


def test_a_new_photo_does_not_conflict_with_an_open_form(owner: Colleague) -> None:
    id_ = add_animal(owner, "Rex")
    form = form_in(owner.get(f"animals/{id_}").text)
    owner.post(f"animals/{id_}/photos", {"photos": [photo_file()]}, content_type="multipart/form-data")
    assert owner.post(f"animals/{id_}", form | {"name": "Rexford"}).status_code == 303
    assert stored_animal(id_).name == "Rexford"


def test_all_kinds_of_line_breaks_are_kept(owner: Colleague) -> None:
    id_ = added(owner, NEW | {"description": "One\x0btwo\x0cthree\u2028four", "internal_notes": "a\x0bb"})
    assert stored_animal(id_).description == "One\ntwo\nthree\nfour"
    assert stored_animal(id_).care.internal_notes == "a\nb"


def test_an_invalid_character_is_reported_with_its_position(owner: Colleague) -> None:
    page = owner.post("animals/new", NEW | {"description": "A gentle dog who\x07 likes tea"})
    assert page.status_code == 422
    found = "The description contains a character that we cannot save, after “A gentle dog who”. Delete the"
    assert found in page.text


@pytest.mark.settings("embedded")
def test_the_amount_field_follows_its_choice(owner: Colleague) -> None:
    page = owner.get("animals/new").text
    places = [page.index(f'id="{name}"') for name in ("fee-waived", "fee-hidden", "fee-money", "fee_amount")]
    assert places == sorted(places)


@pytest.mark.settings("embedded")
def test_the_back_link_keeps_the_search_and_order_of_the_list(owner: Colleague) -> None:
    id_ = add_animal(owner, "Moss")
    listed = "animals?q=moss&species=dog&sort=name"
    opened = re.search(rf'id="open-{id_}" href="([^"]+)"', owner.get(listed).text)
    assert opened
    address = unescape(opened[1])
    form = form_in(owner.get(address).text) | {"colours": "Grey"}
    saved = owner.post(address, form)
    assert f'class="back-link" href="{owner.at(escape(listed))}"' in owner.get(saved.location).text
    elsewhere = owner.get(f"animals/{id_}?back=//evil.example/?x").text
    assert f'class="back-link" href="{owner.at("animals")}"' in elsewhere


@pytest.mark.settings("embedded")
def test_the_form_of_an_existing_animal_begins_with_status_and_visibility(owner: Colleague) -> None:
    for path, first in ((f"animals/{add_animal(owner)}", "listing"), ("animals/new", "basics")):
        sections = re.findall(r'<section class="panel stack" aria-labelledby="(\w+)"', owner.get(path).text)
        assert {"listing", "basics"} <= set(sections)
        assert sections[0] == first, path


@pytest.mark.parametrize(
    ("field", "text", "error"),
    [
        ("tags", ",".join(map(str, range(11))), "Write at most 10 tags, separated by commas"),
        ("tags", "x" * 31, "to 30 characters"),
        ("video_url", "http://video.example/zoe", "Write an address that begins with https://"),
        ("video_url", "no address", "Enter a web address such as"),
        ("declawed", "maybe", "Choose yes, no or not known"),
    ],
)
def test_invalid_tags_videos_and_answers_are_refused(
    owner: Colleague, field: str, text: str, error: str
) -> None:
    answer = owner.post("animals/new", EVERYTHING | {field: text})
    assert answer.status_code == 422
    assert error in unescape(answer.text)
    assert form_in(answer.text).get(field, text) == text


def test_visitors_see_tags_vaccinations_and_a_link_to_the_video(
    owner: Colleague, client: FlaskClient
) -> None:
    id_ = added(owner, EVERYTHING | {"declawed": "yes", "tags": "quiet, Quiet, <b>, loves water"})
    owner.post("settings/deploys")
    page = client.get(f"/animals/{id_}", follow_redirects=True).text
    assert re.findall(r'<li class="tag"><bdi>(.*?)</bdi>', page) == ["quiet", "&lt;b&gt;", "loves water"]
    assert '<a href="https://video.example/zoe"' in page
    for label, value in (("Vaccinations", "Up to date"), ("Declawed", "Yes")):
        assert f"<dt>{label}</dt><dd><bdi>{value}</bdi></dd>" in page

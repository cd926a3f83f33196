"""Who gets through the staff's door."""

from apiflask import APIFlask

from tests.cast import Colleague


def test_a_stranger_is_sent_to_sign_in_and_comes_back_to_the_page(app: APIFlask, owner: Colleague) -> None:
    answer = app.test_client().get(owner.at("animals?q=rex"))
    assert answer.status_code == 302
    assert answer.headers["Location"] == f"/sign-in?next=/projects/{owner.slug}/animals?q%3Drex"


def test_an_outsider_finds_nothing(owner: Colleague, outsider: Colleague) -> None:
    assert outsider.get(owner.at("animals")).status_code == 404
    assert outsider.get("animals").status_code == 200


def test_a_form_without_its_token_is_not_taken_and_says_what_to_do(owner: Colleague) -> None:
    answer = owner.client.post("/sign-out")
    assert answer.status_code == 400
    assert "Your session has expired" in answer.text
    assert owner.get("animals").status_code == 200


def test_who_signs_out_is_out(owner: Colleague) -> None:
    owner.post("/sign-out")
    assert owner.get("animals").status_code == 302

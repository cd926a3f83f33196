"""Odd input in forms, filters and paths, which must not break any staff page."""

import pytest

from tests.cast import Colleague
from tests.portal.access_matrix import ROUTES

FILTERS = (
    "q", "box", "animal", "order", "after", "email", "actor", "kind", "before", "species", "status", "show",
    "sort", "page", "like", "arrived", "photos_of", "id", "back", "seen", "columns", "colour", "next",
)  # fmt: skip


@pytest.mark.parametrize("odd", ["a\0b", "9" * 5_000, "\U0010ffff[]"], ids=["NUL", "long", "far"])
def test_odd_input_in_forms_and_filters_breaks_no_page(owner: Colleague, odd: str) -> None:
    token, filters = owner.token(), dict.fromkeys(FILTERS, odd)
    for route in ROUTES:
        made = route.made_for(owner)
        answer = owner.client.open(
            owner.at(made.path.partition("?")[0]),
            method=route.method,
            query_string=filters,
            data={**dict.fromkeys(made.form, odd), "csrf_token": token} if route.method == "POST" else None,
        )
        assert answer.status_code < 500, route


@pytest.mark.parametrize("name", ["%00", "a%00", "%ED%A0%80", "9" * 5_000])
def test_odd_input_in_paths_breaks_no_page(owner: Colleague, name: str) -> None:
    for path in (f"/projects/{name}/animals", f"/invitations/{name}", f"/sign-up/{name}", f"photos/{name}"):
        assert owner.get(path).status_code == 404, path
    for path in (f"/password/new/{name}", f"applications/{name}", f"animals/{name}", f"imports/{name}"):
        assert owner.get(path).status_code == 404, path

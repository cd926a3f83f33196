from datetime import date

import pytest

from adoption.animals.age_groups import age_group

TODAY = date(2026, 11, 28)


@pytest.mark.parametrize(
    ("born", "group"),
    [
        (date(2026, 11, 28), "baby"),
        (date(2025, 11, 29), "baby"),
        (date(2025, 11, 28), "young"),
        (date(2023, 11, 29), "young"),
        (date(2023, 11, 28), "adult"),
        (date(2018, 11, 29), "adult"),
        (date(2018, 11, 28), "senior"),
        (date(1990, 1, 1), "senior"),
        (date(2027, 1, 1), "baby"),
    ],
)
def test_an_age_has_a_group(born: date, group: str) -> None:
    assert age_group(born, TODAY) == group

import pytest

from api.durations_in_words import spell_duration


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (1, "1 second"),
        (60, "60 seconds"),
        (119, "119 seconds"),
        (120, "2 minutes"),
        (121, "3 minutes"),
        (300, "5 minutes"),
        (3_600, "1 hour"),
        (3_601, "61 minutes"),
        (7_201, "3 hours"),
        (86_400, "24 hours"),
        (86_399, "24 hours"),
    ],
)
def test_a_duration_in_words_is_rounded_up(seconds: int, words: str) -> None:
    assert spell_duration(seconds) == words

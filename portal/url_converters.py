"""Ids in addresses and forms, checked against the range of a database column."""

import re

from werkzeug.routing import IntegerConverter, ValidationError

from adoption.animals.allowed_values import ID_LARGEST


class Int64(IntegerConverter):
    """An id in ASCII digits that fits into a database column."""

    regex = r"[0-9]{1,19}"

    def to_python(self, value: str) -> int:
        number = int(super().to_python(value))
        if not 0 < number <= ID_LARGEST:
            raise ValidationError
        return number


def parse_id(text: str) -> int | None:
    """Return the id in a text, or None if the text is not an id."""
    number = int(text) if re.fullmatch("[0-9]{1,19}", text) else 0
    return number if 0 < number <= ID_LARGEST else None

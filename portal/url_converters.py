"""Numbers in addresses and forms: ids as the database has them, and nothing else."""

import re

from werkzeug.routing import IntegerConverter, ValidationError

from adoption.animals.catalogue import ID_LARGEST


class Int64(IntegerConverter):
    """An id in ASCII digits. What no column could hold leads nowhere."""

    regex = r"[0-9]{1,19}"

    def to_python(self, value: str) -> int:
        number = int(super().to_python(value))
        if not 0 < number <= ID_LARGEST:
            raise ValidationError
        return number


def id_in(text: str) -> int | None:
    """The id that an address or a form holds; None for what is none."""
    number = int(text) if re.fullmatch("[0-9]{1,19}", text) else 0
    return number if 0 < number <= ID_LARGEST else None

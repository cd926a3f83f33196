"""What forms have in common: a noun's ``fields`` are their rules, and what was typed stays as it was."""

from collections.abc import Callable
from typing import Any

from wtforms import Field, Form
from wtforms.validators import ValidationError

Rule = Callable[[str], str]


class Checked(Form):  # type: ignore[misc]  # the library bears no types
    """A form that keeps what was typed, and tells by field what to mend."""

    class Meta:
        locales = False  # none of the library's own sentences is shown

    def __init__(self, *given: Any, **rest: Any) -> None:
        super().__init__(*given, **rest)
        self.cleaned: dict[str, str] = {}
        """The values by field, as the rules give them."""

    def check(self, field: Field, rule: Rule) -> None:
        try:
            self.cleaned[field.name] = rule(field.data or "")
        except ValueError as error:
            raise ValidationError(str(error)) from error

    @property
    def summary(self) -> list[tuple[str, str]]:
        """Where to go, and what to do there."""
        return [(name, str(told[0])) for name, told in self.errors.items() if name]

    def blame(self, name: str, sentence: str) -> None:
        """Tell of a field what only the rules behind the form could know."""
        self[name].errors = [*self[name].errors, sentence]


def by(rule: Rule) -> list[Callable[[Checked, Field], None]]:
    """Have a field checked by a rule."""
    return [lambda form, field: form.check(field, rule)]

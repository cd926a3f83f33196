"""The base class of forms. The validation rules of the fields are in ``adoption/``."""

from collections.abc import Callable
from typing import Any

from wtforms import Field, Form
from wtforms.validators import ValidationError

Rule = Callable[[str], str]


class CheckedForm(Form):
    """A form that keeps the text as the user typed it, with an error for each invalid field."""

    class Meta:
        locales = False  # The library's own messages are not shown.

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.cleaned: dict[str, str] = {}
        """The values of valid fields, by name of the field, as the validation rules returned them."""

    def check(self, field: Field, rule: Rule) -> None:
        try:
            self.cleaned[field.name] = rule(field.data or "")
        except ValueError as error:
            raise ValidationError(str(error)) from error

    @property
    def summary(self) -> list[tuple[str, str]]:
        """Return each invalid field with its first error."""
        return [(name, str(errors[0])) for name, errors in self.errors.items() if name]

    def add_error(self, name: str, sentence: str) -> None:
        """Add an error that was found after validation."""
        self[name].errors = [*self[name].errors, sentence]


def checked_by(rule: Rule) -> list[Callable[[CheckedForm, Field], None]]:
    """Return the validators of a field that has one rule."""
    return [lambda form, field: form.check(field, rule)]

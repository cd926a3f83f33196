"""Forms that create API keys."""

from datetime import datetime, timedelta
from typing import Any

from flask import current_app
from wtforms import BooleanField, Form, SelectField, SelectMultipleField, StringField
from wtforms.validators import ValidationError

from adoption.accounts.api_access import api_keys
from adoption.accounts.api_access.key_format import SCOPES
from adoption.accounts.api_access.page_origins import read_origins
from adoption.errors import Invalid
from adoption.translations import gettext, message

SCOPE_LABELS = {
    "pets:read": (
        message("Read animals"),
        message("See your animals as adopters do: name, species and status."),
    ),
    "pets:write": (message("Add animals"), message("Add new animals to your list.")),
    "orders:read": (
        message("Read applications"),
        message("See the status of applications, never who applied."),
    ),
    "directory:read": (
        message("Read the directory"),
        message("See all published shelters and their animals, not only yours."),
    ),
}
LIVES = {
    "": message("Never"),
    "30": message("In 30 days"),
    "90": message("In 90 days"),
    "365": message("In a year"),
}
"""The choices for when an API key expires: the number of days until then, and the label."""


class NamedKeyForm(Form):
    """The fields of both kinds of keys."""

    ids_begin = ""
    """The beginning of the ids of the controls. The field's name follows."""
    name = StringField(filters=[lambda text: " ".join((text or "").split())])
    expires = SelectField(choices=list(LIVES), validate_choice=False, default="")

    def validate_name(self, field: Any) -> None:
        try:
            api_keys.check_key_name(field.data)
        except ValueError as error:
            raise ValidationError(str(error)) from error

    def validate_expires(self, field: Any) -> None:
        if field.data not in LIVES:
            raise ValidationError(gettext("Choose when the key expires"))

    @property
    def summary(self) -> list[tuple[str, str]]:
        return [
            (self.ids_begin + self[name].name, str(sentences[0])) for name, sentences in self.errors.items()
        ]

    def expires_at(self, now: datetime) -> datetime | None:
        return now + timedelta(days=int(self.expires.data)) if self.expires.data else None


class KeyForm(NamedKeyForm):
    ids_begin = "key-"
    scopes = SelectMultipleField(choices=list(SCOPES), validate_choice=False, default=("pets:read",))

    def validate_scopes(self, field: Any) -> None:
        if not field.data or not set(field.data) <= set(SCOPES):
            raise ValidationError(gettext("Choose at least one permission"))


class PublishableKeyForm(NamedKeyForm):
    """The form of keys for web pages. Its fields have a prefix, because ``KeyForm`` is in the same page."""

    origins = StringField()
    from_programs = BooleanField()

    def __init__(self, *given: Any) -> None:
        super().__init__(*given, prefix="page-")

    def validate_origins(self, field: Any) -> None:
        try:
            read_origins(self.typed_origins, is_development())
        except Invalid as refusal:
            raise ValidationError(refusal.violations[0][1]) from refusal

    @property
    def typed_origins(self) -> list[str]:
        """The origins as typed, one in each line."""
        return (self.origins.data or "").replace(",", " ").split()


def is_development() -> bool:
    """Return whether the service runs on a developer's machine, where pages at ``localhost`` can use keys."""
    return bool(current_app.config["HOMEWARD"].environment == "development")

"""The forms by which people come in and change what is their own; ``fields`` has the rules."""

from wtforms import PasswordField, SelectField, StringField

from adoption.accounts import fields
from adoption.accounts.access import ROLES, STAFF
from portal.forms import Checked, by


def typed(text: str) -> str:
    """Whatever was typed, where a right or wrong is not for the form to tell."""
    return text


class SignUpForm(Checked):
    shelter = StringField(validators=by(fields.shelter))
    name = StringField(validators=by(fields.person))
    email = StringField(validators=by(fields.email))


class EmailForm(Checked):
    email = StringField(validators=by(fields.email))


class NewPasswordForm(Checked):
    password = PasswordField(validators=by(fields.password))


class JoinForm(Checked):
    name = StringField(validators=by(fields.person))
    password = PasswordField(validators=by(fields.password))


class NameForm(Checked):
    name = StringField(validators=by(fields.person))


class PasswordForm(Checked):
    old = PasswordField(validators=by(typed))
    password = PasswordField(validators=by(fields.password))


class InviteForm(Checked):
    email = StringField(validators=by(fields.email))
    role = SelectField(choices=list(ROLES), default=STAFF, validate_choice=False)

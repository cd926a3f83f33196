"""Forms of the sign-in pages and of a person's own page. Their rules are in ``fields``."""

from wtforms import PasswordField, SelectField, StringField

from adoption.accounts import validation
from adoption.accounts.access import ROLES, STAFF
from adoption.projects.validation import currency
from adoption.time_zones import time_zone_or_utc
from portal.forms import Checked, by


class SignUpForm(Checked):
    shelter = StringField(validators=by(validation.shelter))
    name = StringField(validators=by(validation.person))
    email = StringField(validators=by(validation.email))
    currency = StringField(validators=by(currency))
    time_zone = StringField(validators=by(time_zone_or_utc))
    """Filled by the browser; without its script the shelter chooses one on General."""


class EmailForm(Checked):
    email = StringField(validators=by(validation.email))


class NewPasswordForm(Checked):
    password = PasswordField(validators=by(validation.password))


class JoinForm(Checked):
    name = StringField(validators=by(validation.person))
    password = PasswordField(validators=by(validation.password))


class NameForm(Checked):
    name = StringField(validators=by(validation.person))


class InviteForm(Checked):
    email = StringField(validators=by(validation.email))
    role = SelectField(choices=list(ROLES), default=STAFF, validate_choice=False)

"""Forms of the sign-in pages and of a person's own page. Their rules are in ``fields``."""

from wtforms import PasswordField, SelectField, StringField

from adoption.accounts import validation
from adoption.accounts.access import ROLES, STAFF
from adoption.projects.validation import check_currency
from adoption.time_zones import time_zone_or_utc
from portal.forms import Checked, by


class SignUpForm(Checked):
    shelter = StringField(validators=by(validation.check_shelter_name))
    name = StringField(validators=by(validation.check_person_name))
    email = StringField(validators=by(validation.check_email))
    currency = StringField(validators=by(check_currency))
    time_zone = StringField(validators=by(time_zone_or_utc))
    """Filled by the browser; without its script the shelter chooses one on General."""


class AddressForm(Checked):
    email = StringField(validators=by(validation.check_email))


class NewPasswordForm(Checked):
    password = PasswordField(validators=by(validation.check_password))


class JoinForm(Checked):
    name = StringField(validators=by(validation.check_person_name))
    password = PasswordField(validators=by(validation.check_password))


class PersonNameForm(Checked):
    name = StringField(validators=by(validation.check_person_name))


class InviteForm(Checked):
    email = StringField(validators=by(validation.check_email))
    role = SelectField(choices=list(ROLES), default=STAFF, validate_choice=False)

"""Forms of the sign-in, account and team pages."""

from wtforms import BooleanField, PasswordField, SelectField, StringField

from adoption.accounts import validation
from adoption.accounts.permissions import ROLES, STAFF
from adoption.projects.validation import check_currency
from adoption.time_zones import time_zone_or_utc
from portal.base_form import CheckedForm, checked_by


class SignUpForm(CheckedForm):
    shelter = StringField(validators=checked_by(validation.check_shelter_name))
    name = StringField(validators=checked_by(validation.check_person_name))
    email = StringField(validators=checked_by(validation.check_email))
    currency = StringField(validators=checked_by(check_currency))
    time_zone = StringField(validators=checked_by(time_zone_or_utc))
    """The time zone, filled in by a script.

    Without it, the shelter chooses a time zone on the General page.
    """
    in_directory = BooleanField(default=True)


class AddressForm(CheckedForm):
    email = StringField(validators=checked_by(validation.check_email))


class NewPasswordForm(CheckedForm):
    password = PasswordField(validators=checked_by(validation.check_password))


class JoinForm(CheckedForm):
    name = StringField(validators=checked_by(validation.check_person_name))
    password = PasswordField(validators=checked_by(validation.check_password))


class PersonNameForm(CheckedForm):
    name = StringField(validators=checked_by(validation.check_person_name))


class InviteForm(CheckedForm):
    email = StringField(validators=checked_by(validation.check_email))
    role = SelectField(choices=list(ROLES), default=STAFF, validate_choice=False)

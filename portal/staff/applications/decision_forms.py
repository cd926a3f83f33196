"""Forms with the emails about a decision, each of which staff can edit or leave unsent."""

from typing import Any

from wtforms import BooleanField, StringField, TextAreaField

from adoption.orders import validation
from portal.base_form import CheckedForm


class DecisionEmailForm(CheckedForm):
    """The email about a decision, or the choice to send none."""

    tell = BooleanField()
    words = TextAreaField()

    def validate_words(self, field: Any) -> None:
        if self.tell.data:
            self.check(field, validation.check_email_text)


class EmailToOthersForm(CheckedForm):
    """The email to the other applicants once an animal is adopted, or the choice to send none."""

    tell_others = BooleanField()
    words_to_others = TextAreaField()

    def validate_words_to_others(self, field: Any) -> None:
        if self.tell_others.data:
            self.check(field, validation.check_email_text)


class DecisionForm(DecisionEmailForm, EmailToOthersForm):
    """The emails about a decision, and what the page showed."""

    known = StringField()
    """The other approved applications that the page showed, separated by spaces."""
    others = StringField()
    """``Others.fingerprint`` of the other applicants that the page showed."""

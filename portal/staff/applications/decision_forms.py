"""The forms of decisions about applications, with the emails that staff can edit or not send."""

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
    """The email to the other applicants for an adopted animal, or the choice to send none."""

    tell_others = BooleanField()
    words_to_others = TextAreaField()

    def validate_words_to_others(self, field: Any) -> None:
        if self.tell_others.data:
            self.check(field, validation.check_email_text)


class DecisionForm(DecisionEmailForm, EmailToOthersForm):
    """The emails about a decision, and the other applications that the page showed.

    If the other applications have changed since the page was loaded, nothing is decided.
    """

    known = StringField()
    """The references of the other approved applications that the page showed, separated by spaces."""
    others = StringField()
    """The fingerprint of the other applicants that the page showed."""

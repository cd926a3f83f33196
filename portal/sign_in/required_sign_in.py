"""Views that require sign-in."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import Response

from portal import current_user
from portal.sign_in import unsaved_forms

View = Callable[..., Response]


def sign_in_required(view: View) -> View:
    """Pass the signed-in user to a view as its first argument. Other visitors are asked to sign in."""

    @wraps(view)
    def guarded(**rest: Any) -> Response:
        who = current_user.current_person()
        return unsaved_forms.sign_in_first() if who is None else view(who, **rest)

    return guarded

"""The applications that the user has ticked in the inbox."""

from flask import request

from adoption.orders.applications_with_orders import Ref, check_case_count, parse_ref
from adoption.translations import message

NONE_CHOSEN = message("Tick at least one application first.")


def ticked_applications() -> list[tuple[Ref, str]]:
    """Return the ticked applications, each with the state that the inbox showed.

    Raises NotFound if a reference is malformed, and Invalid if too many are ticked.
    """
    found = (text.partition(":") for text in request.values.getlist("case"))
    chosen = list({parse_ref(ref): state for ref, _, state in found}.items())
    check_case_count(chosen)
    return chosen

"""How much may be sent, and where: photos and spreadsheets to the staff's pages, and little anywhere else."""

from flask import request

BODY_LARGEST = 65_536
UPLOAD_LARGEST = 32 * 1_048_576
UNSAVED_LARGEST = 524_288
"""What a sign-in form may carry: the values of a form whose session had ended."""


def are_staffs(path: str) -> bool:
    """Whether this is one of the staff's pages, which do more than others: lists, exports, photos."""
    return path.startswith("/projects/")


def largest_body(path: str) -> int:
    """Return the most bytes that are accepted in a request to this path."""
    if path in ("/sign-in", "/sign-in/passkey"):
        return UNSAVED_LARGEST
    return UPLOAD_LARGEST if are_staffs(path) else BODY_LARGEST


def limit_body() -> None:
    """Have a body that is too large rejected as such (413) when the form is read."""
    request.max_content_length = largest_body(request.path)

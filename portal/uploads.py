"""How much may be sent, and where: photos and spreadsheets to the staff's pages, and little anywhere else."""

BODY_LARGEST = 65_536
UPLOAD_LARGEST = 32 * 1_048_576


def are_staffs(path: str) -> bool:
    """Whether this is one of the staff's pages, which do more than others: lists, exports, photos."""
    return path.startswith("/projects/")


def largest_body(path: str) -> int:
    """Bytes that are taken of what is sent to this path."""
    return UPLOAD_LARGEST if are_staffs(path) else BODY_LARGEST

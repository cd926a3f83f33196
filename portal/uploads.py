"""How much may be sent, and where: photos and spreadsheets to the staff's pages, and little anywhere else."""

BODY_LARGEST = 65_536
UPLOAD_LARGEST = 32 * 1_048_576


def largest_body(path: str) -> int:
    """Bytes that are taken of what is sent to this path."""
    return UPLOAD_LARGEST if path.startswith("/projects/") else BODY_LARGEST

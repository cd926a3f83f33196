"""Password hashes: argon2id of the password in Unicode NFC."""

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from adoption.unicode_normalization import normal_form

PASSWORD_LONGEST = 200
BYTES_LONGEST = 4 * PASSWORD_LONGEST
"""The maximum size of a password in UTF-8. Longer texts are rejected without hashing."""

PASSWORDS = PasswordHasher(time_cost=2, memory_cost=19456, parallelism=1)
UNKNOWN_USER_HASH = (
    "$argon2id$v=19$m=19456,t=2,p=1$idA+s0OcH3GjvczS7GiMag$izxV67TjgX5P+tV4mG+u9uba7luU8zurGJuLShnwfwI"
)
"""The hash of an unknown password. An attempt for an unknown user is verified with this hash, so that the
duration reveals nothing."""


def hash_password(password: str) -> str:
    return PASSWORDS.hash(normalize_password(password))


def verify_password(password: str, password_hash: str) -> bool:
    if is_too_long(password):
        return False
    try:
        return PASSWORDS.verify(password_hash, normalize_password(password))
    except (Argon2Error, InvalidHashError):
        return False


def normalize_password(password: str) -> str:
    return normal_form("NFC", password)


def is_too_long(password: str) -> bool:
    """Return whether a text has more than ``BYTES_LONGEST`` bytes."""
    return len(password.encode("utf-8", "surrogatepass")) > BYTES_LONGEST

"""Passwords, kept as argon2id hashes of the letters they are, however a keyboard makes them."""

import unicodedata

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

PASSWORDS = PasswordHasher(time_cost=2, memory_cost=19456, parallelism=1)
NOBODY = PASSWORDS.hash("nobody has this password")
"""Tried where there is no such person, so that the time tells nothing."""


def hashed(password: str) -> str:
    return PASSWORDS.hash(normal(password))


def goes_with(password: str, password_hash: str) -> bool:
    try:
        return PASSWORDS.verify(password_hash, normal(password))
    except (Argon2Error, InvalidHashError):
        return False


def normal(password: str) -> str:
    return unicodedata.normalize("NFC", password)

"""Passwords, kept as argon2id hashes of the letters they are, however a keyboard makes them."""

import unicodedata

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

PASSWORDS = PasswordHasher(time_cost=2, memory_cost=19456, parallelism=1)
NOBODY = "$argon2id$v=19$m=19456,t=2,p=1$idA+s0OcH3GjvczS7GiMag$izxV67TjgX5P+tV4mG+u9uba7luU8zurGJuLShnwfwI"
"""Of a password that nobody knows; tried where there is no such person, so that the time tells nothing."""


def hashed(password: str) -> str:
    return PASSWORDS.hash(normal(password))


def goes_with(password: str, password_hash: str) -> bool:
    try:
        return PASSWORDS.verify(password_hash, normal(password))
    except (Argon2Error, InvalidHashError):
        return False


def normal(password: str) -> str:
    return unicodedata.normalize("NFC", password)

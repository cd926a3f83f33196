"""The format and verification of API keys.

A key is ``hw_``, the public id, ``_``, the secret and a checksum. The public id finds the row, and the secret
authenticates the caller. Because of the checksum, a mistyped key is rejected without a lookup, and secret
scanners can recognise keys. A publishable key, which web pages contain, begins with ``hwp_``.
"""

import re
import secrets
import string
import zlib
from collections.abc import Callable
from typing import NamedTuple

from adoption.token_hashes import hash_token

ALPHABET = string.digits + string.ascii_letters
PUBLIC_LENGTH = 12
SECRET_LENGTH = 32  # 190 bits: 62 possible characters
CHECKSUM_LENGTH = 6  # enough for a CRC-32
PUBLISHABLE_SECRET_LENGTH = 22  # 131 bits
PAIRS = [a + b for a in ALPHABET for b in ALPHABET]
"""All pairs of characters in a checksum."""


def key_pattern(prefix: str, secret_length: int) -> re.Pattern[str]:
    public, secret, check = (
        f"([0-9A-Za-z]{{{length}}})" for length in (PUBLIC_LENGTH, secret_length, CHECKSUM_LENGTH)
    )
    return re.compile(f"{prefix}{public}_{secret}{check}")


PREFIX, PUBLISHABLE_PREFIX = "hw_", "hwp_"
FORM = key_pattern(PREFIX, SECRET_LENGTH)
PUBLISHABLE_FORM = key_pattern(PUBLISHABLE_PREFIX, PUBLISHABLE_SECRET_LENGTH)

DEFAULT_SCOPES = ("pets:read", "pets:write", "orders:read")
"""The scopes of a key that is created without a list of scopes."""
DIRECTORY_READ = "directory:read"
"""The scope of the directory. A publishable key has only this scope."""
SCOPES = (*DEFAULT_SCOPES, DIRECTORY_READ)


class KeyParts(NamedTuple):
    public_id: str
    secret_hash: str


def new_public_id(choice: Callable[[str], str] = secrets.choice) -> str:
    return "".join(choice(ALPHABET) for _ in range(PUBLIC_LENGTH))


def generate_key(
    choice: Callable[[str], str] = secrets.choice,
    public_id: str | None = None,
    is_publishable: bool = False,
) -> tuple[str, KeyParts]:
    """Return a new key and its stored parts. A key that is not publishable is shown only once."""
    public_id = public_id or new_public_id(choice)
    prefix = PUBLISHABLE_PREFIX if is_publishable else PREFIX
    length = PUBLISHABLE_SECRET_LENGTH if is_publishable else SECRET_LENGTH
    secret = "".join(choice(ALPHABET) for _ in range(length))
    body = f"{prefix}{public_id}_{secret}"
    return body + checksum(body), KeyParts(public_id, hash_token(secret))


def read_key(text: str) -> KeyParts | None:
    """Return the parts of a key. Return None if the key's format or checksum is wrong."""
    found = (PUBLISHABLE_FORM if text.startswith(PUBLISHABLE_PREFIX) else FORM).fullmatch(text)
    if found is None or checksum(text[:-CHECKSUM_LENGTH]) != found[3]:
        return None
    return KeyParts(found[1], hash_token(found[2]))


def checksum(text: str) -> str:
    number, last = divmod(zlib.crc32(text.encode()), len(PAIRS))
    first, middle = divmod(number, len(PAIRS))
    return PAIRS[first] + PAIRS[middle] + PAIRS[last]

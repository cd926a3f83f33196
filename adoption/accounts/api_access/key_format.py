"""The format and verification of API keys.

A key is ``hw_``, the public id, ``_``, the secret and a checksum. The public id finds the row, and the secret
authenticates the caller. Because of the checksum, a mistyped key is rejected without a lookup, and secret
scanners can recognise keys.
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
PAIRS = [a + b for a in ALPHABET for b in ALPHABET]
"""All pairs of characters in a checksum."""
FORM = re.compile(
    rf"hw_([0-9A-Za-z]{{{PUBLIC_LENGTH}}})_([0-9A-Za-z]{{{SECRET_LENGTH}}})([0-9A-Za-z]{{{CHECKSUM_LENGTH}}})"
)

SCOPES = ("pets:read", "pets:write", "orders:read")


class KeyParts(NamedTuple):
    public_id: str
    secret_hash: str


def new_public_id(choice: Callable[[str], str] = secrets.choice) -> str:
    return "".join(choice(ALPHABET) for _ in range(PUBLIC_LENGTH))


def generate_key(
    choice: Callable[[str], str] = secrets.choice, public_id: str | None = None
) -> tuple[str, KeyParts]:
    """Return a new key, which is shown only once, and its stored parts."""
    public_id = public_id or new_public_id(choice)
    secret = "".join(choice(ALPHABET) for _ in range(SECRET_LENGTH))
    body = f"hw_{public_id}_{secret}"
    return body + checksum(body), KeyParts(public_id, hash_token(secret))


def read_key(text: str) -> KeyParts | None:
    """Return the parts of a key. Return None if the key's format or checksum is wrong."""
    found = FORM.fullmatch(text)
    if found is None or checksum(text[:-CHECKSUM_LENGTH]) != found[3]:
        return None
    return KeyParts(found[1], hash_token(found[2]))


def checksum(text: str) -> str:
    number, last = divmod(zlib.crc32(text.encode()), len(PAIRS))
    first, middle = divmod(number, len(PAIRS))
    return PAIRS[first] + PAIRS[middle] + PAIRS[last]

"""Hashes of random secrets. The hashes are stored in place of the secrets."""

import hashlib


def hash_token(token: str) -> str:
    # Secrets of 190 random bits cannot be guessed, so a slow hash would only slow down each request.
    return hashlib.sha256(token.encode()).hexdigest()

"""Secrets that machines make up: what is kept of each is its hash."""

import hashlib


def hash_of(token: str) -> str:
    # 190 random bits and more cannot be guessed, so a slow hash would only slow each request.
    return hashlib.sha256(token.encode()).hexdigest()

"""Encryption of stored private keys."""

from collections.abc import Sequence

from cryptography.fernet import Fernet, InvalidToken, MultiFernet


class KeyLost(Exception):
    """A private key cannot be decrypted, because the settings no longer contain its encryption key."""


class Vault:
    """A cipher that encrypts with the first key and decrypts with any key, so that keys can be rotated."""

    def __init__(self, keys: Sequence[str]) -> None:
        self.fernet = MultiFernet([Fernet(key) for key in keys])

    def seal(self, text: str) -> str:
        return self.fernet.encrypt(text.encode()).decode()

    def open(self, sealed: str) -> str:
        """Return the decrypted text. Raises KeyLost if no encryption key fits."""
        try:
            return self.fernet.decrypt(sealed.encode()).decode()
        except InvalidToken as error:
            raise KeyLost from error

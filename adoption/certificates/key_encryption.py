"""Private keys at rest."""

from collections.abc import Sequence

from cryptography.fernet import Fernet, InvalidToken, MultiFernet


class KeyLost(Exception):
    """What was sealed cannot be opened: the key that sealed it is no longer among the settings."""


class Vault:
    """Seals with the first key, and opens with each of them: so keys are changed one after the other."""

    def __init__(self, keys: Sequence[str]) -> None:
        self.fernet = MultiFernet([Fernet(key) for key in keys])

    def seal(self, text: str) -> str:
        return self.fernet.encrypt(text.encode()).decode()

    def open(self, sealed: str) -> str:
        """Raises KeyLost."""
        try:
            return self.fernet.decrypt(sealed.encode()).decode()
        except InvalidToken as error:
            raise KeyLost from error

"""Parsers of secret settings. Some secrets are generated at the first start and stored in the instance's
folder."""

import base64
import contextlib
import os
import secrets
from pathlib import Path
from typing import NamedTuple

from adoption.errors import SettingRefused
from adoption.settings_parsing import PREFIX

LEAST_HMAC_BYTES = 16
"""The minimum bytes of an HMAC key. Authorities issue keys of 32 bytes or more, so a much shorter key was not
copied completely."""


def parse_secret_key(text: str) -> str:
    if len(text) < 32:
        raise ValueError("must have 32 characters or more.")
    return text


def default_secret_key(instance: Path, environment: str) -> str:
    """Return the key in ``instance``. Outside production, the first start generates the key."""
    if environment == "production":
        raise SettingRefused(f"{PREFIX}SECRET_KEY is required when {PREFIX}ENVIRONMENT=production.")
    key = read_or_make_secret(instance / "secret_key", secrets.token_urlsafe(48))
    if len(key) < 32:
        raise SettingRefused(
            f"The {PREFIX}SECRET_KEY in {instance / 'secret_key'} is too short. Remove that file."
        )
    return key


def parse_certificate_keys(
    text: str, has_authority: bool, instance: Path, environment: str
) -> tuple[str, ...]:
    """Return the keys. With an authority, at least one key is required. Outside production, a missing key is
    generated."""
    keys = tuple(filter(None, map(str.strip, text.split(","))))
    if not keys and has_authority:
        if environment == "production":
            raise SettingRefused(
                f"{PREFIX}CERTIFICATE_KEY is required when {PREFIX}ENVIRONMENT=production "
                f"and {PREFIX}ACME_DIRECTORY is set."
            )
        fresh = base64.urlsafe_b64encode(secrets.token_bytes(32)).decode()
        keys = (read_or_make_secret(instance / "certificate_key", fresh),)
    if not all(map(is_fernet_key, keys)):
        # The value is not in the error: it is a secret.
        raise ValueError(
            "must be a Fernet key (32 bytes in URL-safe base64), or several Fernet keys "
            "separated by commas, the newest first."
        )
    return keys


class ExternalAccount(NamedTuple):
    """The account at the authority's website to which our ACME account is bound (RFC 8555, 7.3.4)."""

    key_id: str
    hmac_key: str
    """The HMAC key in URL-safe base64."""


def parse_external_account(hmac_key: str, key_id: str) -> ExternalAccount | None:
    if bool(key_id) != bool(hmac_key):
        raise SettingRefused(
            f"{PREFIX}ACME_EAB_KEY_ID and {PREFIX}ACME_EAB_HMAC_KEY must be set together: "
            "the authority's website shows both."
        )
    if not key_id:
        return None
    # The standard alphabet and the padding are accepted, because some websites show the key with them.
    plain = hmac_key.rstrip("=").replace("+", "-").replace("/", "_")
    try:
        key = base64.b64decode(plain + "=" * (-len(plain) % 4), altchars=b"-_", validate=True)
    except ValueError:
        key = b""
    if len(key) < LEAST_HMAC_BYTES:
        # The value is not in the error: it is a secret.
        raise ValueError(
            "must be the HMAC key that the authority's website shows, "
            f"{LEAST_HMAC_BYTES} bytes or more in URL-safe base64."
        )
    return ExternalAccount(key_id, plain)


def is_fernet_key(text: str) -> bool:
    try:
        return len(base64.b64decode(text, altchars=b"-_", validate=True)) == 32
    except ValueError:
        return False


def read_or_make_secret(file: Path, fresh: str) -> str:
    """Return the secret in the file. If the file does not exist, write ``fresh`` to it first."""
    try:
        if not file.exists():
            # The file appears with its complete content, because another process may read it immediately.
            own = file.with_name(f"{file.name}.{os.getpid()}")
            with os.fdopen(os.open(own, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as opened:
                opened.write(fresh)
            with contextlib.suppress(FileExistsError):
                file.hardlink_to(own)
            own.unlink()
        return file.read_text()
    except OSError as error:
        raise SettingRefused(
            f"{PREFIX}INSTANCE must be a folder that can be written: {file.parent} ({error.strerror})."
        ) from error

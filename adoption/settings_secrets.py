"""Secrets among the settings: given, or made on the first start and kept in the instance's folder."""

import base64
import contextlib
import os
import secrets
from pathlib import Path
from typing import NamedTuple

from adoption.errors import SettingRefused
from adoption.settings_parsing import PREFIX

LEAST_HMAC_BYTES = 16
"""Authorities hand out 32 and more. A shorter key was not copied whole."""


def secret_key(given: str | None, instance: Path, environment: str) -> str:
    """The given key, or outside production one that is made on the first start and kept in ``instance``."""
    if given:
        if len(given) < 32:
            raise SettingRefused(f"{PREFIX}SECRET_KEY must have 32 characters or more.")
        return given
    if environment == "production":
        raise SettingRefused(f"{PREFIX}SECRET_KEY is required when {PREFIX}ENVIRONMENT=production.")
    key = kept_secret(instance / "secret_key", secrets.token_urlsafe(48))
    if len(key) < 32:
        raise SettingRefused(
            f"{PREFIX}SECRET_KEY is kept in {instance / 'secret_key'}, which is too short. Remove that file."
        )
    return key


def certificate_keys(given: str, needed: bool, instance: Path, environment: str) -> tuple[str, ...]:
    """The given keys; where none is needed, none, and outside production one that is kept as above."""
    keys = tuple(filter(None, map(str.strip, given.split(","))))
    if not keys and needed:
        if environment == "production":
            raise SettingRefused(
                f"{PREFIX}CERTIFICATE_KEY is required when {PREFIX}ENVIRONMENT=production "
                f"and {PREFIX}ACME_DIRECTORY is set."
            )
        fresh = base64.urlsafe_b64encode(secrets.token_bytes(32)).decode()
        keys = (kept_secret(instance / "certificate_key", fresh),)
    if not all(map(is_fernet_key, keys)):
        # Not repeated: it is a secret.
        raise SettingRefused(
            f"{PREFIX}CERTIFICATE_KEY must be a Fernet key, 32 bytes in URL-safe base64; several with "
            "commas, the newest first."
        )
    return keys


class ExternalAccount(NamedTuple):
    """An account at the authority's website, which our ACME account is bound to (RFC 8555, 7.3.4)."""

    key_id: str
    hmac_key: str
    """URL-safe base64."""


def external_account(key_id: str, hmac_key: str) -> ExternalAccount | None:
    names = f"{PREFIX}ACME_EAB_KEY_ID and {PREFIX}ACME_EAB_HMAC_KEY"
    if bool(key_id) != bool(hmac_key):
        raise SettingRefused(f"{names} must be set together: the authority's website shows both.")
    if not key_id:
        return None
    # The standard alphabet and the padding are accepted, because some websites show the key in that form.
    plain = hmac_key.rstrip("=").replace("+", "-").replace("/", "_")
    try:
        key = base64.b64decode(plain + "=" * (-len(plain) % 4), altchars=b"-_", validate=True)
    except ValueError:
        key = b""
    if len(key) < LEAST_HMAC_BYTES:
        # Not repeated: it is a secret.
        raise SettingRefused(
            f"{PREFIX}ACME_EAB_HMAC_KEY must be the HMAC key that the authority's website shows, "
            f"{LEAST_HMAC_BYTES} bytes or more in URL-safe base64."
        )
    return ExternalAccount(key_id, plain)


def is_fernet_key(text: str) -> bool:
    try:
        return len(base64.b64decode(text, altchars=b"-_", validate=True)) == 32
    except ValueError:
        return False


def kept_secret(file: Path, fresh: str) -> str:
    """What the file holds; on the first start that is ``fresh``."""
    try:
        if not file.exists():
            # Complete from the start: another process may read it at once.
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

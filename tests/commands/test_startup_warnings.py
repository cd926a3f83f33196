"""Warnings at the start about settings that do not fit together."""

from typing import Any

import pytest

from adoption.commands.startup_warnings import warnings_of
from adoption.settings import Settings

pytestmark = pytest.mark.settings("embedded")

LETS_ENCRYPT = "https://acme-v02.api.letsencrypt.org/directory"
GOOGLE = "https://dv.acme-v02.api.pki.goog/directory"
OTHER = "https://ca.example/directory"
EDGE = ("127.0.0.1", 443)
ORDERS: dict[str, Any] = {"acme_directory": LETS_ENCRYPT, "edge": EDGE}
PRODUCTION: dict[str, Any] = {
    "environment": "production",
    "platform_host": "homeward.example",
    "mail_url": "smtp://mail.example",
    "operator_email": "you@homeward.example",
    "trusted_proxies": ("127.0.0.1",),
}


def warned(settings: Settings, known: dict[str, Any], environ: dict[str, str] | None = None) -> str:
    return "\n".join(warnings_of(settings.model_copy(update=known), environ or {}))


@pytest.mark.parametrize(
    ("known", "words"),
    [
        (ORDERS | {"acme_directory": OTHER}, "HOMEWARD_ACME_DIRECTORY is at ca.example, but"),
        (ORDERS | {"acme_directory": GOOGLE}, "Set HOMEWARD_CAA_ISSUERS to pki.goog."),
        (ORDERS | {"acme_directory": "https://notletsencrypt.org/"}, "is at notletsencrypt.org, but"),
        (ORDERS | {"caa_issuers": ("pki.goog",)}, "HOMEWARD_CAA_ISSUERS lacks letsencrypt.org"),
        ({"edge": EDGE}, "HOMEWARD_EDGE has no effect"),
        (PRODUCTION | {"acme_directory": LETS_ENCRYPT}, "HOMEWARD_EDGE is not set"),
        (
            PRODUCTION
            | ORDERS
            | {"acme_directory": "https://acme-staging-v02.api.letsencrypt.org/directory"},
            "Browsers reject its certificates",
        ),
        (PRODUCTION | {"mail_url": "file:///srv/mail"}, "Emails are kept in /srv/mail and not sent"),
        (PRODUCTION | {"operator_email": ""}, "HOMEWARD_OPERATOR_EMAIL is not set"),
        (PRODUCTION | {"trusted_proxies": ()}, "HOMEWARD_TRUSTED_PROXIES is not set"),
        (PRODUCTION | {"platform_host": "localhost:8000"}, "must be a name in public DNS"),
        (PRODUCTION | {"platform_host": "203.0.113.7"}, "must be a name in public DNS"),
    ],
)
def test_a_mismatch_is_one_warning(settings: Settings, known: dict[str, Any], words: str) -> None:
    [sentence] = warnings_of(settings.model_copy(update=known), {})
    assert words in sentence


@pytest.mark.parametrize("known", [{}, ORDERS, PRODUCTION, PRODUCTION | ORDERS])
def test_consistent_settings_cause_no_warning(settings: Settings, known: dict[str, Any]) -> None:
    assert warned(settings, known) == ""


def test_the_default_issuer_with_another_authority_causes_no_warning(settings: Settings) -> None:
    known = ORDERS | {"acme_directory": OTHER}
    assert warned(settings, known, {"HOMEWARD_CAA_ISSUERS": "letsencrypt.org"}) == ""
    assert warned(settings, known, {"HOMEWARD_CAA_ISSUERS": " "}) != "", "an empty setting is not set"


@pytest.mark.parametrize(
    ("address", "is_warned"),
    [
        ("127.0.0.1", False),
        ("10.0.0.7", False),
        ("::1", False),
        ("0.0.0.0", True),
        ("::", True),
        ("8.8.8.8", True),
    ],
)
def test_a_certificate_listener_open_to_others_is_a_warning(
    settings: Settings, address: str, is_warned: bool
) -> None:
    known = {"internal_listen": (address, 8001)}
    assert warned(settings, known) == "", "without an authority there is no listener"
    assert (f"reaches {address} at port 8001" in warned(settings, known | ORDERS)) is is_warned

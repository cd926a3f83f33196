"""Emails to owners about failed orders."""

from datetime import timedelta

from adoption.certificates import email_templates
from adoption.certificates.email_templates import Failure
from tests.factories import NOW

HOST = "adopt.xn--bcher-kva.example"


def failed_email(code: str, days_left: int = 0) -> str:
    not_after = NOW + timedelta(days=days_left) if days_left else None
    subject, text = email_templates.failed_email(
        Failure(HOST, code, "No.", NOW + timedelta(hours=1), not_after)
    )
    return f"{subject}\n{' '.join(text.split())}"


def test_the_email_about_a_failure_quotes_the_authority_and_says_what_to_do() -> None:
    text = failed_email("caa")
    assert text.startswith("No certificate for adopt.bücher.example yet")
    assert "Let's Encrypt, which issues our certificates, says: No." in text
    assert "Allow Let's Encrypt in the CAA records of your domain" in text
    assert "visitors reach your site by http:// only" in text
    assert "next on 28 November 2026 at 01:00 UTC" in text


def test_errors_of_the_service_are_not_quoted_as_the_authoritys() -> None:
    assert "says" not in failed_email("keyLost")


def test_a_failed_renewal_says_when_the_current_certificate_expires() -> None:
    text = failed_email("dns", days_left=20)
    assert text.startswith("The certificate of adopt.bücher.example could not be renewed")
    assert (
        "The current certificate is valid until 18 December 2026. Visitors notice nothing until then" in text
    )


def test_a_failure_before_the_dns_switch_does_not_mention_visitors() -> None:
    _, text = email_templates.failed_email(Failure(HOST, "caa", "no", NOW, None, leads_here=False))
    text = " ".join(text.split())
    assert "The domain still shows your current website. Do not change its DNS yet." in text
    assert "http:// only" not in text

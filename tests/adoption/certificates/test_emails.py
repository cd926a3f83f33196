"""What owners read of a certificate that does not come: whose words they are, and what to do."""

from datetime import timedelta

from adoption.certificates import emails
from tests.factories import NOW

HOST = "adopt.xn--bcher-kva.example"


def failed(code: str, days_left: int = 0) -> str:
    not_after = NOW + timedelta(days=days_left) if days_left else None
    subject, text = emails.failed_email(HOST, code, "No.", NOW + timedelta(hours=1), not_after)
    return f"{subject}\n{' '.join(text.split())}"


def test_the_authority_is_quoted_and_the_mend_is_told() -> None:
    text = failed("caa")
    assert text.startswith("No certificate for adopt.bücher.example yet")
    assert "Let's Encrypt, which issues our certificates, says: No." in text
    assert "Allow Let's Encrypt in the CAA records of your domain" in text
    assert "visitors reach your site by http:// only" in text
    assert "next on 28 November 2026 at 01:00 UTC" in text


def test_what_is_not_the_authoritys_is_not_put_into_its_mouth() -> None:
    assert "says" not in failed("keyLost")


def test_a_renewal_that_fails_says_how_long_the_old_one_is_good() -> None:
    text = failed("dns", days_left=20)
    assert text.startswith("The certificate of adopt.bücher.example could not be renewed")
    assert "The current one is valid until 18 December 2026. Visitors notice nothing until then" in text


def test_a_failure_before_the_switch_does_not_speak_of_visitors() -> None:
    _, text = emails.failed_email(HOST, "caa", "no", NOW, None, leads_here=False)
    text = " ".join(text.split())
    assert "The domain still shows your current website. Do not change its DNS yet." in text
    assert "http:// alone" not in text

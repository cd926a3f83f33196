"""Emails to the owners about their domains. Each function returns a subject and a text."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.accounts.access import OWNER
from adoption.accounts.models import Member, User
from adoption.domains.names import shown
from adoption.domains.records import Report
from adoption.mail import outbox
from adoption.mail.wording import letter

Email = tuple[str, str]


def verified(host: str, project: str) -> Email:
    name = shown(host)
    return f"{name} leads to your site now", letter(
        f"DNS for {name} is correct. Visitors who enter it see the site of {project}, if that is published.",
        "There is nothing more to do. If the domain ever leads elsewhere, we email you.",
    )


def moved(host: str, project: str, report: Report) -> Email:
    name = shown(host)
    hints = " ".join(record.hint for record in report.records if record.ok is False)
    return f"{name} no longer leads to your site", letter(
        f"We checked DNS for {name} again, and it no longer leads to the site of {project}. Visitors who "
        "still reach us see the site as before.",
        hints,
        "If you moved it on purpose, remove the domain under Settings, Domains.",
    )


def forbidden(host: str, report: Report) -> Email:
    name = shown(host)
    return f"A CAA record blocks the certificate for {name}", letter(
        f"We checked DNS for {name} again. A CAA record now forbids the certificate authority to issue a "
        "certificate for it. An existing certificate is used until it expires.",
        report.caa.hint,
        "Once that is fixed, we notice it automatically.",
    )


def unresolved(host: str, hint: str) -> Email:
    name = shown(host)
    return f"DNS servers refuse {name}", letter(
        f"We checked DNS for {name} again. Your record is there, but many visitors cannot reach your site.",
        hint,
        "Once that is fixed, we notice it automatically.",
    )


def unanswered(host: str) -> Email:
    name = shown(host)
    return f"The name servers of {name} do not answer", letter(
        f"For a week, the name servers of {name} have not answered us. Many visitors probably cannot reach "
        "your site there. Nothing has changed in your settings here.",
        "The registration of the domain may have expired, or your DNS provider may have closed the zone. "
        "Sign in at your provider and check both.",
        "Once the name servers answer again, we notice it automatically.",
    )


def claimed(host: str, until: str) -> Email:
    """Return the email to the owners of an earlier claim. Until that date, later ones need a proof."""
    name = shown(host)
    return f"Someone else added {name}", letter(
        f"Another account added {name} to its site here. You added the domain first, and nothing has changed "
        "for your site.",
        f"If the domain is yours, add the DNS record that is shown under Settings, Domains, then press "
        f"Verify. Your claim comes first until {until}. After that, the other account can connect the domain "
        "if its DNS leads here.",
        "If the domain is not yours, you do not have to do anything.",
    )


def handed_over(host: str) -> Email:
    name = shown(host)
    return f"{name} belongs to another site now", letter(
        f"Another account added {name} to its site, and proved with a DNS record that the domain is its own. "
        "The domain was removed from your list, and your site is no longer shown there.",
        "If the domain is yours, check who can edit its DNS. Then add it again under Settings, Domains, and "
        "add the DNS record that we show you there.",
    )


def write_to_owners(session: Session, account_id: int, email: Email) -> None:
    """Put the email into the outbox for every owner of the account."""
    owners = (
        select(User.email)
        .join(Member, Member.user_id == User.id)
        .where(Member.account_id == account_id, Member.role == OWNER)
    )
    for address in session.scalars(owners):
        outbox.write(session, address, *email)

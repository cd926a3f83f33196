"""What is written to the owners about their domains. Each gives a subject and a text."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.accounts.access import OWNER
from adoption.accounts.models import Member, User
from adoption.domains.checks import Report
from adoption.domains.names import shown
from adoption.mail import outbox
from adoption.mail.wording import letter

Letter = tuple[str, str]


def verified(host: str, project: str) -> Letter:
    name = shown(host)
    return f"{name} leads to your site now", letter(
        f"DNS for {name} is right: visitors who enter it see the site of {project}, as long as that is "
        "published.",
        "There is nothing more to do. If the domain ever leads elsewhere, we write to you.",
    )


def moved(host: str, project: str, report: Report) -> Letter:
    name = shown(host)
    told = " ".join(record.hint for record in report.records if record.ok is False)
    return f"{name} no longer leads to your site", letter(
        f"We looked at DNS for {name} once more, and it does not lead to the site of {project} any more. "
        "Where it still reaches us the site is shown as before.",
        told,
        "If you moved it on purpose, remove the domain under Settings, Domains.",
    )


def forbidden(host: str, report: Report) -> Letter:
    name = shown(host)
    return f"A CAA record keeps {name} from its certificate", letter(
        f"We looked at DNS for {name} once more, and a CAA record forbids the certificate authority to issue "
        "for it now. A certificate that is there goes on being used until it ends.",
        report.caa.hint,
        "As soon as that is right, we see it by ourselves.",
    )


def claimed(host: str, until: str) -> Letter:
    """Return the email to the owners of an earlier claim, which goes first until that date."""
    name = shown(host)
    return f"Someone else added {name}", letter(
        f"Another account added {name} to its site here. You added the domain first, and your site did not "
        "change.",
        f"If the domain is yours, add the DNS record that Settings, Domains shows you, then press Verify. "
        f"You go first until {until}. After that, the other account can connect the domain if its DNS leads "
        "here.",
        "If the domain is not yours, you do not have to do anything.",
    )


def handed_over(host: str) -> Letter:
    name = shown(host)
    return f"{name} belongs to another site now", letter(
        f"Somebody with another account added {name} to their site, and showed by a record in the DNS of the "
        "domain that it is theirs. It is gone from your list, and your site is not shown there any more.",
        "If the domain is yours, look at who can edit its DNS. Then add it again under Settings, Domains: "
        "you are told a record of your own by which it comes back.",
    )


def write_to_owners(session: Session, account_id: int, told: Letter) -> None:
    """Put the letter into the outbox for every owner of the account."""
    owners = (
        select(User.email)
        .join(Member, Member.user_id == User.id)
        .where(Member.account_id == account_id, Member.role == OWNER)
    )
    for address in session.scalars(owners):
        outbox.write(session, address, *told)

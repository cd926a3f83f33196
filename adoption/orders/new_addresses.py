"""How many addresses a shelter's applications may be confirmed to in a day.

An application is confirmed to whatever address is typed, with the names of the animal and of the shelter. A
new account could have such emails sent to anyone.
"""

from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.accounts.models import Account
from adoption.accounts.throttles import DAY, Throttle
from adoption.mail.mailboxes import mailbox_of
from adoption.projects.models import Project

A_DAY = {"free": 200, "pro": 1_000, "business": 5_000, "enterprise": 20_000}
YOUNG = timedelta(days=7)
"""How long an account is new. It may write to a fifth of its plan's addresses."""
SEEN_TODAY = Throttle("application-mailboxes", 1, DAY)


def why_no_email(session: Session, project_id: int, email: str, now: datetime) -> str:
    """Count an address, and return why it is not written to today, as a sentence for the staff, or ""."""
    account = session.scalars(
        select(Account).join(Project, Project.account_id == Account.id).where(Project.id == project_id)
    ).one()
    most = A_DAY[account.plan] // (5 if now - account.created_at < YOUNG else 1)
    if not SEEN_TODAY.take(f"{account.id} {mailbox_of(email)}", now.timestamp()):
        return ""
    addresses = Throttle("application-addresses", most, DAY)
    if addresses.take(str(account.id), now.timestamp()):
        return ""
    SEEN_TODAY.give_back(f"{account.id} {mailbox_of(email)}", now.timestamp())
    return f"Applications from {most} new addresses have been confirmed today. Release it tomorrow."

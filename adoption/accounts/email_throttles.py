"""Limits on emails that anyone can trigger, and on emails from an account to new addresses.

Invitations and confirmations of applications go to any typed address, and contain texts of the account.
Without limits, a new account could send such emails to anyone.
"""

from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.accounts.models import Account
from adoption.accounts.quotas.throttles import DAY, HOUR, Throttle
from adoption.projects.models import Project
from adoption.translations import gettext, message

FROM_ONE_ADDRESS = Throttle(
    "mail-senders",
    30,
    HOUR,
    message("Too many emails were requested from your network. Wait {wait}, then try again."),
)
"""The limit on emails that one network address triggers."""

SIGN_UPS, PASSWORD_RESETS, INVITATION_REMINDERS, EMAIL_CHANGES, EMAIL_CHANGE_NOTICES = (
    Throttle(f"mails-{purpose}", 4, HOUR)
    for purpose in ("sign-up", "password", "sign-in", "email", "email-notice")
)
"""The limits on emails to one mailbox, one limit for each purpose. Above a limit no email is sent, and the
page does not show that."""

ADDRESSES_A_DAY = {"free": 200, "pro": 1_000, "business": 5_000, "enterprise": 20_000}
YOUNG = timedelta(days=7)
"""The age below which an account is new. A new account can email a fifth of the addresses that its plan
allows."""
SEEN_TODAY = Throttle("account-mailboxes", 1, DAY)


def mailbox_of(email: str) -> str:
    """Return an address without its tag, for counting. ``sam+1@`` and ``sam+2@`` are one mailbox."""
    local, at, domain = email.lower().rpartition("@")
    return f"{local.partition('+')[0]}{at}{domain}"


class AddressAllowance(NamedTuple):
    """The result of counting an address to which an account sends an email."""

    most: int
    """The maximum of new addresses that the account is allowed to email in a day."""
    is_full: bool
    """Whether the account has reached the maximum for today."""
    is_new: bool
    """Whether the account has not yet emailed this address today."""

    @property
    def may_be_emailed(self) -> bool:
        return not (self.is_full and self.is_new)


def use_address_allowance(account: Account, email: str, now: datetime) -> AddressAllowance:
    """Count an address for today, unless the address was counted today or the limit is reached."""
    most, at = daily_limit(account, now), now.timestamp()
    mailbox, addresses = f"{account.id} {mailbox_of(email)}", daily_throttle(most)
    is_new = SEEN_TODAY.take(mailbox, at)
    has_room = addresses.take(str(account.id), at)
    if has_room and not is_new:
        addresses.give_back(str(account.id), at)
    if is_new and not has_room:
        SEEN_TODAY.give_back(mailbox, at)
    return AddressAllowance(most, not has_room, is_new)


def daily_limit(account: Account, now: datetime) -> int:
    return ADDRESSES_A_DAY[account.plan] // (5 if now - account.created_at < YOUNG else 1)


def daily_throttle(most: int) -> Throttle:
    return Throttle(
        "account-addresses",
        most,
        DAY,
        gettext(
            "Your account has emailed %(number)s new addresses today, which is the daily "
            "limit. Try again tomorrow.",
            number=most,
        ),
    )


def account_of_project(session: Session, project_id: int) -> Account:
    owned = select(Account).join(Project, Project.account_id == Account.id).where(Project.id == project_id)
    return session.scalars(owned).one()

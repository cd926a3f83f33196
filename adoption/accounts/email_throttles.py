"""Limits on the emails that anyone can trigger, so that nobody's mailbox is flooded in our name."""

from adoption.accounts.throttles import HOUR, Throttle

FROM_ONE_ADDRESS = Throttle(
    "mail-senders",
    30,
    HOUR,
    "Too many emails were requested from your network. Wait {wait}, then try again.",
)
"""Emails that a network address triggers."""

SIGN_UPS, PASSWORD_RESETS, INVITATION_REMINDERS, EMAIL_CHANGES, EMAIL_CHANGE_NOTICES = (
    Throttle(f"mails-{purpose}", 4, HOUR)
    for purpose in ("sign-up", "password", "sign-in", "email", "email-notice")
)
"""Emails of one purpose to one mailbox. Beyond the limit none is sent, and no page shows the difference."""

"""What is written to people about how they come in. Each gives a subject and a text.

Whoever enters an address need not be its owner, so nothing that was typed in stands here, but for the name of
a shelter in an invitation, whose sender is signed in and known.
"""

from adoption.mail.messages import one_line
from adoption.mail.wording import letter

IGNORE = "If that was not you, somebody mistyped their address: ignore this mail, and nothing happens."
Letter = tuple[str, str]


def confirmation(link: str) -> Letter:
    return "Finish signing up to Homeward", letter(
        "You, or somebody who gave this address, would like to keep a shelter's animals at Homeward.",
        "To go on, choose a password here. The link is good for a day:",
        link,
        IGNORE,
    )


def known_already(sign_in: str, forgotten: str) -> Letter:
    return "You have a Homeward account already", letter(
        "You, or somebody who gave this address, tried to sign up to Homeward. There is an account with this "
        "address already, so no other was made. Sign in here:",
        sign_in,
        "If you have forgotten the password, or never had one, ask for a new one here:",
        forgotten,
        IGNORE,
    )


def reset(link: str) -> Letter:
    return "Choose a new password for Homeward", letter(
        "You, or somebody who gave this address, asked for a new password.",
        "Choose it here. The link is good for an hour, and works once:",
        link,
        "If that was not you, ignore this mail: your password stays as it is.",
    )


def unknown(sign_up: str) -> Letter:
    return "No Homeward account has this address", letter(
        "You, or somebody who gave this address, asked for a new password at Homeward. No account has this "
        "address. If you have one, it is with another address of yours.",
        "If you have none yet, you can sign up here:",
        sign_up,
        IGNORE,
    )


def changed(forgotten: str) -> Letter:
    return "Your Homeward password was changed", letter(
        "Your password was changed just now, and all browsers that were signed in before are signed out.",
        "If that was not you, ask for a new password at once:",
        forgotten,
    )


def passkey_added(account: str) -> Letter:
    return "A passkey was added to your Homeward account", letter(
        "A passkey was added to your account just now. Whoever holds it can sign in as you, also after you "
        "have chosen a new password.",
        "If that was not you, remove it here, and then choose a new password:",
        account,
    )


def invitation(shelter: str, inviter: str, link: str) -> Letter:
    name = one_line(shelter)
    return f"{name} invites you to Homeward", letter(
        f"{inviter} invites you to look after the animals of {name} at Homeward.",
        "Accept the invitation here. The link is good for 7 days, and works once:",
        link,
        f"If you do not know {name}, ignore this mail, and nothing happens.",
    )

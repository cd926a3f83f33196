"""Emails about accounts. Each function returns a subject and a text.

Anyone can enter an address that is not theirs, so these emails repeat nothing that a stranger typed. The
exceptions are a shelter's name in a confirmation, if it is clearly only a name, and in emails that signed-in
colleagues cause.
"""

import re

from adoption.mail.mime import header_text
from adoption.mail.text_layout import Email, join_lines, join_paragraphs
from adoption.text_joining import listed

IGNORE = "If that was not you, someone mistyped their address: ignore this email and nothing will happen."
RESET_HERE = "Choose a new password here. The link works once, for one hour:"

PLAIN_NAME = re.compile(r"(?!.*\d.*\d.*\d)(?:[\w '\u2019&,()-]|\.(?=[ ]|$)){1,60}")
"""A name that cannot carry a link, an address or a phone number."""


def sign_up_confirmation(link: str, shelter: str) -> Email:
    named = f" {shelter}" if PLAIN_NAME.fullmatch(shelter) else " a shelter"
    return "Finish signing up to Homeward", join_paragraphs(
        f"Someone used this address to sign{named} up to Homeward.",
        "Choose a password to finish signing up. The link works for 24 hours:",
        link,
        IGNORE,
    )


def already_registered(sign_in: str, forgotten: str) -> Email:
    return "You already have a Homeward account", join_paragraphs(
        "Someone used this address to sign up to Homeward. You already have an account with it. Sign "
        "in here:",
        sign_in,
        "If you forgot the password, or never had one, reset it here:",
        forgotten,
        IGNORE,
    )


def password_reset(link: str) -> Email:
    return "Reset your Homeward password", join_paragraphs(
        "Someone asked to reset the password of your Homeward account.",
        RESET_HERE,
        link,
        "If that was not you, ignore this email. Your password stays the same.",
    )


def password_reset_by_owner(shelter: str, owner: str, link: str) -> Email:
    name = header_text(shelter)
    return "Reset your Homeward password", join_paragraphs(
        f"{owner}, an owner of {name}, sent you this link so that you can sign in again.",
        RESET_HERE,
        link,
        "If you can sign in, ignore this email. Your password stays the same.",
    )


def unknown_address(sign_up: str) -> Email:
    return "No Homeward account has this address", join_paragraphs(
        "Someone asked to reset a password at Homeward, but no account has this address. You may have used a "
        "different address.",
        "If a shelter invited you and the invitation has expired, ask them to send it again.",
        "If you have no account yet, you can sign up here:",
        sign_up,
        IGNORE,
    )


def password_changed(forgotten: str) -> Email:
    return "Your Homeward password was changed", join_paragraphs(
        "Your password was changed, and you were signed out of all other browsers.",
        "If that was not you, reset your password now:",
        forgotten,
    )


def passkey_added(account: str) -> Email:
    return "A passkey was added to your Homeward account", join_paragraphs(
        "A passkey was added to your account. Anyone with it can sign in as you, even after you change your "
        "password.",
        "If that was not you, remove it here, then change your password:",
        account,
    )


def passkeys_removed(count: int, forgotten: str) -> Email:
    what = "A passkey was" if count == 1 else f"{count} passkeys were"
    subject = f"{what} removed from your Homeward account"
    return subject, join_paragraphs(
        f"{what} removed from your account. Sign in with your password or another passkey from now on.",
        "If that was not you, reset your password now:",
        forgotten,
    )


def invitation(shelter: str, inviter: str, link: str) -> Email:
    name = header_text(shelter)
    return f"{name} invites you to Homeward", join_paragraphs(
        f"{header_text(inviter)} invites you to help look after the animals of {name} at Homeward.",
        "Accept the invitation here. The link works once, for 7 days:",
        link,
        f"If you do not know {name}, ignore this email and nothing will happen.",
    )


def invitation_again(shelter: str, inviter: str, until: str, link: str, sign_up: str = "") -> Email:
    """The invitation that an address already has, sent when someone tries to sign in or sign up with it."""
    name = header_text(shelter)
    own = (
        join_lines("To open a separate account for another shelter instead, go on here:", "", sign_up)
        if sign_up
        else ""
    )
    return f"You have an invitation from {name}", join_paragraphs(
        "Someone used this address at Homeward. It has no account yet, but "
        f"{header_text(inviter)} has invited you to {name}.",
        f"Accept the invitation here. This link replaces the earlier one and works until {until}:",
        link,
        own,
        IGNORE,
    )


def role_changed(shelter: str, by: str, role: str, link: str) -> Email:
    name = header_text(shelter)
    return f"Your role at {name} has changed", join_paragraphs(
        f"{header_text(by)} made you {role} of {name}.",
        "Sign in to see your shelter:",
        link,
    )


def member_removed(shelter: str, by: str) -> Email:
    name = header_text(shelter)
    return f"You no longer have access to {name}", join_paragraphs(
        f"{header_text(by)} removed you from {name} at Homeward. You can no longer see or change "
        "anything there.",
        "If this was a mistake, ask an owner of the shelter to invite you again.",
    )


def member_left(shelter: str, name: str, email: str, role: str) -> Email:
    shelter, who = header_text(shelter), header_text(name)
    person = f"{who} ({email})" if who else email
    return f"{who or email} has left {shelter}", join_paragraphs(
        f"{person} was {role} of {shelter} at Homeward and has left. They can no longer see or change "
        "anything there.",
        "If this was a mistake, invite them again.",
    )


def email_confirmation(link: str) -> Email:
    return "Confirm your new email address", join_paragraphs(
        "Someone asked to use this address to sign in to Homeward.",
        "Confirm the address here. The link works once, for 24 hours:",
        link,
        IGNORE,
    )


def email_taken(sign_in: str) -> Email:
    return "This address already has a Homeward account", join_paragraphs(
        "Someone asked to move another Homeward account to this address. It already has an account, so "
        "nothing was changed.",
        "If that was you, sign in with this address here:",
        sign_in,
        IGNORE,
    )


def email_changing(new: str, forgotten: str) -> Email:
    return "Your Homeward email address is about to change", join_paragraphs(
        f"Someone signed in to your account asked to change its email address to {new}. The change takes "
        "effect once that address is confirmed.",
        "If that was not you, reset your password now. That cancels the change:",
        forgotten,
    )


def email_changed(new: str, operator: str) -> Email:
    return "Your Homeward email address was changed", join_paragraphs(
        f"You now sign in as {new}. You were signed out of all other browsers.",
        f"If that was not you, write to {operator} now."
        if operator
        else "If that was not you, contact the operator of this Homeward service now.",
    )


def plan_requested(shelter: str, slug: str, plan: str, by: str) -> Email:
    name = header_text(shelter)
    return f"{name} asks for the {plan} plan", join_paragraphs(
        f"{header_text(by)} asked for the {plan} plan for {name}.",
        "To grant it, run:",
        join_lines(f"homeward account set-plan {slug} {plan.lower()}", ""),
        "Reply to this email to reach the person who asked.",
    )


def plan_set(shelter: str, plan: str, quota: str, limits: list[str], link: str) -> Email:
    name = header_text(shelter)
    return f"{name} is now on the {plan} plan", join_paragraphs(
        f"{name} is now on the {plan} plan, with {quota} for all API keys of the account together.",
        f"It includes {listed(limits)}." if limits else "",
        "See usage and plan here:",
        link,
    )

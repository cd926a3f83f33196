"""Emails about accounts. Each function returns a subject and a text.

Anyone can enter a stranger's address, so these emails do not repeat text that a person typed. There are two
exceptions: the name of a shelter in a confirmation, if it is clearly only a name, and emails that signed-in
colleagues trigger.
"""

import re

from adoption.accounts.permissions import OWNER
from adoption.accounts.plans import Quota
from adoption.mail.mime import header_text
from adoption.mail.text_layout import Email, join_lines, join_paragraphs
from adoption.text_joining import join_names
from adoption.translations import gettext, message, ngettext

IGNORE = message(
    "If that was not you, someone mistyped their address: ignore this email and nothing will happen."
)
RESET_HERE = message("Choose a new password here. The link works once, for one hour:")

PLAIN_NAME = re.compile(r"(?!.*\d.*\d.*\d)(?:[\w '\u2019&,()-]|\.(?=[ ]|$)){1,60}")
"""The pattern of a name without a link, an address or a phone number."""


def sign_up_confirmation(link: str, shelter: str) -> Email:
    return gettext("Finish signing up to Homeward"), join_paragraphs(
        gettext("Someone used this address to sign %(shelter)s up to Homeward.", shelter=shelter)
        if PLAIN_NAME.fullmatch(shelter)
        else gettext("Someone used this address to sign a shelter up to Homeward."),
        gettext("Choose a password to finish signing up. The link works for 24 hours:"),
        link,
        gettext(IGNORE),
    )


def already_registered(sign_in: str, forgotten: str) -> Email:
    return gettext("You already have a Homeward account"), join_paragraphs(
        gettext(
            "Someone used this address to sign up to Homeward. You already have an account with it. Sign "
            "in here:"
        ),
        sign_in,
        gettext("If you forgot the password, or never had one, reset it here:"),
        forgotten,
        gettext(IGNORE),
    )


def password_reset(link: str) -> Email:
    return gettext("Reset your Homeward password"), join_paragraphs(
        gettext("Someone asked to reset the password of your Homeward account."),
        gettext(RESET_HERE),
        link,
        gettext("If that was not you, ignore this email. Your password stays the same."),
    )


def password_reset_by_owner(shelter: str, owner: str, link: str) -> Email:
    name = header_text(shelter)
    return gettext("Reset your Homeward password"), join_paragraphs(
        gettext(
            "%(owner)s, an owner of %(shelter)s, sent you this link so that you can sign in again.",
            owner=owner,
            shelter=name,
        ),
        gettext(RESET_HERE),
        link,
        gettext("If you can sign in, ignore this email. Your password stays the same."),
    )


def unknown_address(sign_up: str) -> Email:
    return gettext("No Homeward account has this address"), join_paragraphs(
        gettext(
            "Someone asked to reset a password at Homeward, but no account has this address. You may have "
            "used a different address."
        ),
        gettext("If a shelter invited you and the invitation has expired, ask them to send it again."),
        gettext("If you have no account yet, you can sign up here:"),
        sign_up,
        gettext(IGNORE),
    )


def password_changed(forgotten: str) -> Email:
    return gettext("Your Homeward password was changed"), join_paragraphs(
        gettext("Your password was changed, and you were signed out of all other browsers."),
        gettext("If that was not you, reset your password now:"),
        forgotten,
    )


def passkey_added(account: str) -> Email:
    return gettext("A passkey was added to your Homeward account"), join_paragraphs(
        gettext(
            "A passkey was added to your account. Anyone with it can sign in as you, even after you change "
            "your password."
        ),
        gettext("If that was not you, remove it here, then change your password:"),
        account,
    )


def passkeys_removed(count: int, forgotten: str) -> Email:
    subject = ngettext(
        "A passkey was removed from your Homeward account",
        "%(num)s passkeys were removed from your Homeward account",
        count,
    )
    return subject, join_paragraphs(
        ngettext(
            "A passkey was removed from your account. Sign in with your password or another passkey from "
            "now on.",
            "%(num)s passkeys were removed from your account. Sign in with your password or another passkey "
            "from now on.",
            count,
        ),
        gettext("If that was not you, reset your password now:"),
        forgotten,
    )


def invitation(shelter: str, inviter: str, link: str) -> Email:
    name = header_text(shelter)
    return gettext("%(shelter)s invites you to Homeward", shelter=name), join_paragraphs(
        gettext(
            "%(inviter)s invites you to help look after the animals of %(shelter)s at Homeward.",
            inviter=header_text(inviter),
            shelter=name,
        ),
        gettext("Accept the invitation here. The link works once, for 7 days:"),
        link,
        gettext("If you do not know %(shelter)s, ignore this email and nothing will happen.", shelter=name),
    )


def invitation_again(shelter: str, inviter: str, until: str, link: str, sign_up: str = "") -> Email:
    """Return the email that repeats the pending invitation of an address.

    The email is sent when a person tries to sign in or sign up with the address.
    """
    name = header_text(shelter)
    own = (
        join_lines(
            gettext("To open a separate account for another shelter instead, go on here:"), "", sign_up
        )
        if sign_up
        else ""
    )
    return gettext("You have an invitation from %(shelter)s", shelter=name), join_paragraphs(
        gettext(
            "Someone used this address at Homeward. It has no account yet, but %(inviter)s has invited you "
            "to %(shelter)s.",
            inviter=header_text(inviter),
            shelter=name,
        ),
        gettext(
            "Accept the invitation here. This link replaces the earlier one and works until %(end)s:",
            end=until,
        ),
        link,
        own,
        gettext(IGNORE),
    )


def role_changed(shelter: str, by: str, role: str, link: str) -> Email:
    names = {"name": header_text(by), "shelter": header_text(shelter)}
    return gettext("Your role at %(shelter)s has changed", **names), join_paragraphs(
        gettext("%(name)s made you an owner of %(shelter)s.", **names)
        if role == OWNER
        else gettext("%(name)s made you a member of staff of %(shelter)s.", **names),
        gettext("Sign in to see your shelter:"),
        link,
    )


def member_removed(shelter: str, by: str) -> Email:
    names = {"name": header_text(by), "shelter": header_text(shelter)}
    return gettext("You no longer have access to %(shelter)s", **names), join_paragraphs(
        gettext(
            "%(name)s removed you from %(shelter)s at Homeward. You can no longer see or change anything "
            "there.",
            **names,
        ),
        gettext("If this was a mistake, ask an owner of the shelter to invite you again."),
    )


def member_left(shelter: str, name: str, email: str, role: str) -> Email:
    shelter, who = header_text(shelter), header_text(name)
    names = {"person": f"{who} ({email})" if who else email, "shelter": shelter}
    subject = gettext("%(name)s has left %(shelter)s", name=who or email, shelter=shelter)
    return subject, join_paragraphs(
        gettext(
            "%(person)s was an owner of %(shelter)s at Homeward and has left. They can no longer see or "
            "change anything there.",
            **names,
        )
        if role == OWNER
        else gettext(
            "%(person)s was a member of staff of %(shelter)s at Homeward and has left. They can no longer "
            "see or change anything there.",
            **names,
        ),
        gettext("If this was a mistake, invite them again."),
    )


def email_confirmation(link: str) -> Email:
    return gettext("Confirm your new email address"), join_paragraphs(
        gettext("Someone asked to use this address to sign in to Homeward."),
        gettext("Confirm the address here. The link works once, for 24 hours:"),
        link,
        gettext(IGNORE),
    )


def email_taken(sign_in: str) -> Email:
    return gettext("This address already has a Homeward account"), join_paragraphs(
        gettext(
            "Someone asked to move another Homeward account to this address. It already has an account, so "
            "nothing was changed."
        ),
        gettext("If that was you, sign in with this address here:"),
        sign_in,
        gettext(IGNORE),
    )


def email_changing(new: str, forgotten: str) -> Email:
    return gettext("Your Homeward email address is about to change"), join_paragraphs(
        gettext(
            "Someone signed in to your account asked to change its email address to %(email)s. The change "
            "takes effect once that address is confirmed.",
            email=new,
        ),
        gettext("If that was not you, reset your password now. That cancels the change:"),
        forgotten,
    )


def email_changed(new: str, operator: str) -> Email:
    return gettext("Your Homeward email address was changed"), join_paragraphs(
        gettext("You now sign in as %(email)s. You were signed out of all other browsers.", email=new),
        gettext("If that was not you, write to %(operator)s now.", operator=operator)
        if operator
        else gettext("If that was not you, contact the operator of this Homeward service now."),
    )


def plan_requested(shelter: str, slug: str, plan: str, by: str) -> Email:
    values = {"name": header_text(by), "shelter": header_text(shelter), "plan": plan}
    return gettext("%(shelter)s asks for the %(plan)s plan", **values), join_paragraphs(
        gettext("%(name)s asked for the %(plan)s plan for %(shelter)s.", **values),
        gettext("To grant it, run:"),
        join_lines(f"homeward account set-plan {slug} {plan.lower()}", ""),
        gettext("Reply to this email to reach the person who asked."),
    )


def plan_set(shelter: str, plan: str, quota: Quota, limits: list[str], link: str) -> Email:
    names = {"shelter": header_text(shelter), "plan": plan}
    return gettext("%(shelter)s is now on the %(plan)s plan", **names), join_paragraphs(
        gettext(
            "%(shelter)s is now on the %(plan)s plan, with %(minute)s requests a minute and %(day)s a day "
            "for all API keys of the account together.",
            minute=f"{quota.per_minute:,}",
            day=f"{quota.per_day:,}",
            **names,
        ),
        gettext("It includes %(limits)s.", limits=join_names(limits)) if limits else "",
        gettext("See usage and plan here:"),
        link,
    )

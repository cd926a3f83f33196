"""Announcements to screen readers about domains that have changed since the page was loaded."""

import hashlib
from collections.abc import Sequence

from markupsafe import Markup

from adoption.translations import gettext, message, ngettext
from portal.staff.domains.card_classes import DomainCard

NEWS = {
    "verified": message("%(domain)s: DNS verified"),
    "moved": message("%(domain)s no longer leads here"),
    "ready": message("%(domain)s: the certificate is ready, you can change DNS now"),
    "blocked": message("%(domain)s: a CAA record blocks the certificate"),
    "unresolved": message("%(domain)s: other DNS servers refuse the record"),
    "silent": message("%(domain)s: its DNS servers do not answer"),
    "issued": message("%(domain)s: certificate issued"),
    "live": message("%(domain)s is live"),
    "failed": message("%(domain)s: no certificate yet, the order was refused"),
    "expired": message("%(domain)s: the certificate has expired"),
    "unrenewed": message("%(domain)s: the certificate could not be renewed"),
}

UNVERIFIED = {"absent", "wrong", "moved", "ready"}


def card_mark(card: DomainCard) -> str:
    """Return ``id-word-fingerprint`` for a card. The browser sends it back, which shows changed cards.

    The fingerprint changes with the text of the card, except for the times of adding and of the last check.
    """
    steps = [(step.state, step.label) for step in card.steps] + [step.more for step in card.steps[2:]]
    doubts = bool(card.unanswered), bool(card.remembered)
    role = card.primary, card.awaited, card.route, card.keeps_https
    seen = repr((card.tag, *role, card.notice, card.checks, card.early, card.provider, *doubts, steps))
    return f"{card.id}-{card.word}-{hashlib.sha256(seen.encode()).hexdigest()[:12]}"


def seen_words(marks: Sequence[str]) -> dict[str, str]:
    """Return the status words of the cards that the browser shows, by card id."""
    parts = (each.split("-") for each in marks)
    return {each[0]: each[1] for each in parts if len(each) > 1}


def domain_announcement(cards: Sequence[DomainCard], marks: Sequence[str]) -> str:
    """Return the announcement about changed domains, or an empty string if there is nothing to announce."""
    before = seen_words(marks)
    changed = [card for card in cards if is_worth_announcing(card.word, before.get(str(card.id), ""))]
    return ". ".join(gettext(NEWS[card.word], domain=card.name) for card in changed)


def is_worth_announcing(word: str, before: str) -> bool:
    """Return whether to announce that a status has changed from ``before`` to ``word``.

    If a certificate order fails again, the change is not announced.
    """
    if word == before or word not in NEWS:
        return False
    if word == "verified":
        return before in UNVERIFIED | {"unresolved"}
    return (word, before) != ("live", "unrenewed")


def outcome_in_words(card: DomainCard) -> str:
    """Return the result of a check in one sentence, without a full stop."""
    if card.unanswered:
        return gettext("We could not check %(domain)s. Nothing has changed", domain=card.name)
    if not card.right and card.early and card.early.is_begun:
        status = Markup.striptags(Markup("{}").format(card.early.status))
        return f"{card.name}: {status.removesuffix('.')}"
    if not card.right:
        wrong = sum(check.result != "pass" and check.needs_shelter for check in card.checks)
        return ngettext(
            "%(domain)s: DNS check failed, %(num)s record to fix",
            "%(domain)s: DNS check failed, %(num)s records to fix",
            wrong,
            domain=card.name,
        )
    if card.word == "blocked":
        return gettext("%(domain)s: DNS verified, but a CAA record blocks the certificate", domain=card.name)
    verified = gettext(NEWS["verified"], domain=card.name)
    if not card.next_try:
        return verified
    # An announcement is plain text.
    next_try = Markup.striptags(Markup("{}").format(card.next_try))
    return gettext("%(verified)s. %(next)s for its certificate", verified=verified, next=next_try)

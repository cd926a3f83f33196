"""What is new on the page of domains since a browser has seen it, and what whoever listens hears of it."""

import hashlib
from collections.abc import Sequence

from markupsafe import Markup

from portal.labels import counted
from portal.staff.domains.cards import DomainCard
from portal.staff.domains.checks import NOT_THEIRS

NEWS = {
    "verified": "{}: DNS verified",
    "moved": "{} no longer leads here",
    "ready": "{}: the certificate is ready, you can change DNS now",
    "blocked": "{}: a CAA record blocks the certificate",
    "unresolved": "{}: other DNS servers refuse the record",
    "silent": "{}: its DNS servers do not answer",
    "issued": "{}: certificate issued",
    "live": "{} is live",
    "failed": "{}: no certificate yet, the order was refused",
    "expired": "{}: the certificate has expired",
    "unrenewed": "{}: the certificate could not be renewed",
}

UNVERIFIED = {"absent", "wrong", "moved", "ready"}


def mark(card: DomainCard) -> str:
    """What a browser has seen of a card, as ``id-word-fingerprint``.

    The fingerprint differs where a reader would see something new; when it was added and last looked at does
    not count.
    """
    steps = [(step.state, step.label) for step in card.steps] + [step.more for step in card.steps[2:]]
    doubts = bool(card.unanswered), bool(card.remembered)
    role = card.primary, card.awaited, card.route, card.keeps_https
    seen = repr((card.tag, *role, card.notice, card.checks, card.early, card.provider, *doubts, steps))
    return f"{card.id}-{card.word}-{hashlib.sha256(seen.encode()).hexdigest()[:12]}"


def seen_words(marks: Sequence[str]) -> dict[str, str]:
    """The words that a browser has seen, by the card's id."""
    parts = (each.split("-") for each in marks)
    return {each[0]: each[1] for each in parts if len(each) > 1}


def domain_announcement(cards: Sequence[DomainCard], marks: Sequence[str]) -> str:
    """What has become of domains since, for whoever listens; empty where it is nothing they wait for."""
    before = seen_words(marks)
    told = [card for card in cards if is_worth_announcing(card.word, before.get(str(card.id), ""))]
    return ". ".join(NEWS[card.word].format(card.name) for card in told)


def is_worth_announcing(word: str, before: str) -> bool:
    """Not where a certificate is only tried again, and fails again."""
    if word == before or word not in NEWS:
        return False
    if word == "verified":
        return before in UNVERIFIED | {"unresolved"}
    return (word, before) != ("live", "unrenewed")


def outcome_in_words(card: DomainCard) -> str:
    """What a look has found, in one sentence."""
    if card.unanswered:
        return f"We could not check {card.name}. Nothing has changed"
    if not card.right and card.early and card.early.is_begun:
        status = Markup.striptags(Markup("{}").format(card.early.status))
        return f"{card.name}: {status.removesuffix('.')}"
    if not card.right:
        wrong = sum(check.result != "pass" and check.verdict not in NOT_THEIRS for check in card.checks)
        return f"{card.name}: DNS check failed, {counted(wrong, 'record')} to fix"
    told = f"{card.name}: DNS verified"
    if card.word == "blocked":
        return f"{told}, but a CAA record blocks the certificate"
    # It is announced, where no element can stand.
    next_try = Markup.striptags(Markup("{}").format(card.next_try))
    return f"{told}. {next_try} for its certificate" if next_try else told

"""An animal's status and visibility, from all columns of its row. In doubtful cases, the animal is hidden."""

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple

from adoption.spreadsheets.statuses.status_parsers import NO_MOVEMENT, Flags, ListingStatus
from adoption.translations import message

HOLD_COLUMNS = {
    "on_hold": ("hold", "hold_until", "flags", "attributes"),
    "in_quarantine": ("hold", "hold_until", "quarantine", "flags", "attributes"),
}
"""The columns that set a hold, by hold."""
LISTING = (
    "status", "outcome", "adopted", "returned", "reserved", "died", "not_for_adoption", "not_in_care",
    "in_custody", "listed", "record_type", "kennel_status", "hold", "hold_until", "quarantine", "hides",
    "available_from", "flags",
)  # fmt: skip
"""Columns about visibility. A file without such columns changes no animal's visibility."""
HIDING_IF_YES = ("died", "hides", "not_for_adoption", "not_in_care", "available_from")
AVAILABLE = ListingStatus("available", True)

Facts = Mapping[str, Any]


def flags_in(facts: Facts) -> list[Flags]:
    """Return the animal's flags, including flags in Shelterluv's attributes."""
    attributes = facts.get("attributes")
    return [each for each in (facts.get("flags"), attributes and attributes.flags) if each]


def holds_in(facts: Facts) -> set[str]:
    """Return the holds that the row sets."""
    holds = {each.hold for each in (facts.get("hold"), facts.get("hold_until")) if each is not None}
    for flags in flags_in(facts):
        holds |= flags.holds
    return holds | ({"in_quarantine"} if facts.get("quarantine") else set())


class HidingReason(NamedTuple):
    """The meaning of the column that hides an animal, and a warning if the column is unclear."""

    meaning: str
    sentence: str = ""


class StandingRules:
    """The rules for status and visibility, applied to the cells of one row."""

    def __init__(self, facts: Facts, form: str, today: date) -> None:
        self.facts, self.form, self.today = facts, form, today

    def tells(self, *meanings: str) -> bool:
        return any(meaning in self.facts for meaning in meanings)

    def sets_status(self) -> bool:
        return bool(self.facts.get("status")) or self.tells("outcome", "reserved", "adopted")

    def standing(self) -> ListingStatus:
        """Return the status according to the columns for status, outcome, adoption, trial and reservation."""
        facts = self.facts
        standing = status = facts.get("status") or AVAILABLE
        if outcome := self.outcome():
            standing = AVAILABLE if facts.get("returned") else outcome
            if standing.status != "sold" and not status.seen:
                # If the status column hides the animal, only a completed adoption overrides the status
                # column.
                standing = status._replace(status=standing.status)
        elif facts.get("adopted") and not facts.get("returned"):
            standing = standing._replace(status="sold")
        if facts.get("trial") and not facts.get("returned") and standing.status in ("sold", "available"):
            standing = standing._replace(status="pending")
        if facts.get("reserved") and standing.status == "available":
            standing = standing._replace(status="pending")
        return standing

    def outcome(self) -> ListingStatus | None:
        """Return the status after the newest movement.

        In ShelterManager, a movement without a type is an adoption.
        """
        found: ListingStatus | None = self.facts.get("outcome")
        if self.form != "ShelterManager":
            return found
        if self.facts.get("moved") is None:
            return None if found == NO_MOVEMENT else found
        if found == NO_MOVEMENT:
            return ListingStatus("pending", True)
        return found or ListingStatus("sold", True)

    def hiding_reason(self) -> HidingReason | None:
        """Return why some column other than the status hides the animal; None if no column does."""
        get = self.facts.get
        for meaning in HIDING_IF_YES:
            if get(meaning):
                return HidingReason(meaning)
        if get("in_custody") is False or get("record_type") == "found":
            return HidingReason("in_custody")
        if any(flags.hides or flags.holds for flags in flags_in(self.facts)):
            return HidingReason("flags")
        if get("outcome") is None and False in (get("kennel_status"), get("intake_type")):
            return HidingReason("kennel_status")
        if get("place") and self.standing().status != "sold":
            return HidingReason(
                "place", message("this means that the animal cannot be adopted, so it is hidden")
            )
        if "listed" in self.facts and not get("listed"):
            blank = message("this is blank, so the animal is hidden. Write yes or no")
            return HidingReason("listed", blank if get("listed") is None else "")
        if self.has_left():
            return HidingReason(
                "moved", message("the animal has left, so it is hidden. If it was adopted, add a status")
            )
        return None

    def has_left(self) -> bool:
        """Return whether the row has a departure date but no status or outcome.

        For such a row, nobody knows whether the animal was adopted.
        """
        moved, arrived = self.facts.get("moved"), self.facts.get("arrived")
        if moved is None or moved.date() > self.today or (arrived and arrived > moved):
            return False
        return self.outcome() is None and not any(map(self.facts.get, ("status", "adopted", "returned")))

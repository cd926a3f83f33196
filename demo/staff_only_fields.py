"""Care records of demo animals. Only staff see these fields."""

from random import Random
from typing import Any

from demo.names import STREETS, random_person, random_place
from demo.species import DemoSpecies
from demo.words.all_species import ARRIVALS, NOTES


def care_record(rng: Random, kind: DemoSpecies, intake: str, may_be_held: bool) -> dict[str, Any]:
    held = rng.random() if may_be_held else 1.0
    noted, fostered = rng.random() < 0.25, rng.random() < 0.2
    return {
        # 999 is the prefix of test transponders. No animal has such a number.
        "microchip": f"999{rng.randrange(10**12):012}" if rng.random() < kind.chipped else None,
        "on_hold": held < 0.045,
        "in_quarantine": 0.045 <= held < 0.065,
        "internal_notes": rng.choice(NOTES).format(person=random_person(rng)) if noted else "",
        "surrenderer": f"{random_person(rng)}, 555-01{rng.randrange(100):02}"
        if intake == "Surrender"
        else "",
        "foster_address": f"{rng.randrange(1, 90)} {random_place(rng)}" if fostered else "",
        "arrival_details": rng.choice(ARRIVALS[intake]).format(street=rng.choice(STREETS)),
    }

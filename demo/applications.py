"""Applications of the demo: answers, histories, notes, and applications that are held as spam."""

import secrets
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from random import Random

from sqlalchemy.orm import Session

from adoption.orders.models import APPLICANT, Application, ApplicationNote, Order, OrderEvent
from adoption.orders.validation import COMPANY, HOMES
from adoption.search_words import fold_text
from demo.bulk_inserts import Row, insert_rows, reserve_ids
from demo.names import random_person
from demo.words.application_texts import NOTES, SPAM, WHYS

NOTED = 0.5
"""The share of approved applications that have a note."""


def add_applications(
    session: Session, rng: Random, groups: Iterable[tuple[Sequence[Row], Sequence[Sequence[Row]]]]
) -> None:
    """Add applications and histories for orders.

    Each group has the animals of an application, and the orders for each of these animals. The function adds
    an id to each order.
    """
    together = [
        (animals, orders) for animals, of_each in groups for orders in zip(*of_each, strict=True) if orders
    ]
    together.sort(key=lambda asked: asked[1][0]["created_at"])
    applications, events, notes = [], [], []
    ids = reserve_ids(session, Application, len(together))
    for id_, (animals, orders) in zip(ids, together, strict=True):
        applications.append(application_row(rng, id_, animals, orders[0]["created_at"]))
        colleague = random_person(rng)
        for order in orders:
            order["application_id"] = id_
            events.append((order, application_history(rng, order, colleague)))
        if orders[0]["status"] == "approved" and rng.random() < NOTED:
            notes.append(application_note(rng, id_, colleague, orders[0]["updated_at"]))
    assign_order_ids(session, [order for _, orders in together for order in orders])
    insert_rows(session, Application, applications)
    insert_rows(session, Order, [order for _, orders in together for order in orders])
    insert_rows(
        session, OrderEvent, [{"order_id": order["id"], **step} for order, steps in events for step in steps]
    )
    insert_rows(session, ApplicationNote, notes)


def assign_order_ids(session: Session, orders: Sequence[Row]) -> None:
    for order, id_ in zip(orders, reserve_ids(session, Order, len(orders)), strict=True):
        order["id"] = id_


def add_held_applications(session: Session, rng: Random, animals: Iterable[Row], now: datetime) -> None:
    """Add one application that looks like spam for the last available animal of each project."""
    last = {animal["project_id"]: animal for animal in animals if looks_for_home(animal)}
    why, reason = SPAM
    rows = []
    for id_, animal in zip(reserve_ids(session, Application, len(last)), last.values(), strict=True):
        row = application_row(rng, id_, [animal], max(animal["created_at"], now - timedelta(hours=20)))
        rows.append({**row, "why": why, "held_for": reason})
    insert_rows(session, Application, rows)


def looks_for_home(animal: Row) -> bool:
    return bool(animal["listed"]) and animal["status"] == "available"


def application_row(rng: Random, id_: int, animals: Sequence[Row], when: datetime) -> Row:
    name = random_person(rng)
    email = f"{name.lower().replace(' ', '.')}@example.org"
    names = " and ".join(animal["name"] for animal in animals)
    return {
        "id": id_,
        "project_id": animals[0]["project_id"],
        "animal_id": animals[0]["id"],
        "name": name,
        "email": email,
        "phone": f"555-01{rng.randrange(100):02}" if rng.random() < 0.6 else "",
        "home": rng.choice(HOMES),
        "household": " ".join(each for each in COMPANY if rng.random() < 0.3),
        "why": rng.choice(WHYS).format(name=names),
        # From ``secrets``, not from the seed: someone who knows the seed must not know the private
        # link.
        "token_hash": secrets.token_hex(32),
        "submission": secrets.token_hex(32),
        "held_for": "",
        "found_by": fold_text(f"{name} {email}"),
        "created_at": when,
    }


def application_history(rng: Random, order: Row, colleague: str) -> list[Row]:
    placed, last = order["created_at"], order["updated_at"]
    steps = [("placed", APPLICANT, placed)]
    if order["status"] == "completed":
        steps.append(("approved", colleague, placed + 0.5 * (last - placed)))
    if order["status"] != "placed":
        by = APPLICANT if order["status"] == "withdrawn" else colleague
        steps.append((order["status"], by, last))
    return [{"event": event, "actor": actor, "created_at": at} for event, actor, at in steps]


def application_note(rng: Random, application_id: int, author: str, when: datetime) -> Row:
    return {"application_id": application_id, "author": author, "text": rng.choice(NOTES), "created_at": when}

"""Orders and applications that are older than the migration for histories and the inbox search."""

from apiflask import APIFlask
from flask.testing import FlaskClient
from flask_migrate import downgrade, upgrade
from sqlalchemy import select

from adoption.orders import inbox
from adoption.orders.inbox_filters import InboxFilter
from adoption.orders.models import OrderEvent
from adoption.storage.database import db, reading
from tests.cast import Colleague
from tests.deciding import add_animal, apply_and_confirm, take_steps


def test_migrated_orders_have_a_history_and_are_found_by_the_search(
    app: APIFlask, client: FlaskClient, owner: Colleague
) -> None:
    biscuit = add_animal(owner)
    apply_and_confirm(client, biscuit, "kim", name="Zoë Müller")
    take_steps(owner, apply_and_confirm(client, biscuit), "decline")
    db.engine.dispose()
    downgrade(revision="0002", x_arg="delete-data")
    upgrade()
    with reading() as session:
        events = session.execute(select(OrderEvent.event, OrderEvent.actor).order_by(OrderEvent.id)).all()
    assert [tuple(each) for each in events] == [
        ("placed", "the applicant"),
        ("placed", "the applicant"),
        ("declined", ""),
    ]
    [entry] = inbox.inbox_page(owner.project_id, InboxFilter("all", words="zoe mull")).entries
    assert entry.application is not None
    assert entry.application.name == "Zoë Müller"

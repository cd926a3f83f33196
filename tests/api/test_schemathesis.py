"""The API against its specification, with generated requests."""

import os
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import schemathesis
from apiflask import APIFlask
from flask.testing import FlaskClient
from schemathesis.config import SchemathesisConfig
from schemathesis.engine import Status, events, from_schema
from werkzeug.serving import make_server

from adoption.accounts import plan_changes
from adoption.accounts.api_access.api_keys import create_key
from adoption.accounts.api_access.key_format import SCOPES
from adoption.accounts.plans import FREE, Quota
from tests import cast

EXAMPLES = int(os.environ.get("SCHEMATHESIS_EXAMPLES", "5"))
"""The number of examples per operation and phase.

The documents name a number for tens of thousands of requests.
"""
SHIPPED = Path(__file__).parents[2] / "schemathesis.toml"
ENDLESS = Quota(10**9, 10**9)


@pytest.fixture(autouse=True)
def _endless_without_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Raise the quota of requests without a key. Otherwise they would soon get only 429."""
    monkeypatch.setattr("api.quotas.FREE", replace(FREE, quota=ENDLESS))


def test_the_api_agrees_with_its_specification_with_a_key(app: APIFlask, client: FlaskClient) -> None:
    shelter = cast.shelter(client)
    plan_changes.set_plan(shelter.slug, "enterprise", *ENDLESS)
    for number in range(3):
        shelter.add(f"Animal {number}")
    _, shelter.key = create_key(shelter.slug, scopes=SCOPES)
    met = examine(app, {"Authorization": f"Bearer {shelter.key}"})
    assert {200, 201, 400, 404, 405} <= set(met)
    assert 500 not in met


@pytest.mark.settings("embedded")
def test_the_api_agrees_with_its_specification_without_a_key(app: APIFlask, client: FlaskClient) -> None:
    met = examine(app, {})
    assert {200, 401, 405} <= set(met)
    assert not {201, 500} & set(met)


@contextmanager
def served(app: APIFlask) -> Iterator[str]:
    """Serve the application by HTTP, for schemathesis's check of ignored keys; yield the URL of /v1."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def examine(app: APIFlask, headers: dict[str, str]) -> Counter[int]:
    """Run every phase and check of schemathesis. Return the number of responses per status."""
    document = app.test_client().get("/v1/openapi.json").json
    config = SchemathesisConfig.from_path(str(SHIPPED))
    schema = schemathesis.openapi.from_dict(document, config=config)
    met, failures = Counter[int](), []
    with served(app) as address:
        schema.config.update(base_url=address, headers=headers, continue_on_failure=True)
        schema.config.generation.update(max_examples=EXAMPLES, database="none")
        schema.config.seed = 1
        for event in from_schema(schema).execute():
            assert not isinstance(event, events.FatalError | events.NonFatalError), event
            if isinstance(event, events.ScenarioFinished):
                met.update(statuses(event))
                failures += failures_of(event)
    print(f"{met.total():,} requests: {dict(sorted(met.items()))}")  # shown with pytest -s
    assert not failures, "\n\n".join(failures)
    return met


def statuses(event: events.ScenarioFinished) -> list[int]:
    answers = [exchange.response for exchange in event.recorder.interactions.values()]
    assert None not in answers, "a request got no response"
    return [answer.status_code for answer in answers if answer]


def failures_of(event: events.ScenarioFinished) -> list[str]:
    return [
        f"{event.recorder.label}: {check.name}: {check.failure_info.failure}"
        for checks in event.recorder.checks.values()
        for check in checks
        if check.status is Status.FAILURE and check.failure_info
    ]

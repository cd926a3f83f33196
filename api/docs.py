"""The reference for people at ``/docs/``: one page, worded by templates, with its facts taken from the code.

Operations come from the specification document; plans, codes, scopes and numbers from the rules themselves.
So the page cannot tell another story than the service does, and the tests run every example that it prints.
"""

import hashlib
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

from apiflask import APIBlueprint, APIFlask
from flask import Flask, Response, current_app, render_template, request
from jinja2 import TemplateNotFound
from markupsafe import Markup, escape

# Pygments ships no types.
from pygments import highlight  # type: ignore[import-untyped]
from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]
from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]

from adoption.accounts import keys, plans, quotas
from adoption.animals import fields
from adoption.animals.actions import REMEMBERED
from adoption.orders import models as orders
from adoption.settings import Settings
from api import access, bodies, errors, paging, pets, reference
from api.durations import duration
from packing import pack

page = APIBlueprint("docs", __name__, enable_openapi=False)
page.after_request(pack)

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Cache-Control": "no-cache",
}

LANGUAGES = {
    ".sh": "bash",
    ".py": "python",
    ".mjs": "javascript",
    ".ts": "typescript",
    ".json": "json",
    ".http": "http",
}
TAB_NAMES = {"bash": "Shell", "python": "Python", "javascript": "JavaScript", "typescript": "TypeScript"}
REQUESTS = (".sh", ".py", ".mjs", ".ts")
RESPONSES = (".http", ".json", ".txt")

Schema = dict[str, Any]


class Member(NamedTuple):
    """A parameter, or a member of a JSON object, as a row of a table."""

    name: str
    kind: Markup
    """Type, range and format, in words."""
    required: bool
    default: object
    description: str
    place: str = ""
    """``query``, ``path`` or ``header``; empty for a member."""


class Answer(NamedTuple):
    """One status that an operation can give."""

    status: str
    codes: list[str]
    meaning: str
    headers: dict[str, str]
    """Those that not every response has, and what each says."""


class Operation(NamedTuple):
    """One operation of the document, as the page tells it."""

    id: str
    method: str
    path: str
    summary: str
    description: str
    tag: str
    deprecated: bool
    scopes: tuple[str, ...]
    """A key needs one of them; none for an operation without a key."""
    parameters: list[Member]
    body: list[Member]
    answers: list[Answer]
    always: dict[str, str]
    """Headers that all its responses have besides those that every response has."""
    returns: Markup


class Example(NamedTuple):
    """What the reader copies: a file of ``templates/docs/examples`` with this service's addresses in it."""

    name: str
    language: str
    html: Markup
    """With classes on its parts, as Pygments names them; the colours are the stylesheet's."""


@page.get("/docs")
def add_slash() -> Response:
    # Without a host: behind a proxy that ends TLS the framework's own redirect would name http.
    return Response(status=308, headers={"Location": "/docs/"})


@page.get("/docs/")
def show() -> Response:
    text, digest = rendered(current_app._get_current_object())  # type: ignore[attr-defined]
    response = Response(text, mimetype="text/html", headers=HEADERS)
    response.set_etag(digest)
    response.make_conditional(request)
    return response


def rendered(app: APIFlask) -> tuple[bytes, str]:
    """The page and its digest, made once a process: it depends on the settings and on nothing else."""
    kept: tuple[bytes, str] | None = app.extensions.get("homeward.docs")
    if kept is None or app.debug:
        text = render_template("docs/index.html", **facts(app)).encode()
        kept = app.extensions["homeward.docs"] = (text, hashlib.sha256(text).hexdigest()[:24])
    return kept


def facts(app: APIFlask) -> dict[str, Any]:
    """Everything that the templates may say, under the name of the module that it comes from."""
    settings: Settings = app.config["HOMEWARD"]
    document: Any = app.spec
    schemas = document["components"]["schemas"]
    operations = list(operations_of(app, document))
    told: dict[str, Any] = {
        "base_url": settings.base_url,
        "staging_base_url": settings.staging_base_url,
        "categories": fields.CATEGORIES,
    }
    return told | {
        "tags": document["tags"],
        "operations": operations,
        "shapes": {name: shape for name, shape in schemas.items() if "properties" in shape},
        "members": lambda name: list(members(schemas[name], schemas)),
        "every_response": {name: one["description"] for name, one in reference.EVERY_RESPONSE.items()},
        "codes": [(status, code) for status in errors.CODES for code in codes_of(status)],
        "plans": plans.PLANS.values(),
        "free": plans.FREE,
        "scopes": {scope: [one for one in operations if scope in one.scopes] for scope in keys.SCOPES},
        **{"keys": keys, "quotas": quotas, "fields": fields, "orders": orders, "paging": paging},
        "body_largest": bodies.BODY_LARGEST,
        "remembered": int(REMEMBERED.total_seconds()),
        "deprecated_on": day(pets.DEPRECATED),
        "removed_on": day(pets.SUNSET),
        "prose": prose,
        "duration": duration,
        "requests": lambda name: examples(app, name, told, REQUESTS),
        "responses": lambda name: examples(app, name, told, RESPONSES),
        "tab_names": TAB_NAMES,
    }


def operations_of(app: Flask, document: Any) -> Iterator[Operation]:
    """The document's operations, in the order of its tags and, within one, of the document."""
    views: dict[str, Any] = app.view_functions
    scopes = {
        view._spec.get("operation_id"): access.scopes_of(app, endpoint)
        for endpoint, view in views.items()
        if hasattr(view, "_spec")
    }
    schemas = document["components"]["schemas"]
    order = [tag["name"] for tag in document["tags"]]
    found = [
        (path, method, one) for path, methods in document["paths"].items() for method, one in methods.items()
    ]
    for path, method, one in sorted(found, key=lambda each: order.index(each[2]["tags"][0])):
        good = next(answer for status, answer in one["responses"].items() if str(status).startswith("2"))
        body = one.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
        answers = [answer_of(str(status), each) for status, each in one["responses"].items()]
        yield Operation(
            id=one["operationId"],
            method=method.upper(),
            path=path,
            summary=one["summary"],
            description=one.get("description", ""),
            tag=one["tags"][0],
            deprecated=one.get("deprecated", False),
            scopes=scopes.get(one["operationId"], ()),
            parameters=[parameter(each, schemas) for each in one["parameters"]],
            body=list(members(resolved(body, schemas), schemas)) if body else [],
            answers=answers,
            always=dict(set.intersection(*(set(answer.headers.items()) for answer in answers))),
            returns=kind(good["content"]["application/json"]["schema"], schemas),
        )


def parameter(one: Schema, schemas: Schema) -> Member:
    default, required = one["schema"].get("default"), one.get("required", False)
    words = kind(one["schema"], schemas)
    return Member(one["name"], words, required, default, one["description"], one["in"])


def members(shape: Schema, schemas: Schema) -> Iterator[Member]:
    for name, schema in shape["properties"].items():
        description = schema.get("description") or resolved(schema, schemas).get("description", "")
        words = kind(schema, schemas)
        yield Member(name, words, name in shape.get("required", ()), schema.get("default"), description)


def answer_of(status: str, one: Schema) -> Answer:
    headers = {
        name: header.get("description", "Bearer, with the realm.")
        for name, header in one["headers"].items()
        if name not in reference.EVERY_RESPONSE
    }
    return Answer(status, codes_of(int(status)), one["description"], headers)


def codes_of(status: int) -> list[str]:
    """The codes that an error of this status may bear; a 429 tells a full window from a ban."""
    codes = [errors.CODES[status]] if status in errors.CODES else []
    return [*codes, "key_banned"] if status == 429 else codes


def resolved(schema: Schema, schemas: Schema) -> Schema:
    target: str | None = schema.get("$ref")
    return schema if target is None else schemas[target.removeprefix(reference.REF)]


def kind(schema: Schema, schemas: Schema) -> Markup:
    """A schema in a few words, such as "integer, 1 to 100", with shapes as links to their tables."""
    if schema.get("type") == "array":
        return Markup("array of ") + kind(schema["items"], schemas)
    name, meant = schema.get("$ref", "").removeprefix(reference.REF), resolved(schema, schemas)
    if "properties" in meant:
        return Markup('<a href="#object-{}">{}</a>').format(name, name)
    words = [str(meant["type"])]
    if "enum" in meant:
        marked = [f"`{value}`" if meant["type"] == "string" else str(value) for value in meant["enum"]]
        words = [f"one of {', '.join(marked)}"]
    elif "minimum" in meant:
        least, most = meant["minimum"], meant.get("maximum", 2**63)
        words.append(f"{least} to {most}" if most < 2**31 else f"{least} or more, int64")
    elif "maxLength" in meant:
        words.append(f"{meant['minLength']} to {meant['maxLength']} characters")
    elif meant.get("format") == "date-time":
        words.append("RFC 3339 in UTC")
    return prose(", ".join(words))


def examples(app: Flask, name: str, told: dict[str, Any], endings: tuple[str, ...]) -> list[Example]:
    """The files of an example that are there, in the order of ``endings``, with what is ``told`` in them."""
    found = []
    for ending in endings:
        try:
            text = app.jinja_env.get_template(f"docs/examples/{name}{ending}").render(told)
        except TemplateNotFound:
            continue
        language = LANGUAGES.get(ending, "text")
        html = highlight(text, get_lexer_by_name(language), HtmlFormatter(nowrap=True))
        found.append(Example(name + ending, language, Markup(html.strip("\n"))))  # noqa: S704 - it escapes
    return found


def prose(text: str) -> Markup:
    """The document's Markdown, of which it uses `code` and nothing else."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))  # noqa: S704 - escaped before


def day(when: datetime) -> str:
    return f"{when.day} {when:%B %Y}"

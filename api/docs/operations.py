"""The operations of the specification document, as the reference shows them."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from flask import Flask
from markupsafe import Markup

from api import authentication, errors, specification
from api.docs.markdown import code_to_html

Schema = dict[str, Any]


class MemberRow(NamedTuple):
    """A parameter, or a member of a JSON object, as a row of a table."""

    name: str
    schema_in_words: Markup
    """The type, range and format in words."""
    required: bool
    default: object
    description: str
    place: str = ""
    """Where the request has the parameter: in the ``query``, the ``path`` or a ``header``.

    Empty for a member of an object.
    """


class ResponseRow(NamedTuple):
    """A status that an operation can return."""

    status: str
    codes: list[str]
    meaning: str
    headers: dict[str, str]
    """The descriptions of the headers that only this response has, by header name."""


class Operation(NamedTuple):
    """An operation of the document, as the page shows it."""

    id: str
    method: str
    path: str
    summary: str
    description: str
    tag: str
    deprecated: bool
    scopes: tuple[str, ...]
    """The scopes of the operation: a key needs one of them. Empty if the operation needs no key."""
    parameters: list[MemberRow]
    body: list[MemberRow]
    answers: list[ResponseRow]
    always: dict[str, str]
    """The descriptions of the headers that all responses of this operation have, by header name."""
    returns: Markup


def list_operations(app: Flask, document: Any) -> Iterator[Operation]:
    """Yield the document's operations by tag, in the order of the document."""
    scopes = {
        (specification.document_path(rule.rule), method): authentication.scopes_of(app, rule.endpoint)
        for rule in app.url_map.iter_rules()
        for method in rule.methods or ()
    }
    schemas = document["components"]["schemas"]
    order = [tag["name"] for tag in document["tags"]]
    found = [
        (path, method, one) for path, methods in document["paths"].items() for method, one in methods.items()
    ]
    for path, method, one in sorted(found, key=lambda each: order.index(each[2]["tags"][0])):
        good = next(answer for status, answer in one["responses"].items() if str(status).startswith("2"))
        body = one.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
        answers = [response_row(str(status), each) for status, each in one["responses"].items()]
        yield Operation(
            id=one["operationId"],
            method=method.upper(),
            path=path,
            summary=one["summary"],
            description=one.get("description", ""),
            tag=one["tags"][0],
            deprecated=one.get("deprecated", False),
            scopes=scopes[path, method.upper()],
            parameters=[row_of_parameter(each, schemas) for each in one["parameters"]],
            body=list(member_rows(resolve_ref(body, schemas), schemas)) if body else [],
            answers=answers,
            always=dict(set.intersection(*(set(answer.headers.items()) for answer in answers))),
            returns=schema_in_words(good["content"]["application/json"]["schema"], schemas),
        )


def row_of_parameter(one: Schema, schemas: Schema) -> MemberRow:
    default, required = one["schema"].get("default"), one.get("required", False)
    words = schema_in_words(one["schema"], schemas)
    return MemberRow(one["name"], words, required, default, one["description"], one["in"])


def member_rows(shape: Schema, schemas: Schema) -> Iterator[MemberRow]:
    for name, schema in shape["properties"].items():
        description = schema.get("description") or resolve_ref(schema, schemas).get("description", "")
        words = schema_in_words(schema, schemas)
        yield MemberRow(name, words, name in shape.get("required", ()), schema.get("default"), description)


def response_row(status: str, one: Schema) -> ResponseRow:
    headers = {
        name: header.get("description", "Bearer, with the realm.")
        for name, header in one["headers"].items()
        if name not in specification.EVERY_RESPONSE
    }
    return ResponseRow(status, codes_of(int(status)), one["description"], headers)


def codes_of(status: int) -> list[str]:
    """Return the possible error codes of this status."""
    codes = [errors.CODES[status]] if status in errors.CODES else []
    return [*codes, *errors.MORE_CODES.get(status, [])]


def resolve_ref(schema: Schema, schemas: Schema) -> Schema:
    target: str | None = schema.get("$ref")
    return schema if target is None else schemas[target.removeprefix(specification.REF)]


def schema_in_words(schema: Schema, schemas: Schema) -> Markup:
    """Return a schema in a few words, such as "integer, 1 to 100".

    Names of object schemas link to their tables.
    """
    if schema.get("type") == "array":
        return Markup("array of ") + schema_in_words(schema["items"], schemas)
    if "anyOf" in schema:
        return Markup(" or ").join(schema_in_words(one, schemas) for one in schema["anyOf"])
    name, meant = schema.get("$ref", "").removeprefix(specification.REF), resolve_ref(schema, schemas)
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
    return code_to_html(", ".join(words))

"""Questions that only a dry run of the whole file finds. The preview reads only the first rows."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from adoption.spreadsheets.import_options import ImportOptions, value_key
from adoption.spreadsheets.import_result import ImportResult

SHOWN_MOST = 20


def find_questions(result: ImportResult, look: Mapping[str, Any], options: ImportOptions) -> dict[str, Any]:
    """Return the code clashes and the unknown words that a dry run found, as plain JSON.

    After the user has chosen what to do with clashes, a new dry run finds no clashes. So the clashes of the
    earlier dry run are kept.
    """
    found: dict[str, Any] = dict(look.get("checked", {}))
    if not options.clash and not options.clashes:
        found["clashes"] = [each.as_json() for each in result.clashes[:SHOWN_MOST]]
        found["clash_count"] = len(result.clashes)
    words: dict[str, Counter[str]] = {column["header"]: Counter() for column in look.get("values", [])}
    for note in (*result.refused, *result.warnings):
        if note.column in words and note.value:
            words[note.column][note.value] += 1
    found["words"] = {header: counts.most_common(SHOWN_MOST) for header, counts in words.items() if counts}
    return found


def add_questions(look: dict[str, Any], options: ImportOptions) -> dict[str, Any]:
    """Return the preview together with the findings of the last dry run."""
    checked = look.get("checked", {})
    if checked.get("clash_count", 0) > look.get("clash_count", 0):
        look = look | {key: checked[key] for key in ("clashes", "clash_count")}
    values = [
        with_unknown_words(column, checked.get("words", {}).get(column["header"], []), options)
        for column in look.get("values", [])
    ]
    return look | {"values": values}


def with_unknown_words(
    column: dict[str, Any], words: list[list[Any]], options: ImportOptions
) -> dict[str, Any]:
    listed = {value_key(each["text"]) for each in column["values"]}
    mapped = options.values.get(column["place"], {})
    new = [
        {"text": text, "count": count, "is_known": False, "is_mapped": value_key(text) in mapped}
        for text, count in words
        if value_key(text) not in listed
    ]
    unknown = sum(each["count"] for each in new if not each["is_mapped"])
    return column | {"values": new + column["values"], "unknown": column["unknown"] + unknown}

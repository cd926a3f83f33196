"""Finding every form of the service by following links, and filling in a form by keyboard."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urldefrag, urljoin, urlsplit

from playwright.sync_api import APIRequestContext, Locator, Page

CONTROLS = ("input", "select", "textarea")
UNTYPED = {"hidden", "submit", "button", "reset", "image", "file"}
CHOICES = {"checkbox", "radio"}
PAGES_MOST = 150


class Links(HTMLParser):
    """The links of a page, and its forms with their controls."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.forms: list[dict[str, Any]] = []
        self.open: dict[str, Any] | None = None
        self.controls: list[tuple[str, str | None, str, str]] = []
        self.checked: set[str] = set()
        """Ids of forms that have a field that sends its own request."""
        self.feed(page)
        for form in self.forms:
            form["has_checks"] = (form["id"] or "") in self.checked
        for form_id, _, name, kind in self.controls:
            for form in self.forms:
                if form_id and form["id"] == form_id:
                    form["controls"].append((name, kind))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        elif tag == "form":
            method = given.get("method", "get").lower()
            self.open = {
                "id": given.get("id"),
                "action": given.get("action", ""),
                "method": method,
                "controls": [],
                "has_checks": False,
                "needs_device": "data-passkey" in given,
            }
            self.forms.append(self.open)
        # A form with a read-only field is tried only by a user who can change the field.
        elif tag in CONTROLS and given.get("name") and not given.keys() & {"disabled", "readonly"}:
            kind = given.get("type", "text") if tag == "input" else tag
            if "hx-post" in given or "hx-get" in given:
                self.checked.add(given.get("form") or (self.open or {}).get("id") or "")
            if given.get("form"):
                self.controls.append((given["form"], None, given["name"], kind))
            elif self.open is not None:
                self.open["controls"].append((given["name"], kind))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.open = None


@dataclass(frozen=True)
class FoundForm:
    """A form with fields: its page, its number on the page, and its controls."""

    page: str
    number: int
    method: str
    action: str
    controls: tuple[tuple[str, str], ...] = field(hash=False)
    has_checks: bool = False
    """Whether a field sends its own requests while the user types."""

    needs_device: bool = False
    """Whether the form needs a passkey."""

    @property
    def kinds(self) -> set[str]:
        return {kind for _, kind in self.controls}

    @property
    def key(self) -> tuple[str, str, tuple[str, ...]]:
        names = sorted({re.sub(r"\d+", "0", name) for name, _ in self.controls})
        return self.method, pattern_of(self.action or self.page), tuple(names)


def pattern_of(address: str) -> str:
    """Return the address without its variable parts: ids, names, tokens and the query."""
    path = urlsplit(address).path
    path = re.sub(r"/\d+(-[^/]*)?(?=/|$)", "/0", path)
    path = re.sub(r"/own\d+(?=/|$)", "/own0", path)
    return re.sub(r"/[A-Za-z0-9_][A-Za-z0-9_.-]{29,}$", "/token", path)


def find_forms(
    ask: APIRequestContext, root: str, starts: list[str], has_fields: bool = True
) -> Iterator[FoundForm]:
    """Yield one form of each kind that links lead to."""
    waiting, seen, known = list(starts), set[str](), set[object]()
    while waiting and len(seen) < PAGES_MOST:
        address = urldefrag(urljoin(root, waiting.pop(0)))[0]
        names = ",".join(sorted(re.findall(r"[?&](\w+)=", address))) if "/projects/" in address else ""
        same = pattern_of(address) + names
        if not address.startswith(root) or same in seen:
            continue
        seen.add(same)
        answer = ask.get(address)
        if "text/html" not in answer.headers.get("content-type", ""):
            continue
        page = Links(answer.text())
        waiting += [
            urljoin(answer.url, link) for link in page.links if not link.startswith(("#", "mailto:", "tel:"))
        ]
        for number, form in enumerate(page.forms):
            typed = tuple(each for each in form["controls"] if each[1] not in UNTYPED)
            found = FoundForm(
                answer.url,
                number,
                form["method"],
                urljoin(answer.url, form["action"]),
                typed,
                form["has_checks"],
                form["needs_device"],
            )
            if bool(typed) == has_fields and found.key not in known:
                known.add(found.key)
                yield found


UNASKED = [*UNTYPED, "password", "fieldset", "output"]
TYPED = """(form, unasked) => [...form.elements].map((control, nth) => ({
  nth, name: control.name, type: control.type, value: control.value, mode: control.inputMode,
  most: control.maxLength, checked: control.checked, is_list: control.localName === "select",
  is_closed: control.disabled || control.readOnly,
  is_hidden: control.closest("[aria-hidden=true]") !== null || !control.checkVisibility(),
  options: control.localName === "select" ? [...control.options].map((option) => option.value) : [],
})).filter((control) => control.name && !unasked.includes(control.type))"""
"""A script that returns the values of a form's controls, in order."""


def controls_of(form: Locator) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = form.evaluate(TYPED, UNASKED)
    return [each for each in found if not each["is_closed"] and not each["is_hidden"]]


def values_of(form: Locator) -> dict[str, list[str]]:
    """Return the values by name, without hidden fields."""
    values: dict[str, list[str]] = {}
    for each in controls_of(form):
        kept = values.setdefault(each["name"], [])
        if each["type"] not in CHOICES or each["checked"]:
            kept.append(each["value"].replace("\r\n", "\n"))
    return values


def text_for(control: dict[str, Any], number: int) -> str:
    """Return a valid text for a control. It depends on the control's type, keyboard and name."""
    name = control["name"]
    if name == "page-origins":
        return f"https://typed{number}.example.org"
    if control["type"] == "textarea":
        return f"First line {number} & more.\n\n- “second” <b>line</b>"
    special = {
        "email": f"typed{number}@example.org",
        "tel": "01632 960 144",
        "date": "2024-02-29",
        "number": "3",
        "url": "https://example.org/typed",
    }
    if control["type"] in special:
        return special[control["type"]]
    if control["mode"] == "decimal":
        return "125.00"
    if control["mode"] == "numeric":
        return f"98511200345{number:04}"
    for part, text in (
        ("colour", "#1d5c4b" if control["most"] == 7 else "Blue"),
        ("email", special["email"]),
        ("url", special["url"]),
        ("age", ""),
    ):
        if name == part or name.endswith(f"_{part}"):
            return text
    return f"Typed {number} & kept"[: control["most"] if control["most"] > 0 else None]


# Focuses a control of a form and selects its text. Returns the value, or null if an earlier answer hid the
# control.
ENTER = """(form, nth) => {
  const control = form.elements[nth];
  if (!control.checkVisibility()) return null;
  control.focus();
  if (!["checkbox", "radio", "select-one"].includes(control.type)) control.select?.();
  return control.value;
}"""
VALUE = "(form, nth) => form.elements[nth].value"


def choose_another(page: Page, form: Locator, nth: int, before: str) -> None:
    """Choose the next option of a focused list, or the previous one if the last is chosen."""
    page.keyboard.press("ArrowDown")
    if form.evaluate(VALUE, nth) == before:
        page.keyboard.press("ArrowUp")


def type_in(page: Page, form: Locator, number: int) -> None:
    """Fill in every control by keyboard, and leave the control with Tab."""
    chosen: set[str] = set()
    controls = controls_of(form)
    # Only this column of an import has the question about the meaning of its texts.
    fixed = {f"column-{each['name'].split('-')[1]}" for each in controls if each["name"].startswith("value-")}
    for each in controls:
        if each["name"] in fixed:
            continue
        value = form.evaluate(ENTER, each["nth"])
        if value is None:
            continue
        if each["type"] == "radio":
            # The second choice of a group is not the default.
            if each["name"] in chosen or each["checked"]:
                continue
            if each["name"] == "fee" and value != "money":
                continue  # any other choice rejects an amount
            chosen.add(each["name"])
            page.keyboard.press("Space")
        elif each["type"] == "checkbox":
            # The text of an email is sent only if this box is ticked.
            if not (each["name"] == "tell" and each["checked"]):
                page.keyboard.press("Space")
        elif each["is_list"]:
            choose_another(page, form, each["nth"], value)
        elif each["type"] in ("date", "datetime-local", "time", "month"):
            control = form.evaluate_handle("(form, nth) => form.elements[nth]", each["nth"]).as_element()
            assert control
            control.fill(text_for(each, number))
        elif text := text_for(each, number):
            page.keyboard.insert_text(text)
        else:
            page.keyboard.press("Delete")
        page.keyboard.press("Tab")

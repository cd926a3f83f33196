"""Filling in a form of a rendered page with the values that were typed before."""

from collections.abc import Callable, Iterable
from html import escape
from html.parser import HTMLParser

Attributes = list[tuple[str, str | None]]

NEVER_FILLED = {"file", "password", "submit", "button", "reset", "image"}
FRESH = {"csrf_token", "shown_on", "typed_by"}
"""Names of hidden fields that keep the values of the new page."""
OWN_ID = "unsaved-form"
"""The id of a filled form that has no id of its own."""


class PageCopier(HTMLParser):
    """A parser that copies a page. Subclasses change tags."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.copy: list[str] = []
        self.forms = -1
        self.open_form: int | None = None
        self.ids: dict[str, int] = {}
        """The number of each form by its id."""

    def raw(self) -> str:
        return self.get_starttag_text() or ""

    def handle_starttag(self, tag: str, attributes: Attributes) -> None:
        if tag == "form":
            self.forms += 1
            self.open_form = self.forms
        self.copy.append(self.changed_tag(tag, dict(attributes)))

    def handle_startendtag(self, tag: str, attributes: Attributes) -> None:
        self.copy.append(self.raw())

    def changed_tag(self, tag: str, attributes: dict[str, str | None]) -> str:
        return self.raw()

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.open_form = None
        self.copy.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        self.copy.append(data)

    def handle_entityref(self, name: str) -> None:
        self.copy.append(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self.copy.append(f"&#{name};")

    def handle_comment(self, data: str) -> None:
        self.copy.append(f"<!--{data}-->")

    def handle_decl(self, decl: str) -> None:
        self.copy.append(f"<!{decl}>")


class FormFinder(PageCopier):
    """A parser that finds the number of a form by the address of its action."""

    def __init__(self, page: str, path: str, own_path: str) -> None:
        super().__init__()
        self.path, self.own_path = path, own_path
        self.number: int | None = None
        self.id = ""
        self.feed(page)

    def changed_tag(self, tag: str, attributes: dict[str, str | None]) -> str:
        if tag == "form":
            self.ids[attributes.get("id") or ""] = self.forms
            is_sent = (attributes.get("method") or "").lower() == "post"
            if self.number is None and is_sent and (attributes.get("action") or self.own_path) == self.path:
                self.number, self.id = self.forms, attributes.get("id") or OWN_ID
        return self.raw()


class FormFiller(PageCopier):
    """A parser that copies a page and fills in one of its forms.

    The form gets the attribute ``data-unsaved``. A notice is added at the top of the page's content.
    """

    def __init__(self, page: str, found: FormFinder, fields: Iterable[tuple[str, str]], notice: str) -> None:
        super().__init__()
        self.found, self.notice = found, notice
        self.values: dict[str, list[str]] = {}
        for name, value in fields:
            self.values.setdefault(name, []).append(value)
        self.left = {name: list(values) for name, values in self.values.items()}
        self.select: list[str] | None = None
        """The chosen values of the open ``select``."""
        self.in_textarea = False
        self.feed(page)

    def changed_tag(self, tag: str, attributes: dict[str, str | None]) -> str:
        if tag == "main":
            return self.raw() + self.notice
        if tag == "form" and self.forms == self.found.number:
            new: dict[str, str | None] = {
                "id": self.found.id,
                "action": attributes.get("action") or self.found.path,
                "data-unsaved": "",
            }
            return write_tag(tag, attributes | new)
        if tag == "option" and self.select is not None:
            return write_tag(
                tag, set_checkbox(attributes, "selected", attributes.get("value") in self.select)
            )
        if tag in ("input", "select", "textarea") and self.is_in_form(attributes):
            return self.filled_tag(tag, attributes, attributes.get("name") or "")
        return self.raw()

    def is_in_form(self, attributes: dict[str, str | None]) -> bool:
        outside = attributes.get("form")
        number = self.found.ids.get(outside) if outside else self.open_form
        return number is not None and number == self.found.number

    def filled_tag(self, tag: str, attributes: dict[str, str | None], name: str) -> str:
        kind = attributes.get("type") or "text"
        if kind in ("checkbox", "radio"):
            is_on = (attributes.get("value") or "on") in self.values.get(name, [])
            return write_tag(tag, set_checkbox(attributes, "checked", is_on))
        if kind in NEVER_FILLED or name in FRESH or not self.left.get(name):
            return self.raw()
        if tag == "select":
            self.select = self.values[name]
            return self.raw()
        value = self.left[name].pop(0)
        if tag == "textarea":
            self.in_textarea = True
            return f"{self.raw()}\n{escape(value)}"
        return write_tag(tag, attributes | {"value": value})

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self.in_textarea = False
        if tag == "select":
            self.select = None
        super().handle_endtag(tag)

    def handle_data(self, data: str) -> None:
        if not self.in_textarea:
            super().handle_data(data)

    def handle_entityref(self, name: str) -> None:
        if not self.in_textarea:
            super().handle_entityref(name)

    def handle_charref(self, name: str) -> None:
        if not self.in_textarea:
            super().handle_charref(name)


def set_checkbox(attributes: dict[str, str | None], attribute: str, is_on: bool) -> dict[str, str | None]:
    rest = {name: value for name, value in attributes.items() if name != attribute}
    return rest | {attribute: None} if is_on else rest


def write_tag(tag: str, attributes: dict[str, str | None]) -> str:
    text = "".join(
        f" {name}" if value is None else f' {name}="{escape(value)}"' for name, value in attributes.items()
    )
    return f"<{tag}{text}>"


def fill_form(
    page: str, own_path: str, path: str, fields: Iterable[tuple[str, str]], notice: Callable[[str], str]
) -> str | None:
    """Return the page with one form filled in: the form that is sent to ``path``.

    The result is None if the page has no such form. ``notice`` is a function: it takes the id of the form,
    and returns the notice for the top of the page's content.
    """
    found = FormFinder(page, path, own_path)
    if found.number is None:
        return None
    return "".join(FormFiller(page, found, fields, notice(found.id)).copy)

"""The form fields and query parameters that a view reads."""

from collections.abc import Callable
from typing import Any, ClassVar

import pytest
from apiflask import APIFlask
from flask import request
from werkzeug.datastructures import ImmutableMultiDict

NOT_TRIED = {"csrf_token", "photos", "file"}
"""Names that tests do not try: files, and the CSRF token that every form needs."""

NamesRead = Callable[[Callable[[], object]], list[str]]
"""A function that sends a request, and returns the names that the request's view has read."""


class Recorder(ImmutableMultiDict[str, Any]):
    """Form fields or parameters that record which names are read."""

    asked: ClassVar[set[str]] = set()

    def note(self, name: str) -> None:
        # Only a form has a token. Tests of pages try the parameters of URLs.
        if request.method == "GET" or super().__contains__("csrf_token"):
            self.asked.add(name)

    def __getitem__(self, key: str) -> Any:
        self.note(key)
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        self.note(str(key))
        return super().__contains__(key)

    def get(self, key: str, *rest: Any, **named: Any) -> Any:
        self.note(key)
        return super().get(key, *rest, **named)

    def getlist(self, key: str, *rest: Any, **named: Any) -> Any:
        self.note(key)
        return super().getlist(key, *rest, **named)

    def to_dict(self, flat: bool = True) -> Any:
        recorded = RecordedDict(super().to_dict(flat))
        recorded.note = self.note
        return recorded


class RecordedDict(dict[str, Any]):
    note: Callable[[str], None]

    def get(self, key: str, *rest: Any) -> Any:
        self.note(key)
        return super().get(key, *rest)


def reading_names(app: APIFlask, monkeypatch: pytest.MonkeyPatch) -> NamesRead:
    def read(send: Callable[[], object]) -> list[str]:
        Recorder.asked.clear()
        with monkeypatch.context() as patch:
            patch.setattr(app.request_class, "parameter_storage_class", Recorder)
            send()
        return sorted(Recorder.asked - NOT_TRIED)

    return read

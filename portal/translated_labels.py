"""Labels that are translated when they are read."""

from collections.abc import Iterator, Mapping

from adoption.translations import gettext


class Labels(Mapping[str, str]):
    """Labels by key, each translated when it is read."""

    def __init__(self, messages: Mapping[str, str]) -> None:
        self.messages = messages

    def __getitem__(self, key: str) -> str:
        return gettext(self.messages[key])

    def __iter__(self) -> Iterator[str]:
        return iter(self.messages)

    def __len__(self) -> int:
        return len(self.messages)

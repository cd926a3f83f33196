from collections.abc import Sequence
from random import Random
from typing import Generic, TypeVar

Card = TypeVar("Card")


class Deck(Generic[Card]):
    """Deals each card once, in random order, before any card is repeated."""

    def __init__(self, cards: Sequence[Card], rng: Random) -> None:
        self.cards, self.rng = cards, rng
        self.left: list[Card] = []

    def deal(self) -> Card:
        if not self.left:
            self.left = list(self.cards)
            self.rng.shuffle(self.left)
        return self.left.pop()

"""Descriptions of demo animals that agree with the animals' other fields."""

from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any

from demo.shuffled_deck import Deck
from demo.words import SpeciesPhrases
from demo.words.all_species import PASTS, TOGETHER, WITH
from demo.words.cats import CATS
from demo.words.dogs import DOGS
from demo.words.other_species import BARNYARD, BIRDS, FISH, HORSES, OTHERS, RABBITS, REPTILES, SMALL

WORDS = {
    "dogs": DOGS,
    "cats": CATS,
    "rabbits": RABBITS,
    "small": SMALL,
    "birds": BIRDS,
    "horses": HORSES,
    "barnyard": BARNYARD,
    "reptiles": REPTILES,
    "fish": FISH,
    "others": OTHERS,
}
PRONOUNS = {
    "female": {"he": "she", "him": "her", "his": "her", "old": "lady"},
    "male": {"he": "he", "him": "him", "his": "his", "old": "gentleman"},
    None: {"he": "it", "him": "it", "his": "its", "old": "creature"},
}


@cache
def pronouns(sex: str | None) -> Mapping[str, str]:
    small = PRONOUNS[sex]
    return {**small, **{word.capitalize(): pronoun.capitalize() for word, pronoun in small.items()}}


class DescriptionWriter:
    """Writes descriptions. Each sentence is used once before any sentence is repeated."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.decks: dict[tuple[str, ...], Deck[str]] = {}

    def next_sentence(self, sentences: tuple[str, ...]) -> str:
        deck = self.decks.get(sentences)
        if deck is None:
            deck = self.decks[sentences] = Deck(sentences, self.rng)
        return deck.deal()

    def opener(self, words: SpeciesPhrases, age: float) -> str:
        """Return an opening sentence. ``age`` is a fraction of the lifespan."""
        chance = self.rng.random()
        if words.young and age < 0.06 and chance < 0.8:
            return self.next_sentence(words.young)
        if words.old and age > 0.6 and chance < 0.6:
            return self.next_sentence(words.old)
        return self.next_sentence(words.openers)

    def company_sentences(self, animal: Mapping[str, Any]) -> list[str]:
        chosen = []
        for whom in ("children", "dogs", "cats"):
            sentences = WITH.get((whom, animal[f"good_with_{whom}"]))
            if sentences and self.rng.random() < 0.6:
                chosen.append(self.next_sentence(sentences))
        return chosen

    def describe(
        self, animal: Mapping[str, Any], kind: str, age: float, intake: str, need: str, other: str | None
    ) -> str:
        """Return a paragraph about the animal, and one about the animal's past and the home it needs."""
        words, rng = WORDS[kind], self.rng
        first = [self.opener(words, age), self.next_sentence(words.habits)]
        if rng.random() < 0.4:
            first.append(self.next_sentence(words.habits))
        second = []
        if rng.random() < 0.7 and (words.found or intake != "Stray"):
            second.append(self.next_sentence(PASTS[intake]))
        second += [need] if need else []
        second += self.company_sentences(animal)
        second.append(self.next_sentence(words.homes))
        if other:
            second.append(self.next_sentence(TOGETHER))
        text = " ".join(first) + "\n\n" + " ".join(second)
        return text.format(name=animal["name"], other=other, **pronouns(animal["sex"]))

"""Words of ages in English, Spanish, French, German, Italian, Portuguese, Dutch and Japanese.

All words are in lower case and without accents, as ``age_parser.plain_words`` makes them.
"""

from typing import TypeVar

Meaning = TypeVar("Meaning")

UNIT_WORDS = {
    "year": (
        "y yr yrs year years yo ano anos an ans annee annees j jr jahr jahre jahren jahrig anno anni jaar"
        " jaren 歳 才 年"
    ),
    "month": (
        "m mo mos mon mth mths month months mes meses mois monat monate monaten mese mesi maand maanden mnd"
        " ヶ月 か月 カ月 ヵ月 ケ月 ヶ月齢 か月齢 月 月齢"
    ),
    "week": (
        "w wk wks week weeks semana semanas sem semaine semaines woche wochen settimana settimane weken"
        " wkn 週 週間 週齢"
    ),
    "day": "d day days dia dias jour jours tag tage tagen giorno giorni dag dagen 日 日齢",
}
NUMBER_WORDS = {
    1: "a an one un una uno ein eine einen une um uma een",
    2: "two dos deux zwei due dois duas twee",
    3: "three tres trois drei tre drie",
    4: "four cuatro quatre vier quattro quatro",
    5: "five cinco cinq funf cinque vijf",
    6: "six seis sechs sei zes",
    7: "seven siete sept sieben sette sete zeven",
    8: "eight ocho huit acht otto oito",
    9: "nine nueve neuf neun nove negen",
    10: "ten diez dix zehn dieci dez tien",
    11: "eleven once onze elf undici",
    12: "twelve doce douze zwolf dodici doze twaalf",
}
GROUP_WORDS = {
    "baby": (
        "baby babies puppy puppies kitten kittens pup infant newborn neonate neonatal cachorro cachorra"
        " cachorrito gatito gatita bebe chiot chaton welpe welpen kitte cucciolo cucciola gattino filhote"
        " nestling hatchling 子犬 子猫 仔犬 仔猫 幼犬 幼猫"
    ),
    "young": (
        "young juvenile adolescent teen joven jovenes jeune jung jungtier giovane jovem jong 若い 若年 若齢"
    ),
    "adult": (
        "adult adults adulto adulta adulte erwachsen ausgewachsen volwassen mature 成犬 成猫 成獣 成体"
    ),
    "senior": (
        "senior seniors geriatric elderly old mayor anciano anciana viejo age agee alt anziano anziana"
        " idoso idosa oud シニア 老犬 老猫 高齢 高齢犬 高齢猫"
    ),
}
"""Words of age groups. After a number, some of these words have no meaning: "3 years old", "2 Jahre alt"."""
OTHER_WORDS = {
    "filler": (
        "about around approx approximately circa ca c est estimated roughly almost nearly old of age aged"
        " and than at now currently alt etwa ungefahr rund und als aproximadamente aprox de edad que y cerca"
        " env environ et ou di eta e dan idade oud en leeftijd 約 およそ 推定 くらい"
    ),
    "at least": "over more older least up mas plus mehr uber oltre piu mais meer > + 以上",
    "at most": "under less younger below menos moins unter meno minder < 以下 未満",
    "range": "- to or a bis oder o ou of tot ~",
}


def by_word(table: dict[Meaning, str]) -> dict[str, Meaning]:
    return {word: meaning for meaning, words in table.items() for word in words.split()}


UNITS = by_word(UNIT_WORDS)
NUMBERS = by_word(NUMBER_WORDS)
GROUPS = by_word(GROUP_WORDS)
FILLERS, AT_LEAST, AT_MOST, RANGES = (frozenset(words.split()) for words in OTHER_WORDS.values())
UNKNOWN = frozenset(
    [
        "unknown", "unk", "n/a", "na", "none", "no age", "not known", "?", "-", "tbd", "tba", "desconocido",
        "desconocida", "inconnu", "unbekannt", "sconosciuto", "sconosciuta", "desconhecido", "desconhecida",
        "onbekend", "不明",
    ]
)  # fmt: skip
"""Cell texts that mean an unknown age."""

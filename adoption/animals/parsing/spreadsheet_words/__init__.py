"""Words for headers and values in languages other than English: one module with tables per language.

Words for values are recognised in every file. Some headers have another meaning in another language. Such
headers count only if the file has other headers of the same language.
"""

from adoption.animals.parsing.spreadsheet_words.dutch import DUTCH
from adoption.animals.parsing.spreadsheet_words.french import FRENCH
from adoption.animals.parsing.spreadsheet_words.german import GERMAN
from adoption.animals.parsing.spreadsheet_words.italian import ITALIAN
from adoption.animals.parsing.spreadsheet_words.japanese import JAPANESE
from adoption.animals.parsing.spreadsheet_words.language import Language, Words
from adoption.animals.parsing.spreadsheet_words.portuguese import PORTUGUESE
from adoption.animals.parsing.spreadsheet_words.spanish import SPANISH
from adoption.animals.parsing.text_cleanup import plain_word

LANGUAGES: tuple[Language, ...] = (SPANISH, FRENCH, GERMAN, ITALIAN, PORTUGUESE, DUTCH, JAPANESE)


def foreign_meanings(table: str) -> dict[str, str]:
    """Return the meaning of each word in one kind of table, such as ``sizes``, in all languages."""
    tables: list[Words] = [getattr(language, table) for language in LANGUAGES]
    return {
        plain_word(word): meaning
        for words_by_meaning in tables
        for meaning, words in words_by_meaning.items()
        for word in words.split("|")
    }


def foreign_words(table: str) -> frozenset[str]:
    """Return the words in one kind of list, such as ``yes``, in all languages."""
    lists: list[str] = [getattr(language, table) for language in LANGUAGES]
    return frozenset(plain_word(word) for words in lists for word in words.split("|"))

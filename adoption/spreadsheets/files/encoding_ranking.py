"""Ranking of the possible encodings of text that is not Unicode, by the words that each encoding produces.

This module uses no library for the detection. In most short samples, charset-normalizer detected Windows-1250
or CP775 instead of Windows-1252, and chardet 7 detected Windows-1252 instead of Mac Roman. Neither library
reports a confidence that separates a certain result from a guess. A file of animals has few non-ASCII
letters, so each letter is judged within its word. A real word has letters of one language and one script, and
no capital, symbol or control character inside.
"""

import re
import unicodedata
from collections.abc import Callable
from typing import IO, NamedTuple

ENCODINGS = {
    "cp1252": "Windows-1252 (Western European)",
    "mac_roman": "Mac Roman",
    "cp1250": "Windows-1250 (Central European)",
    "cp1251": "Windows-1251 (Cyrillic)",
    "cp932": "Shift-JIS (Japanese)",
    "gb18030": "GB 18030 (Chinese)",
    "euc_kr": "EUC-KR (Korean)",
    "koi8_r": "KOI8-R (Cyrillic)",
    "cp850": "DOS 850 (Western European)",
    "utf-8": "UTF-8",
}
"""The labels of the ranked encodings. If encodings have equal scores, the first of these encodings wins."""

LANGUAGES = {
    "cp1252": (
        "éèêñïëüöäáíóúçàâôåøœ",  # English, with names from everywhere
        "áéíóúüñ", "àâæçéèêëîïôœùûüÿ", "äöüßé", "áâãàçéêíóôõú", "àèéìíîòóùú", "åäöæøéü", "éèëïóöüêáí",
        "àçéèíïóòúü", "ðþæöáéíóúý",
    ),
    "cp1250": ("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "čćđšž", "ăâîşţ"),
    "cp1251": ("абвгдеёжзийклмнопрстуфхцчшщъыьэюя", "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя"),
}  # fmt: skip
LANGUAGES |= {"mac_roman": LANGUAGES["cp1252"], "cp850": LANGUAGES["cp1252"], "koi8_r": LANGUAGES["cp1251"]}
WIDE = ("cp932", "gb18030", "euc_kr")
QUOTES = "\u2018\u2019\u201c\u201d\u201e«»"
DASHES = "\u2013—…•·"
LOOSE = "°€£½¼¾®™©¿¡ª²\u00a0"
"""Symbols that can be next to a letter in ordinary text."""

CHUNK = re.compile(rb"[A-Za-z'\-]*[\x80-\xff][^\x00-\x20\",;]*")
"""Matches a word with a non-ASCII byte.

Any ASCII letter can follow that byte, because the letter can be the second byte of a character, as in
Shift-JIS.
"""
WORDS_OF_ONE_LETTER = "àáâãäåæèéêìíòóôõöøùúü"
WORDS_MOST = 2_000
LINE_LONGEST = 1 << 20
"""Limit of bytes in one line. A file with the line ends of old Macs counts as a single line."""
SAMPLE_WORDS = 4
SURE_BELOW = 0.12
"""Limit for the share of wrong letters. An encoding is accepted only below this limit."""
POSSIBLE_BELOW = 0.35
"""A higher limit than ``SURE_BELOW``, for an encoding that is far better than all other encodings."""
LEAD, CLEAR_LEAD = 0.08, 0.3
"""How much smaller the best encoding's share of wrong letters must be than the second-best encoding's.

From ``LEAD`` on, the best encoding can be accepted. From ``CLEAR_LEAD`` on, the limit for its share of wrong
letters is ``POSSIBLE_BELOW`` instead of ``SURE_BELOW``.
"""


class Scored(NamedTuple):
    wrong: float
    """The share of wrong letters, from 0 to 1.

    A wrong letter is a non-ASCII character that no real word has at this position.
    """
    encoding: str


def words_beyond_ascii(file: IO[bytes]) -> list[bytes]:
    """Return some different words with non-ASCII bytes, each with the ASCII characters next to them."""
    found: dict[bytes, None] = {}
    file.seek(0)
    while line := file.readline(LINE_LONGEST):
        for word in CHUNK.findall(line):
            found[word] = None
        if len(found) >= WORDS_MOST:
            break
    return list(found)[:WORDS_MOST]


def rank_encodings(words: list[bytes]) -> list[Scored]:
    """Return all encodings, the likeliest first."""
    scored = []
    for order, encoding in enumerate(ENCODINGS):
        if encoding == "utf-8":
            continue
        texts = [word.decode(encoding, "replace") for word in words]
        scored.append((wrong_share(texts, encoding), order, encoding))
    return [Scored(wrong, encoding) for wrong, _, encoding in sorted(scored)]


def wrong_share(texts: list[str], encoding: str) -> float:
    letters = sum(sum(letter > "\x7f" for letter in text) for text in texts) or 1
    wrong = sum(map(wrong_in_wide if encoding in WIDE else wrong_in_narrow, texts))
    return min(1.0, wrong / letters + foreign_share(texts, encoding))


def foreign_share(texts: list[str], encoding: str) -> float:
    """Return the share of letters that do not belong to the encoding's language.

    If the encoding is used for several languages, the language with the smallest share counts.
    """
    letters = [each for each in "".join(texts).lower() if each > "\x7f" and each.isalpha()]
    alphabets = LANGUAGES.get(encoding)
    if not letters or alphabets is None:
        return 0.0
    return min(sum(each not in alphabet for each in letters) for alphabet in alphabets) / len(letters)


def wrong_in_narrow(text: str) -> float:
    """Return the number of misplaced characters in text decoded with a single-byte encoding."""
    wrong = 0.0
    for place, letter in enumerate(text):
        if letter <= "\x7f":
            continue
        before, after = text[place - 1 : place], text[place + 1 : place + 2]
        if letter.isalpha():
            wrong += letter.isupper() and before.islower()
            wrong += letter == "õ" and after.isalpha() and after != "e"  # Hungarian ő; Portuguese has ões, õe
            wrong += mixed_scripts(letter, before) or mixed_scripts(letter, after)
            is_alone = not before.isalpha() and not after.isalpha()
            wrong += 0.5 * (is_alone and is_latin(letter) and letter.lower() not in WORDS_OF_ONE_LETTER)
        elif letter in QUOTES:
            wrong += before.isalpha() and after.isalpha() and letter != "\u2019"
            wrong += 0.5 * (letter in "\u2018\u201c" and before.isalpha() and "\u201e" not in text)
        elif letter in DASHES:
            wrong += before.isalpha() and after.isalpha()
        elif letter in LOOSE:
            wrong += 0.3 * (before.isalpha() and after.isalpha())
        else:
            wrong += 1 if unicodedata.category(letter)[0] == "C" or letter == "\ufffd" else 0.8
    return wrong


def mixed_scripts(one: str, other: str) -> bool:
    return other.isalpha() and is_latin(one) != is_latin(other)


def is_latin(letter: str) -> bool:
    return letter < "\u0250"


def wrong_in_wide(text: str) -> float:
    """Return the number of misplaced characters in text decoded with an East Asian encoding."""
    wrong = 0.0
    for place, letter in enumerate(text):
        if letter <= "\x7f":
            continue
        before, after = text[place - 1 : place], text[place + 1 : place + 2]
        common = "\u3000" <= letter <= "\u30ff" or "\uac00" <= letter <= "\ud7a3" or is_common_han(letter)
        if not common:
            wrong += 1 if letter == "\ufffd" else 0.5
        elif latin_letter(before) or latin_letter(after):
            wrong += 0.6
    return wrong


def latin_letter(letter: str) -> bool:
    return letter.isalpha() and letter <= "\x7f"


def is_common_han(letter: str) -> bool:
    """Return whether a Chinese character is in GB 2312 (6,763 characters) or in JIS level 1."""
    if not "\u4e00" <= letter <= "\u9fff":
        return False
    try:
        return b"\xb0" <= letter.encode("gb2312")[:1] <= b"\xd7"
    except UnicodeEncodeError:
        pass
    try:
        return b"\x88" <= letter.encode("cp932")[:1] <= b"\x97"
    except UnicodeEncodeError:
        return False


def sure_encoding(ranked: list[Scored]) -> str | None:
    """Return the best encoding if the words clearly show it; otherwise None."""
    best, following = ranked[0], ranked[1:]
    lead = min(each.wrong for each in following) - best.wrong
    if best.wrong > (SURE_BELOW if lead < CLEAR_LEAD else POSSIBLE_BELOW):
        return None
    # Windows-1252 needs no lead: it is by far the most common, and encodings with close scores have similar
    # letters.
    return best.encoding if best.encoding == "cp1252" or lead >= LEAD else None


def distinguishing_samples(
    words: list[bytes], encodings: list[str], read: Callable[[bytes, str], str]
) -> dict[str, str]:
    """Return a few words for each encoding, decoded with this encoding. The words show the differences.

    If several encodings have equal results, only the first of these encodings is included.
    """
    readings = {each: [read(word, each).strip() for word in words] for each in encodings}
    spread = [len({reading[place] for reading in readings.values()}) for place in range(len(words))]
    places = [place for place in range(len(words)) if spread[place] > 1] or list(range(len(words)))
    telling = sorted(sorted(places, key=lambda place: -spread[place])[:SAMPLE_WORDS])
    seen: set[tuple[str, ...]] = set()
    samples = {}
    for each, reading in readings.items():
        if tuple(reading) not in seen:
            seen.add(tuple(reading))
            samples[each] = " · ".join(reading[place] for place in telling)
    return samples

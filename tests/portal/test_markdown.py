import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import adoption.markdown
from adoption.markdown import (
    LINK_REL,
    LONGEST,
    SIGNS_MOST,
    TAGS,
    beginning_of,
    first_words,
    render_prose,
    rendering_to_store,
    summary_of,
)
from portal.markdown import html_of_markdown
from tests.pages import ParsedPage

ATTACKS = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt&colon;alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](vbscript:x)",
    "![x](https://tracker.example/p.png)",
    "[![](https://tracker.example/p.png)](https://a.example)",
    '[x](/ "onmouseover=alert(1)")',
    "<a href='javascript:alert(1)'>x</a>",
    '<https://a.example/"onclick=alert(1)>',
    "<!-- --><iframe src=//evil.example>",
    "<style>*{display:none}</style>",
    "`</code><script>alert(1)</script>`",
    '```"><script>\n</script>\n```',
    "|a|\n|:-:|\n|<b style=x>|",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "# <h1 id=main>\n\n[x]: javascript:alert(1)\n\n[x]",
    "\x01\u202e\ufffe",
    "\0",
]
PIECES = [
    "<",
    ">",
    '"',
    "'",
    "[",
    "](",
    ")",
    "![",
    "*",
    "_",
    "`",
    "\n",
    "\n\n",
    "# ",
    "- ",
    "> ",
    "&",
    "a",
    " ",
]
PIECES += [
    "<script>",
    "javascript:",
    "https://a.example",
    "onload=",
    "style=",
    "<img src=x>",
    "|",
    "~~",
    "\\",
]


PLAIN_PIECES = [
    "a",
    "Rex",
    "e\u0301",
    "\U0001f415",
    "\u05d0",
    "\n",
    "\n\n",
    " ",
    "  ",
    "2",
    "2019-05",
    ". ",
    ", ",
    "!",
    "?",
]
PLAIN_PIECES += [
    "'",
    '"',
    "(",
    ")",
    "/",
    ": ",
    ";",
    "-",
    "+",
    "=",
    "#",
    "|",
    " & ",
    "%",
    "$",
    "^",
    "{",
    "}",
    "@",
    "\u2013",
    "\ufffe",
]


def is_harmless(html: str) -> bool:
    page = ParsedPage(html)
    links = [given.get("href") or "" for given in page.all("a")]
    return (
        {tag for tag, _ in page.elements} <= TAGS
        and {name for _, given in page.elements for name in given} <= {"href", "rel", "title", "start"}
        and all(given.get("rel") == LINK_REL for given in page.all("a"))
        and not [link for link in links if re.match(r"(?!https?:|mailto:|tel:)[^/#?]*:", link)]
    )


@pytest.mark.parametrize("text", ATTACKS)
def test_markdown_output_is_safe_for_any_text(text: str) -> None:
    assert is_harmless(html_of_markdown(text))


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=60).map("".join))
def test_markdown_output_is_safe_for_any_mixture_of_markup(text: str) -> None:
    assert is_harmless(html_of_markdown(text))
    assert len(first_words(text, 40)) <= 40


def test_markdown_is_rendered() -> None:
    text = "First\nsecond **bold** *slanted* [site](https://a.example)\n\n- one\n- two\n\n3. three"
    assert html_of_markdown(text) == (
        "<p>First<br>\nsecond <strong>bold</strong> <em>slanted</em> "
        '<a href="https://a.example" rel="nofollow noopener">site</a></p>\n'
        '<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n<ol start="3">\n<li>three</li>\n</ol>\n'
    )


def test_markdown_headings_are_below_the_headings_of_the_page() -> None:
    assert re.findall("<(h.)>", html_of_markdown("# One\n\n## Two\n\n# One again")) == ["h3", "h4", "h3"]
    assert re.findall("<(h.)>", html_of_markdown("### One\n\n###### Two")) == ["h3", "h4"]
    deep = "\n\n".join(f"{'#' * n} {n}" for n in range(1, 7))
    assert re.findall("<(h.)>", html_of_markdown(deep)) == ["h3", "h4", "h5", "h6", "h6", "h6"]


def test_a_markdown_image_becomes_its_alt_text() -> None:
    assert html_of_markdown("![Asleep on a <cushion>](https://tracker.example/p.png)") == (
        "<p>Asleep on a &lt;cushion&gt;</p>\n"
    )


@pytest.mark.parametrize("text", ["[" * 30_000, "![" * 30_000, "*_" * 30_000, "`a" * 30_000, "~~a" * 9_000])
def test_markdown_with_too_many_signs_is_shown_as_typed(text: str) -> None:
    assert html_of_markdown(text) == f"<p>{text[:LONGEST]}</p>\n"


def test_a_text_of_too_many_lines_keeps_its_lines_and_paragraphs() -> None:
    shown = html_of_markdown("<b>one</b>\ntwo\n \n\nthree & four" + "\n" * 600)
    assert shown == "<p>&lt;b&gt;one&lt;/b&gt;<br>\ntwo</p>\n<p>three &amp; four</p>\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Loves *string* and [sun](https://a.example).", "Loves string and sun."),
        ("# Hello\n\nyou\nthere", "Hello you there"),
        ("One two three four", "One two three…"),
        ("Onetwothreefour" * 3, "Onetwothreefou…"),
        ("", ""),
    ],
)
def test_the_plain_text_of_markdown_is_one_line(text: str, found: str) -> None:
    assert first_words(text, 15 if "three" in text else 160) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("**Calm** and <b>kind</b>.\n\n- Loves [sun](https://a.example)", "Calm and <b>kind</b>. Loves sun"),
        ("word " * 40, " ".join(["word"] * 40)),
        ("words, " * 40, " ".join(["words,"] * 28).rstrip(",") + "…"),
        ("", ""),
    ],
)
def test_a_summary_is_plain_text_cut_at_a_word(text: str, found: str) -> None:
    stored = rendering_to_store(text, beginning_of)
    assert summary_of(text) == summary_of(text, stored) == found
    assert len(found) <= 200


@settings(deadline=None, max_examples=500)
@given(st.one_of(st.lists(st.sampled_from(PLAIN_PIECES + PIECES)).map("".join), st.text()))
def test_plain_text_has_the_same_html_with_and_without_parsing(text: str) -> None:
    unparsed = render_prose(text), beginning_of(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(adoption.markdown, "is_plain", lambda _: False)
        assert (render_prose(text), beginning_of(text)) == unparsed


def test_ordinary_sentences_are_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adoption.markdown.markdown, "parse", lambda _: pytest.fail("parsed"))
    text = "Rex (4) loves walks & naps \u2013 and 2 cats!\nIs he shy? \u201cNo\u201d; he's #1.\n\n"
    text += "Ask us: 555-0100, 50% off."
    lines, last = text.split("\n\n")
    html = "".join(f"<p>{each}</p>\n" for each in (lines.replace("\n", "<br>\n"), last)).replace("&", "&amp;")
    assert render_prose(text) == html
    assert beginning_of(text) == " ".join(text.split())


@pytest.mark.parametrize(("signs", "most"), SIGNS_MOST)
def test_text_with_one_sign_over_the_limit_is_shown_as_typed(signs: str, most: int) -> None:
    assert "<strong>b</strong>" in html_of_markdown("**b**" + signs[-1] * (most - 4 * ("*" in signs)))
    assert "<strong>" not in html_of_markdown("**b**" + signs[-1] * (most + 1))

"""Parsing of the domain field: pasted text becomes one bare host or an error."""

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adoption.domains import hostname_parser
from adoption.domains.hostname_parser import NameRefused, host_in
from adoption.domains.hostnames import display_host, record_name, www_partner

PLATFORM = ("platform.example",)

ACCEPTED = {
    "adopt.example.org": "adopt.example.org",
    "https://adopt.example.org": "adopt.example.org",
    "HTTPS://Adopt.Example.org:8443/animals?species=cat#top": "adopt.example.org",
    "//adopt.example.org/": "adopt.example.org",
    "adopt.example.org/animals": "adopt.example.org",
    "adopt.example.org:443": "adopt.example.org",
    "adopt.example.org?x=user@example.com": "adopt.example.org",
    "https://sam:secret@adopt.example.org/": "adopt.example.org",
    "  adopt.example.org \n": "adopt.example.org",
    "\u00a0adopt.example.org\u3000": "adopt.example.org",
    "adopt.example.org.": "adopt.example.org",
    "<adopt.example.org>": "adopt.example.org",
    "\uff21\uff44\uff4f\uff50\uff54\uff0e\uff45\uff58ample.org": "adopt.example.org",
    "adopt\u3002example\uff61org": "adopt.example.org",
    "B\u00fccher.example": "xn--bcher-kva.example",
    "xn--bcher-kva.example": "xn--bcher-kva.example",
    "XN--BCHER-KVA.example": "xn--bcher-kva.example",
    "stra\u00dfe.example": "xn--strae-oqa.example",
    "\u4f8b\u3048.example": "xn--r8jz45g.example",
    "\u0dc1\u0dca\u200d\u0dbb\u0dd3.example": "xn--10cl1a0b660p.example",  # a Sinhala word has the joiner
    "xn--10cl1a0b660p.example": "xn--10cl1a0b660p.example",
    "example.co.uk": "example.co.uk",
    "shelter.github.io": "shelter.github.io",
    "notplatform.example": "notplatform.example",
    "platform.example.org": "platform.example.org",
    f"{'a' * 63}.example": f"{'a' * 63}.example",
}

REFUSED = {
    "": hostname_parser.EMPTY,
    " \t": hostname_parser.EMPTY,
    "https://": hostname_parser.EMPTY,
    "/path": hostname_parser.EMPTY,
    "203.0.113.7": hostname_parser.ADDRESS,
    "http://203.0.113.7:80/": hostname_parser.ADDRESS,
    "2001:db8::1": hostname_parser.ADDRESS,
    "[2001:db8::1]:443": hostname_parser.ADDRESS,
    "0x7f.1": hostname_parser.ADDRESS,
    "127.1": hostname_parser.ADDRESS,
    "sam@example.org": hostname_parser.EMAIL,
    "mailto:sam@example.org": hostname_parser.EMAIL,
    "localhost": hostname_parser.ONE_LABEL,
    "example.": hostname_parser.ONE_LABEL,
    "*.example.org": hostname_parser.WILDCARD,
    "my_shelter.example.org": hostname_parser.UNDERSCORE,
    "\u2615.example.org": hostname_parser.EMOJI,
    "\U0001f431.example.org": hostname_parser.EMOJI,
    "xn--53h.example.org": hostname_parser.EMOJI,
    "\U0001f468\u200d\U0001f469.example.org": hostname_parser.EMOJI,
    "a\u200db.example.org": hostname_parser.LETTERS,
    "xn--a.example.org": hostname_parser.PUNYCODE,
    "xn--.example.org": hostname_parser.PUNYCODE,
    "xn--abc-.example.org": hostname_parser.PUNYCODE,
    "xn--99999999999.example.org": hostname_parser.PUNYCODE,
    "a b.example.org": hostname_parser.BLANK,
    "adopt.example.org, www.example.org": hostname_parser.BLANK,
    "-a.example.org": hostname_parser.HYPHEN,
    "a-.example.org": hostname_parser.HYPHEN,
    "ab--cd.example.org": hostname_parser.HYPHEN,
    "a..example.org": hostname_parser.NO_LABEL,
    ".example.org": hostname_parser.NO_LABEL,
    "exa$mple.org": hostname_parser.LETTERS,
    "a\x00b.example.org": hostname_parser.LETTERS,
    "adopt.example.org:port": hostname_parser.LETTERS,
    f"{'a' * 64}.example": hostname_parser.LABEL_TOO_LONG % {"number": 63},
    f"{chr(0xFC) * 60}.example": hostname_parser.LABEL_TOO_LONG % {"number": 63},
    ".".join(["a" * 60] * 5): hostname_parser.NAME_TOO_LONG % {"number": 253},
    "a" * 2_001: hostname_parser.TOO_LONG,
    "co.uk": hostname_parser.SUFFIX % {"ending": "co.uk"},
    "github.io": hostname_parser.SUFFIX % {"ending": "github.io"},
    "platform.example": hostname_parser.OURS % {"domain": "platform.example"},
    "Elm.Platform.example.": hostname_parser.OURS % {"domain": "elm.platform.example"},
}


ENDINGS = {
    "foo.local": "only inside one network",
    "printer.lan": "only inside one network",
    "x.internal": "only inside one network",
    "x.home.arpa": "only inside one network",
    "a.localhost": "only inside one network",
    "x.test": "are for tests and examples",
    "test.invalid": "are for tests and examples",
    "x.example": "are for tests and examples",
    "x.onion": "only in the Tor network",
    "1.0.0.127.in-addr.arpa": "technical use",
    "adopt.example.orq": "There is no domain that ends in .orq. Is it spelt right? Perhaps you mean .org.",
    "adopt.example.zzzzzz": "There is no domain that ends in .zzzzzz. Is it spelt right? Enter a domain",
}


@pytest.mark.parametrize(("pasted", "sentence"), ENDINGS.items())
def test_names_that_no_authority_can_issue_for_are_refused(pasted: str, sentence: str) -> None:
    with pytest.raises(NameRefused, match=re.escape(sentence)):
        host_in(pasted, ("homeward.org",))
    assert host_in(pasted) == pasted, "an existing domain can still be entered"


def test_a_trial_installation_accepts_reserved_endings_like_its_own() -> None:
    assert host_in("adopt.example", ("homeward.example",)) == "adopt.example"
    assert host_in("adopt.example", ("localhost",)) == "adopt.example"
    with pytest.raises(NameRefused):
        host_in("foo.local", ("homeward.example",))


@pytest.mark.parametrize(("pasted", "host"), ACCEPTED.items())
def test_pasted_text_becomes_one_bare_host(pasted: str, host: str) -> None:
    assert host_in(pasted, PLATFORM) == host


@pytest.mark.parametrize(("pasted", "sentence"), REFUSED.items())
def test_each_invalid_host_has_its_own_error(pasted: str, sentence: str) -> None:
    with pytest.raises(NameRefused) as refused:
        host_in(pasted, PLATFORM)
    assert str(refused.value) == sentence


SIMILAR_TO_HOSTS = st.lists(
    st.one_of(
        st.text("ab-_1.*\u00fc\u00df\u200d\u0661\u05d0", max_size=6),
        st.text(max_size=4),
        st.from_regex(r"xn--[a-z0-9-]{0,8}", fullmatch=True),
        st.sampled_from(["org", "co.uk", "example", "platform.example", "https://", "@", ":80"]),
    ),
    max_size=5,
).map(".".join)


@settings(max_examples=400, deadline=None)
@given(st.one_of(st.text(), SIMILAR_TO_HOSTS))
@example("\u1e9e.example")
@example("xn--zca.example")
@example("\u05d01.1\u05d0.example")
@example("a\u3002\u3002example")
@example("a.\U000e0100.example")
@example("\ud800.example")
def test_parsing_a_host_is_idempotent_for_any_text(text: str) -> None:
    try:
        host = host_in(text, PLATFORM)
    except NameRefused:
        return
    assert host_in(host, PLATFORM) == host
    assert host_in(display_host(host), PLATFORM) == host
    assert host.isascii()
    assert host == host.lower()
    assert 0 < len(host) <= 253
    assert not set(host) - set("abcdefghijklmnopqrstuvwxyz0123456789.-")


def test_record_names_are_relative_to_the_zone() -> None:
    assert record_name("example.org") == "@"
    assert record_name("adopt.example.org") == "adopt"
    assert record_name("a.b.example.co.uk") == "a.b"
    assert record_name("adopt.example.org", "_homeward") == "_homeward.adopt"
    assert record_name("example.org", "_homeward") == "_homeward"


def test_an_apex_and_its_www_name_are_partners() -> None:
    assert www_partner("example.co.uk") == "www.example.co.uk"
    assert www_partner("www.example.org") == "example.org"
    assert www_partner("adopt.example.org") is None
    assert www_partner("www.adopt.example.org") is None


def test_punycode_is_displayed_as_unicode() -> None:
    assert display_host("xn--bcher-kva.example") == "b\u00fccher.example"
    assert display_host("example.org") == "example.org"

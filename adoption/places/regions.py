"""States of the USA and provinces of Canada, by code and by name."""

from typing import NamedTuple

from adoption.search_words import words_in

STATES = """
AL Alabama, AK Alaska, AZ Arizona, AR Arkansas, CA California, CO Colorado, CT Connecticut, DE Delaware,
DC District of Columbia, FL Florida, GA Georgia, HI Hawaii, ID Idaho, IL Illinois, IN Indiana, IA Iowa,
KS Kansas, KY Kentucky, LA Louisiana, ME Maine, MD Maryland, MA Massachusetts, MI Michigan, MN Minnesota,
MS Mississippi, MO Missouri, MT Montana, NE Nebraska, NV Nevada, NH New Hampshire, NJ New Jersey,
NM New Mexico, NY New York, NC North Carolina, ND North Dakota, OH Ohio, OK Oklahoma, OR Oregon,
PA Pennsylvania, RI Rhode Island, SC South Carolina, SD South Dakota, TN Tennessee, TX Texas, UT Utah,
VT Vermont, VA Virginia, WA Washington, WV West Virginia, WI Wisconsin, WY Wyoming, AS American Samoa,
GU Guam, MP Northern Mariana Islands, PR Puerto Rico, VI US Virgin Islands
"""
PROVINCES = """
AB Alberta, BC British Columbia, MB Manitoba, NB New Brunswick, NL Newfoundland and Labrador, NS Nova Scotia,
NT Northwest Territories, NU Nunavut, ON Ontario, PE Prince Edward Island, QC Quebec, SK Saskatchewan,
YT Yukon
"""


class Region(NamedTuple):
    """A state of the USA or a province of Canada. No state has the same code as a province."""

    country: str
    code: str
    name: str


def read_regions(country: str, table: str) -> list[Region]:
    pairs = [entry.strip().partition(" ") for entry in table.replace("\n", " ").split(",")]
    return [Region(country, code, name) for code, _, name in pairs]


REGIONS = read_regions("US", STATES) + read_regions("CA", PROVINCES)
BY_WORDS = {tuple(words_in(text)): region for region in REGIONS for text in (region.code, region.name)}


def find_region(text: str) -> Region | None:
    """Return the state or province with this code or name, such as "NJ" or "new jersey"."""
    return BY_WORDS.get(tuple(words_in(text)))

"""Structured data of the catalogue for search engines: schema.org as JSON-LD."""

from markupsafe import Markup

from adoption.animals.page_paths import animal_path
from portal.animals.structured_data import SCHEMA, data_block
from portal.catalogue.filters import PAGE_SIZE
from portal.catalogue.search import CatalogueResult


def item_list(result: CatalogueResult) -> Markup:
    """Return the list of animal pages as JSON-LD."""
    root = result.root.rstrip("/")
    items = [
        {"@type": "ListItem", "position": position, "url": f"{root}{animal_path(animal.id, animal.name)}"}
        for position, animal in enumerate(result.animals[:PAGE_SIZE], start=1)
    ]
    return data_block({"@context": SCHEMA, "@type": "ItemList", "itemListElement": items})

"""The changelog of the API, newest first. Add an entry for every change that an integrator can notice."""

from datetime import date
from typing import NamedTuple


class ApiChange(NamedTuple):
    slug: str
    """The entry's id in the feed. It never changes."""
    on: date
    title: str
    text: str
    """The entry's text. It can contain Markdown's `code`, like the specification document."""


CHANGES = (
    ApiChange(
        "petfinder",
        date(2026, 11, 30),
        "Programs for Petfinder's API work again",
        "`/petfinder/v2` and `/v2` have the operations, parameters, fields and errors of Petfinder's API: "
        "tokens, animals, types, breeds and organizations. Create a key with the scope `directory:read`, and "
        "change the address and the credentials of your program.",
    ),
    ApiChange(
        "animals",
        date(2026, 11, 30),
        "Animals with all their fields",
        "`GET /animals` and `GET /animals/{animalId}` return all public fields of an animal: breeds, age, "
        "photos, description, fee, shelter and more. Lists have filters, sort orders, and `fields` to leave "
        "members out. Keys with `pets:read` can use both. `GET /directory/animals` does the same for the "
        "animals of all shelters, with the scope `directory:read`. `GET /pets` is unchanged.",
    ),
    ApiChange(
        "changes",
        date(2026, 11, 30),
        "A feed of changes, for exact copies",
        "`GET /changes` lists each animal of the project once, with its newest change: `changed` or `gone`. "
        "`include=animal` adds the animal. Every response has the address of the next request in its `Link` "
        "header.",
    ),
    ApiChange(
        "directory-shelters",
        date(2026, 11, 30),
        "A directory of shelters, also for web pages",
        "`GET /directory/shelters` and `GET /directory/shelters/{shelterId}` return all published shelters, "
        "with address, contact and the number of animals, by name, country or distance. They need the new "
        "scope `directory:read`, which a key has only if you choose it. Publishable keys, which begin with "
        "`hwp_`, read the directory from scripts in web pages.",
    ),
    ApiChange(
        "plan-limits",
        date(2026, 11, 29),
        "Plans limit the number of animals",
        "`POST /pets` gets 403 `plan_limit` once the account has as many animals as its plan includes: "
        "2,000 on Free, 20,000 on Pro, 200,000 on Business. Animals that exist stay.",
    ),
    ApiChange(
        "chunked-bodies",
        date(2026, 11, 29),
        "Bodies need a Content-Length",
        "A chunked body gets 411 `length_required`. A chunked body that was cut off looked "
        "complete, so half a request could be stored. HTTP libraries send a length if you pass them "
        "text or bytes.",
    ),
    ApiChange(
        "strikes",
        date(2026, 11, 29),
        "A parallel burst no longer bans a key",
        "A rejected request counts towards a ban only if it comes at least a second after the key's "
        "first 429 in the window.",
    ),
    ApiChange(
        "names",
        date(2026, 11, 29),
        "Invisible names are rejected",
        "`POST /pets` rejects a name without a visible character, with a character that changes the "
        "direction of text, or with a code point that is not a character.",
    ),
    ApiChange(
        "specification-for-generators",
        date(2026, 11, 29),
        "The specification document suits client generators",
        "`categoryId` is an integer without a list of values, since categories may be added. The "
        "default of `status` is in its description, so that generated clients do not require it.",
    ),
    ApiChange(
        "smaller-changes",
        date(2026, 11, 29),
        "Smaller changes",
        "`Location` is a whole address. Errors have `Cache-Control: no-store`. Lists are compressed "
        "if you send `Accept-Encoding`. A key with only `pets:write` can read `GET /categories`. A "
        "compressed body gets 415. `OPTIONS` answers 204. A message lists at most 20 errors.",
    ),
    ApiChange(
        "getpet-deprecated",
        date(2025, 12, 5),
        "GET /pets/{petId} is deprecated",
        "It is removed on 5 December 2030. Use `GET /pets` with its `status` filter instead.",
    ),
)

"""Judging what DNS says of a host: each record with what was found, what is expected and what to do."""

import math
import secrets
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from adoption.domains.answers import NODATA, Answer, failure, legible
from adoption.domains.caa import Permission, permission
from adoption.domains.dns import Look
from adoption.domains.exchanges import CHAIN_LONGEST
from adoption.domains.names import is_apex, parents, record_name, registrable, shown
from adoption.domains.ownership import CLAIMED, USED, WILDCARD

OWNERSHIP = "_homeward"
"""The label of the TXT record that proves ownership of a host."""
CLOUDFLARE = ".ns.cloudflare.com"
PATIENCE = "New records can take up to 48 hours to be seen everywhere. We check again automatically."


class Wanted(NamedTuple):
    """What there should be of a host."""

    host: str
    target: str
    """The name that an alias is to lead to."""
    token: str = ""
    """The text of the TXT record that proves ownership; empty where the host is verified already."""
    proof: str = USED
    """Why that record is needed; empty where only a wildcard makes it necessary."""
    issuers: Collection[str] = ("letsencrypt.org",)
    rivals: Collection[str] = ()
    """What that record says where the host is another account's by now."""

    @property
    def kind(self) -> str:
        """The kind of record to make: an apex cannot have a CNAME."""
        return "ALIAS" if is_apex(self.host) else "CNAME"


class Record(NamedTuple):
    """One record as it is and as it should be. ``ok`` is None where nobody could look."""

    type: str
    name: str
    """As a provider's form wants it."""
    found: tuple[str, ...]
    expected: str
    ok: bool | None
    code: str
    fix: str = ""
    """What to do, as one sentence."""
    why: str = ""
    right: tuple[str, ...] = ()
    """Of ``found``, what is to stay, where that is not the expected value itself."""

    @property
    def hint(self) -> str:
        return f"{self.fix} {self.why}".strip()


class Report(NamedTuple):
    records: tuple[Record, ...]
    caa: Permission
    proven: bool = False
    """Whether the TXT record that proves ownership was found."""

    @property
    def ok(self) -> bool | None:
        """Whether all is right; False where one record is known to be wrong, None where that is not known."""
        if any(record.ok is False for record in self.records):
            return False
        return None if any(record.ok is None for record in self.records) else True


class Seen(NamedTuple):
    """Every answer that the judgement needs."""

    alias: Answer
    a: Answer
    aaaa: Answer
    target_a: Answer
    target_aaaa: Answer
    token: Answer
    sibling: Answer
    """The alias of a name beside the host that nobody has made: only a wildcard record answers for it."""
    remembered: Answer
    """What a resolver tells of the alias, or of the addresses where there is none."""
    name_servers: tuple[str, ...] = ()
    further: tuple[str, ...] | None = ()
    """The names that a wrong alias leads to in the end; None where they go round in a circle."""

    @property
    def at_cloudflare(self) -> bool:
        return any(each.endswith(CLOUDFLARE) for each in self.name_servers)


def random_label() -> str:
    return secrets.token_hex(10)


def examine(wanted: Wanted, look: Look, new_label: Callable[[], str] = random_label) -> Report:
    """Look at a host's records and judge them, within the time that ``look`` has."""
    host, target = wanted.host, wanted.target
    with ThreadPoolExecutor(max_workers=6) as pool:
        caa = pool.submit(permission, host, look.authority, wanted.issuers)
        name_servers = pool.submit(look.name_servers, host)
        asked = [pool.submit(look.authority, host, kind) for kind in ("CNAME", "A", "AAAA")]
        asked += [pool.submit(look.cached, target, kind) for kind in ("A", "AAAA")]
        asked += [pool.submit(look.cached, host, kind) for kind in ("CNAME", "A")]
        asked.append(pool.submit(texts_of, wanted, look))
        asked.append(pool.submit(sibling_of, wanted, look, new_label()))
        alias, a, aaaa, target_a, target_aaaa, remembered, remembered_a, token, sibling = (
            each.result() for each in asked
        )
    seen = Seen(alias, a, aaaa, target_a, target_aaaa, token, sibling, remembered, name_servers.result())
    if seen.alias.values and seen.alias.values[0] != target:
        seen = seen._replace(further=follow(seen.alias.values[0], look, host))
    elif not seen.alias.values and is_apex(host):
        seen = seen._replace(remembered=remembered_a)
    proven = bool(wanted.token) and wanted.token in texts_in(seen.token)
    return Report(judge(wanted, seen), caa.result(), proven)


def texts_of(wanted: Wanted, look: Look) -> Answer:
    """What says whose the host is; it is asked for only where that decides anything."""
    decides = wanted.token or wanted.rivals
    return look.authority(f"{OWNERSHIP}.{wanted.host}", "TXT") if decides else Answer(NODATA)


def sibling_of(wanted: Wanted, look: Look, label: str) -> Answer:
    """Return the alias of a random name beside the host, which decides only while ownership is open."""
    _, _, parent = wanted.host.partition(".")
    if not wanted.token or registrable(parent) is None:
        return Answer(NODATA)
    return look.authority(f"{label}.{parent}", "CNAME")


def follow(name: str, look: Look, start: str) -> tuple[str, ...] | None:
    """The names that an alias leads to, one after the other; None where they lead round in a circle."""
    names = [name]
    while len(names) <= CHAIN_LONGEST:
        if name == start or name in names[:-1]:
            return None
        values = look.cached(name, "CNAME").values
        if not values:
            return tuple(names)
        name = values[0]
        names.append(name)
    return None


def judge(wanted: Wanted, seen: Seen) -> tuple[Record, ...]:
    """Every record, each with its own sentence."""
    rows = rows_of_host(wanted, seen)
    if wanted.token:
        rows += rows_of_proof(wanted, seen)
    elif wanted.rivals:
        rows += rows_of_rivals(wanted, seen.token)
    return tuple(rows)


def rows_of_host(wanted: Wanted, seen: Seen) -> list[Record]:
    if seen.alias.failed:
        return [not_looked(wanted, seen.alias)]
    if seen.alias.values:
        return [row_of_alias(wanted, seen), *conflicts(wanted, seen)]
    if is_apex(wanted.host):
        return rows_of_apex(wanted, seen)
    if rows := conflicts(wanted, seen):
        return rows
    return [nothing_there(wanted, seen)]


def nothing_there(wanted: Wanted, seen: Seen) -> Record:
    for each in (seen.a, seen.aaaa):
        if each.failed:
            return not_looked(wanted, each)
    name = record_name(wanted.host)
    fix = f"Add the {wanted.kind} record for {name} at your DNS provider."
    return row(wanted, (), False, "missing", fix, f"There is none yet. {PATIENCE}")


def row(
    wanted: Wanted, found: tuple[str, ...], ok: bool | None, code: str, fix: str = "", why: str = ""
) -> Record:
    """The row of the record that is to lead to us."""
    found = legible(found)
    return Record(wanted.kind, record_name(wanted.host), found, wanted.target, ok, code, fix, why)


def not_looked(wanted: Wanted, answer: Answer) -> Record:
    why = f"{answer.reason}. Nothing has changed, and we check again automatically."
    return row(wanted, (), None, "dns_failed", "We could not look just now.", why)


def row_of_alias(wanted: Wanted, seen: Seen) -> Record:
    found, name, target = seen.alias.values, record_name(wanted.host), wanted.target
    if found == (target,):
        return row(wanted, found, True, "cname_ok", why=what_is_remembered(seen, seen.alias))
    if seen.further is None:
        return not_looked(wanted, failure("The records lead round in a circle"))
    if any(found[0] == f"{target}.{zone}" for zone in parents(wanted.host)):
        fix = f"Edit the CNAME for {name} and put a dot behind its value: {target}."
        why = "Your provider has put your own domain behind it, since the value had no dot at its end."
        return row(wanted, found, False, "cname_zone_appended", fix, why)
    if target in seen.further:
        fix = f"Edit the CNAME for {name} so that it names {target} itself."
        why = f"It names {found[0]}, which leads here. Its owner could lead your visitors elsewhere."
        return row(wanted, found, False, "cname_chain", fix, why)
    fix = f"Edit the CNAME for {name} and replace its value with {target}."
    return row(wanted, found, False, "cname_wrong", fix, f"It still names {', '.join(legible(found))}.")


def conflicts(wanted: Wanted, seen: Seen) -> list[Record]:
    """Addresses where the alias should stand: DNS allows nothing beside it."""
    kinds = (("A", seen.a.values), ("AAAA", seen.aaaa.values))
    return [conflict(wanted, kind, values, seen.at_cloudflare) for kind, values in kinds if values]


def conflict(wanted: Wanted, kind: str, values: tuple[str, ...], at_cloudflare: bool) -> Record:
    name = record_name(wanted.host)
    if at_cloudflare:
        fix = f"At Cloudflare, set the record for {name} to “DNS only”."
        why = f"It is proxied, or an {kind} record, so nobody sees a CNAME to {wanted.target} there."
    else:
        fix = f"Delete the {kind} record for {', '.join(legible(values))}."
        why = f"Where it stands there can be no CNAME. Then add the CNAME for {name} to {wanted.target}."
    code = "aaaa_conflict" if kind == "AAAA" else "a_conflict_proxied" if at_cloudflare else "a_conflict"
    return Record(kind, name, legible(values), wanted.target, False, code, fix, why)


def rows_of_apex(wanted: Wanted, seen: Seen) -> list[Record]:
    """An apex leads to us where all its addresses are among the target's own: flattened, ALIAS or ANAME."""
    found = seen.a.values + seen.aaaa.values
    if not found:
        return [nothing_there(wanted, seen)]
    for each in (seen.target_a, seen.target_aaaa, seen.a, seen.aaaa):
        if each.failed:
            return [not_looked(wanted, each)]
    ours = {*seen.target_a.at_end, *seen.target_aaaa.at_end}
    if not ours:  # a fault of this service's own zone, by which nobody's domain has moved
        return [not_looked(wanted, failure(f"{wanted.target} has no address at the moment"))]
    kinds = (("A", seen.a.values), ("AAAA", seen.aaaa.values))
    strays = [(kind, values, sorted(set(values) - ours)) for kind, values in kinds if set(values) - ours]
    if not strays:
        return [row(wanted, found, True, "alias_ok", why=what_is_remembered(seen, seen.a))]
    return [elsewhere(wanted, kind, values, stray, seen) for kind, values, stray in strays]


def elsewhere(
    wanted: Wanted, kind: str, values: tuple[str, ...], strays: Sequence[str], seen: Seen
) -> Record:
    if seen.at_cloudflare:
        fix = "At Cloudflare, set the record for @ to “DNS only”."
        why = f"Its addresses are not those of {wanted.target}, so it is proxied or leads elsewhere."
    else:
        fix = f"Delete the {kind} record for {', '.join(legible(strays))}."
        rest = "Keep the other one." if len(values) == len(strays) + 1 else "Keep the others."
        why = (
            f"It leads elsewhere, so some visitors land there. {rest}"
            if len(values) > len(strays)
            else f"It leads elsewhere. Then add an ALIAS or ANAME record for @ to {wanted.target}."
        )
    found = legible(values)
    right = tuple(each for each in found if each in values and each not in strays)
    return Record(kind, "@", found, wanted.target, False, "a_elsewhere", fix, why, right)


def what_is_remembered(seen: Seen, now: Answer) -> str:
    """What visitors may still see of what stood there before, where that differs."""
    before = seen.remembered
    if before.failed or before.values == now.values:
        return ""
    minutes = max(1, math.ceil(before.seconds / 60))
    unit = "minute" if minutes == 1 else "minutes"
    return f"Your provider has it; resolvers may keep the old answer for {minutes} more {unit}."


WHY_PROOF = {
    USED: "Another account here uses {zone}, or used it before. Only the owner of the domain can add this "
    "record, so it shows that the domain is yours.",
    CLAIMED: "Another account here added {zone} before you. Only the owner of the domain can add this "
    "record, so it shows that the domain is yours, and you do not have to wait.",
    WILDCARD: "Your DNS has a wildcard record (*), so every name under {zone} leads here, even names "
    "that you never set up. These records show that you want this name here. The wildcard record can stay.",
}
"""Why the TXT record is needed, for people."""


def why_proof(reason: str, host: str) -> str:
    return WHY_PROOF[reason].format(zone=shown(registrable(host) or host))


def rows_of_proof(wanted: Wanted, seen: Seen) -> list[Record]:
    """Return the row of the TXT record; none where nothing makes it necessary."""
    leads_here = seen.alias.values == (wanted.target,)
    found = texts_in(seen.token)
    if leads_here and seen.sibling.values == seen.alias.values:
        return [row_of_token(wanted, seen.token, WILDCARD)]
    if wanted.proof:
        return [row_of_token(wanted, seen.token, wanted.proof)]
    if leads_here and seen.sibling.failed and wanted.token not in found:
        return [not_looked(wanted, seen.sibling)]
    return []


def row_of_token(wanted: Wanted, answer: Answer, reason: str) -> Record:
    name, found = record_name(wanted.host, OWNERSHIP), texts_in(answer)

    def told(ok: bool | None, code: str, fix: str = "", why: str = "") -> Record:
        values = [wanted.token] if ok else found
        return Record("TXT", name, legible(values), wanted.token, ok, code, fix, why)

    if answer.failed:
        return told(None, "dns_failed", "We could not check just now.", f"{answer.reason}.")
    if wanted.token in found:
        return told(True, "txt_ok")
    fix = f"Add a TXT record with the name {name} and the expected value."
    if reason == WILDCARD:
        # RFC 4592, 2.2.2: with a record below the host, the wildcard no longer answers for the host itself.
        own = f"a CNAME record with the name {record_name(wanted.host)} and the value {wanted.target}"
        fix = f"Add {own}, and a TXT record with the name {name} and the expected value."
    return told(False, "txt_wrong" if found else "txt_missing", fix, why_proof(reason, wanted.host))


def rows_of_rivals(wanted: Wanted, answer: Answer) -> list[Record]:
    """None where nothing says that the host is another's."""
    if answer.failed:
        return [not_looked(wanted, answer)]
    name, rivals = record_name(wanted.host, OWNERSHIP), sorted({*texts_in(answer)} & {*wanted.rivals})
    if not rivals:
        return []
    fix = f"If the domain is still yours, delete the TXT record for {name}."
    why = "It says that another account here has the domain now, and the domain has led elsewhere meanwhile."
    return [Record("TXT", name, legible(rivals), "", False, "taken", fix, why)]


def texts_in(answer: Answer) -> tuple[str, ...]:
    return answer.values or answer.at_end

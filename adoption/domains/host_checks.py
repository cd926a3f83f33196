"""Checks of the records that lead a host to this service: a CNAME, or the addresses of an apex."""

import math
from collections.abc import Sequence

from adoption.domains.dns_answers import Answer, failure, legible
from adoption.domains.findings import Findings
from adoption.domains.names import is_apex, parents, record_name
from adoption.domains.records import Record, Wanted, target_record, unchecked_record

PATIENCE = "New records can take up to 48 hours to be seen everywhere. We check again automatically."


def check_host(wanted: Wanted, seen: Findings) -> list[Record]:
    if seen.alias.failed:
        return [unchecked_record(wanted, seen.alias)]
    if seen.alias.values:
        return [alias_record(wanted, seen), *find_conflicts(wanted, seen)]
    if is_apex(wanted.host):
        return check_apex(wanted, seen)
    if rows := find_conflicts(wanted, seen):
        return rows
    return [missing_record(wanted, seen)]


def missing_record(wanted: Wanted, seen: Findings) -> Record:
    for each in (seen.a, seen.aaaa):
        if each.failed:
            return unchecked_record(wanted, each)
    name = record_name(wanted.host)
    fix = f"Add the {wanted.kind} record for {name} at your DNS provider."
    return target_record(wanted, (), False, "missing", fix, f"There is none yet. {PATIENCE}")


def alias_record(wanted: Wanted, seen: Findings) -> Record:
    found, name, target = seen.alias.values, record_name(wanted.host), wanted.target
    if found == (target,):
        return target_record(wanted, found, True, "cname_ok", why=cache_note(seen, seen.alias))
    if seen.further is None:
        return unchecked_record(wanted, failure("The records lead round in a circle"))
    if any(found[0] == f"{target}.{zone}" for zone in parents(wanted.host)):
        fix = f"Edit the CNAME for {name} and put a dot behind its value: {target}."
        why = "Your provider has put your own domain behind it, since the value had no dot at its end."
        return target_record(wanted, found, False, "cname_zone_appended", fix, why)
    if target in seen.further:
        fix = f"Edit the CNAME for {name} so that it names {target} itself."
        why = f"It names {found[0]}, which leads here. Its owner could lead your visitors elsewhere."
        return target_record(wanted, found, False, "cname_chain", fix, why)
    fix = f"Edit the CNAME for {name} and replace its value with {target}."
    why = f"It still names {', '.join(legible(found))}."
    return target_record(wanted, found, False, "cname_wrong", fix, why)


def find_conflicts(wanted: Wanted, seen: Findings) -> list[Record]:
    """Addresses where the alias should stand: DNS allows nothing beside it."""
    kinds = (("A", seen.a.values), ("AAAA", seen.aaaa.values))
    return [conflict_record(wanted, kind, values, seen.at_cloudflare) for kind, values in kinds if values]


def conflict_record(wanted: Wanted, kind: str, values: tuple[str, ...], at_cloudflare: bool) -> Record:
    name = record_name(wanted.host)
    if at_cloudflare:
        fix = f"At Cloudflare, click the orange cloud beside {name}, so that it turns grey (DNS only)."
        why = f"Nobody sees a CNAME to {wanted.target} there: the record is proxied, or an {kind} record."
    else:
        fix = f"Delete the {kind} record for {', '.join(legible(values))}."
        why = (
            "It sends visitors to your old website and blocks the new record. "
            f"Then add the CNAME for {name} to {wanted.target}."
        )
    code = "aaaa_conflict" if kind == "AAAA" else "a_conflict_proxied" if at_cloudflare else "a_conflict"
    return Record(kind, name, legible(values), wanted.target, False, code, fix, why)


def check_apex(wanted: Wanted, seen: Findings) -> list[Record]:
    """An apex leads to us where all its addresses are among the target's own: flattened, ALIAS or ANAME."""
    found = seen.a.values + seen.aaaa.values
    if not found:
        return [missing_record(wanted, seen)]
    for each in (seen.target_a, seen.target_aaaa, seen.a, seen.aaaa):
        if each.failed:
            return [unchecked_record(wanted, each)]
    ours = {*seen.target_a.at_end, *seen.target_aaaa.at_end}
    if not ours:  # a fault of this service's own zone, by which nobody's domain has moved
        return [unchecked_record(wanted, failure(f"{wanted.target} has no address at the moment"))]
    kinds = (("A", seen.a.values), ("AAAA", seen.aaaa.values))
    strays = [(kind, values, sorted(set(values) - ours)) for kind, values in kinds if set(values) - ours]
    if not strays:
        return [target_record(wanted, found, True, "alias_ok", why=cache_note(seen, seen.a))]
    return [stray_record(wanted, kind, values, stray, seen) for kind, values, stray in strays]


def stray_record(
    wanted: Wanted, kind: str, values: tuple[str, ...], strays: Sequence[str], seen: Findings
) -> Record:
    if seen.at_cloudflare:
        fix = "At Cloudflare, click the orange cloud beside @, so that it turns grey (DNS only)."
        why = f"Its addresses are not those of {wanted.target}, so it is proxied or leads elsewhere."
    else:
        fix = f"Delete the {kind} record for {', '.join(legible(strays))}."
        rest = "Keep the other one." if len(values) == len(strays) + 1 else "Keep the others."
        share = "about half" if len(values) == 2 * len(strays) else "some"
        why = (
            f"It leads to your old website, so {share} of your visitors still land there. {rest}"
            if len(values) > len(strays)
            else f"It leads to your old website. Then add an ALIAS or ANAME record for @ to {wanted.target}."
        )
    found = legible(values)
    right = tuple(each for each in found if each in values and each not in strays)
    return Record(kind, "@", found, wanted.target, False, "a_elsewhere", fix, why, right)


def cache_note(seen: Findings, now: Answer) -> str:
    """What visitors may still see of what stood there before, where that differs."""
    before = seen.remembered
    if before.failed or before.values == now.values:
        return ""
    minutes = max(1, math.ceil(before.seconds / 60))
    unit = "minute" if minutes == 1 else "minutes"
    return f"Your provider has it; resolvers may keep the old answer for {minutes} more {unit}."

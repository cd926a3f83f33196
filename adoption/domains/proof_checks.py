"""Checks of the TXT record that proves which account a host belongs to."""

from adoption.domains.dns_answers import Answer, legible
from adoption.domains.findings import Findings, texts_in
from adoption.domains.names import record_name, registrable, shown
from adoption.domains.ownership import CLAIMED, USED, WILDCARD
from adoption.domains.records import OWNERSHIP, Record, Wanted, unchecked_record

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


def check_proof(wanted: Wanted, seen: Findings) -> list[Record]:
    """Return the row of the TXT record; none where nothing makes it necessary."""
    leads_here = seen.alias.values == (wanted.target,)
    found = texts_in(seen.token)
    if leads_here and seen.sibling.values == seen.alias.values:
        return [token_record(wanted, seen.token, WILDCARD)]
    if wanted.proof:
        return [token_record(wanted, seen.token, wanted.proof)]
    if leads_here and seen.sibling.failed and wanted.token not in found:
        return [unchecked_record(wanted, seen.sibling)]
    return []


def token_record(wanted: Wanted, answer: Answer, reason: str) -> Record:
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


def check_rivals(wanted: Wanted, answer: Answer) -> list[Record]:
    """None where nothing says that the host is another's."""
    if answer.failed:
        return [unchecked_record(wanted, answer)]
    name, rivals = record_name(wanted.host, OWNERSHIP), sorted({*texts_in(answer)} & {*wanted.rivals})
    if not rivals:
        return []
    fix = f"If the domain is still yours, delete the TXT record for {name}."
    why = "It says that another account here has the domain now, and the domain has led elsewhere meanwhile."
    return [Record("TXT", name, legible(rivals), "", False, "taken", fix, why)]

"""Checks of the TXT record that proves which account owns a host."""

import re

from adoption.domains.dns_answers import DnsAnswer, printable_values
from adoption.domains.dns_lookups import Findings, texts_in
from adoption.domains.dns_records import OWNERSHIP, CheckedRecord, WantedRecords, unchecked_record
from adoption.domains.hostnames import display_host, registrable
from adoption.domains.ownership_claims import CLAIMED, USED, WILDCARD
from adoption.translations import gettext, message

AROUND = " \t\r\n\u00a0\u200b\ufeff\"'`“”\u2018\u2019«»"
"""Characters that forms and copying add to a value. Tokens contain none of these characters."""
WITHIN = re.compile(rf"[{AROUND}]")

WHY_PROOF = {
    USED: message(
        "Another account here uses %(zone)s, or used it before. Only the owner of the "
        "domain can add this record, so the record shows that the domain is yours."
    ),
    CLAIMED: message(
        "Another account here added %(zone)s before you. Only the owner of the domain can "
        "add this record, so the record shows that the domain is yours. Without the "
        "record, you may have to wait for up to 7 days."
    ),
    WILDCARD: message(
        "Your record named * makes every name under %(zone)s lead here, even names that "
        "you never set up. These records show that you want this name here. The record "
        "named * can stay."
    ),
}
"""The reasons for the TXT record, for people."""


def why_proof(reason: str, host: str) -> str:
    return gettext(WHY_PROOF[reason], zone=display_host(registrable(host) or host))


def normalize_token(text: str) -> str:
    """Return a TXT value in lower case, like tokens, without surrounding quotes and spaces."""
    return text.strip(AROUND).lower()


def is_proven(wanted: WantedRecords, found: Findings) -> bool:
    """Return whether the TXT record that proves ownership exists."""
    return bool(wanted.token) and wanted.token in map(normalize_token, texts_in(found.token))


def check_proof(wanted: WantedRecords, found: Findings) -> list[CheckedRecord]:
    """Return the row of the TXT record that proves ownership; empty if the record is not needed."""
    leads_here = found.alias.values == (wanted.target,)
    if leads_here and found.sibling.values == found.alias.values and not found.is_explicit:
        return [token_record(wanted, found, WILDCARD)]
    if wanted.proof:
        return [token_record(wanted, found, wanted.proof)]
    if leads_here and found.sibling.failed and not is_proven(wanted, found):
        return [unchecked_record(wanted, found.sibling)]
    return []


def token_record(wanted: WantedRecords, found: Findings, reason: str) -> CheckedRecord:
    texts, answer = texts_in(found.token), found.token

    def row(ok: bool | None, code: str, fix: str = "", why: str = "") -> CheckedRecord:
        values = [each for each in texts if normalize_token(each) == wanted.token] if ok else texts
        return CheckedRecord(
            "TXT", wanted.token_name, printable_values(values), wanted.token, ok, code, fix, why
        )

    if answer.failed:
        return row(None, "dns_failed", "We could not check just now.", f"{answer.reason}.")
    if is_proven(wanted, found):
        return row(True, "txt_ok")
    if difference := difference_from(wanted.token, texts):
        fix = f"Edit the TXT record named {wanted.token_name}: replace its value with the expected value."
        return row(False, "txt_wrong", fix, difference)
    if wanted.token in map(normalize_token, texts_in(found.doubled_token)):
        fix = f"Edit the TXT record: change its name to {wanted.token_name} alone."
        full_name = printable_values([f"{OWNERSHIP}.{wanted.host}.{wanted.zone}"])[0]
        why = f"The record is for {full_name} now, because your provider adds {wanted.zone} to every name."
        return row(False, "txt_name_doubled", fix, why)
    code, why = "txt_wrong" if texts else "txt_missing", why_proof(reason, wanted.host)
    return row(False, code, add_proof(wanted, reason), why)


def difference_from(token: str, texts: tuple[str, ...]) -> str:
    """Return the mistake in a damaged copy of the token, as a sentence; empty without such a copy."""
    _, _, secret = token.partition("=")
    for text in texts:
        value = WITHIN.sub("", text).lower()
        if value == token:
            return "There are spaces or quotation marks inside the value."
        if value == secret:
            return f"The beginning {token.removesuffix(secret)} is missing."
        if token in value:
            return "There is other text before or after the value."
        cut = value.rstrip(".…")
        if cut != token and token.startswith(cut) and len(cut) > len(token) - len(secret):
            return "The end of the value is missing. Copy it with the button beside the expected value."
    return ""


def add_proof(wanted: WantedRecords, reason: str) -> str:
    add = f"a TXT record with the name {wanted.token_name} and the expected value"
    if reason == WILDCARD:
        # RFC 4592, 2.2.2: with a record below the host, the wildcard no longer answers for the host itself.
        return f"Add a CNAME record with the name {wanted.name} and the value {wanted.target}, and {add}."
    return f"Add {add}."


def check_rivals(wanted: WantedRecords, answer: DnsAnswer) -> list[CheckedRecord]:
    """Return a row if a TXT record proves that a different account owns the host; empty otherwise."""
    if answer.failed:
        return [unchecked_record(wanted, answer)]
    rivals = sorted({*map(normalize_token, texts_in(answer))} & {*wanted.rivals})
    if not rivals:
        return []
    fix = f"If the domain is still yours, delete the TXT record named {wanted.token_name}."
    why = "The domain led elsewhere for a while, and this record gives the domain to another account here."
    return [CheckedRecord("TXT", wanted.token_name, printable_values(rivals), "", False, "taken", fix, why)]

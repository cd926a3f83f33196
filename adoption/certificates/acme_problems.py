"""Problem documents of ACME (RFC 8555, section 6.7): their codes and texts."""

import json

from acme import messages

from adoption.certificates.problem_advice import DNS, DNSSEC, PAUSED, RATE_LIMITED, UNSPECIFIED, unpause_link

PREFIX = "urn:ietf:params:acme:error:"


def problem_code(problem: messages.Error) -> str:
    """Return the last part of the problem's type, or our own code for a problem that needs other advice.

    If all parts of a compound problem have the same code, return the code of the parts. Let's Encrypt reports
    broken DNSSEC as ``dns``, with a text such as "looking up A for example.org: DNSSEC: DNSKEY Missing".
    """
    code = (problem.typ or "").removeprefix(PREFIX) if (problem.typ or "").startswith(PREFIX) else ""
    parts = {problem_code(each) for each in problem.subproblems or ()}
    if code == "compound" and len(parts) == 1:
        return parts.pop()
    if code == RATE_LIMITED and unpause_link(problem_text(problem)):
        return PAUSED
    if code == DNS and "DNSSEC" in problem_text(problem):
        return DNSSEC
    return code or UNSPECIFIED


def problem_text(problem: messages.Error) -> str:
    """Return the authority's description, including the descriptions for single names."""
    parts = [
        problem.detail or problem.title or "",
        *(each.detail or "" for each in problem.subproblems or ()),
    ]
    return " ".join(dict.fromkeys(part for part in parts if part)) or json.dumps(problem.typ)

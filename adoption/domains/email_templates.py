"""Emails to the owners about their domains. Each function returns a subject and a text."""

from collections.abc import Sequence
from typing import NamedTuple

from adoption.domains.hostnames import display_host
from adoption.mail.text_layout import Email, join_paragraphs
from adoption.text_joining import join_names
from adoption.translations import gettext, message, ngettext


def verified_email(host: str, project: str) -> Email:
    name = display_host(host)
    return gettext("%(domain)s leads to your site now", domain=name), join_paragraphs(
        gettext(
            "DNS for %(domain)s is correct. Visitors of %(domain)s see the site of "
            "%(project)s, if the site is published.",
            domain=name,
            project=project,
        ),
        gettext("You do not have to do anything else. If the domain ever leads elsewhere, we email you."),
    )


class DnsNews(NamedTuple):
    """A DNS problem of a verified domain."""

    kind: str
    """The kind of problem: ``MOVED``, ``FORBIDDEN``, ``UNRESOLVED`` or ``UNANSWERED``."""
    host: str
    project: str
    detail: str
    """The fix, as sentences."""


MOVED, FORBIDDEN, UNRESOLVED, UNANSWERED = "moved", "forbidden", "unresolved", "unanswered"
NOTICED = message("We keep checking, and notice automatically when that is fixed.")


def moved_email(news: DnsNews) -> Email:
    name = display_host(news.host)
    return gettext("%(domain)s no longer leads to your site", domain=name), join_paragraphs(
        gettext(
            "We checked DNS for %(domain)s again. %(domain)s no longer leads to the site of "
            "%(project)s. Visitors who still reach us see the site as before.",
            domain=name,
            project=news.project,
        ),
        news.detail,
        gettext("If you moved %(domain)s on purpose, remove it under Settings, Domains.", domain=name),
    )


def forbidden_email(news: DnsNews) -> Email:
    name = display_host(news.host)
    return gettext("A CAA record blocks the certificate for %(domain)s", domain=name), join_paragraphs(
        gettext(
            "We checked DNS for %(domain)s again. A CAA record now blocks the certificate, which browsers "
            "need for https. If there is a certificate already, it is used until it expires.",
            domain=name,
        ),
        news.detail,
        gettext(NOTICED),
    )


def unresolved_email(news: DnsNews) -> Email:
    name = display_host(news.host)
    return gettext("Many visitors cannot reach %(domain)s", domain=name), join_paragraphs(
        gettext(
            "We checked DNS for %(domain)s again. Your record is there, but many DNS servers refuse it, so "
            "many visitors cannot reach your site.",
            domain=name,
        ),
        news.detail,
        gettext(NOTICED),
    )


def unanswered_email(news: DnsNews) -> Email:
    name = display_host(news.host)
    return gettext("The DNS servers of %(domain)s do not answer", domain=name), join_paragraphs(
        gettext(
            "The DNS servers of %(domain)s have not answered us for a week. Many visitors probably cannot "
            "reach your site there. Your settings here have not changed.",
            domain=name,
        ),
        news.detail,
        gettext("We keep checking, and notice automatically when the DNS servers answer again."),
    )


LAPSED = (
    "The domain may have expired, or your DNS provider may have switched its DNS off. "
    "Sign in at your DNS provider and check both."
)
"""What owners have to do if the DNS servers do not answer."""
ALONE = {
    MOVED: moved_email,
    FORBIDDEN: forbidden_email,
    UNRESOLVED: unresolved_email,
    UNANSWERED: unanswered_email,
}
SEVERAL = {
    MOVED: message(
        "These domains no longer lead to your site. Visitors who still reach us see the "
        "site as before. If you moved a domain on purpose, remove it under Settings, "
        "Domains."
    ),
    FORBIDDEN: message(
        "At these domains, a CAA record now blocks the certificate, which browsers need "
        "for https. Existing certificates are used until they expire."
    ),
    UNRESOLVED: message(
        "The records of these domains are there, but many DNS servers refuse the records, "
        "so many visitors cannot reach your site."
    ),
    UNANSWERED: message(
        "The DNS servers of these domains have not answered us for a week. Many visitors "
        "probably cannot reach your site there."
    ),
}


def news_email(news: Sequence[DnsNews]) -> Email:
    """Return one email about all these problems."""
    if len(news) == 1:
        return ALONE[news[0].kind](news[0])
    parts = [gettext("We checked DNS for your domains again.")]
    for kind, sentences in SEVERAL.items():
        of_kind = [each for each in news if each.kind == kind]
        parts += [gettext(sentences)] if of_kind else []
        for detail in dict.fromkeys(each.detail for each in of_kind):
            names = join_names([display_host(each.host) for each in of_kind if each.detail == detail])
            parts.append(f"{names}: {detail}")
    count = len({each.host for each in news})
    subject = ngettext(
        "Problems with DNS of %(domain)s",
        "Problems with DNS of %(num)s of your domains",
        count,
        domain=display_host(news[0].host),
    )
    return subject, join_paragraphs(*parts, gettext(NOTICED))


def claimed_email(host: str, until: str) -> Email:
    """Return the email to the owners of an earlier claim about a later claim.

    ``until`` is the date until which the earlier claim comes first.
    """
    name = display_host(host)
    return gettext("Someone else added %(domain)s", domain=name), join_paragraphs(
        gettext(
            "Another account added %(domain)s to its site here. You added the domain first, and nothing has "
            "changed for your site.",
            domain=name,
        ),
        gettext(
            "If the domain is yours, add the DNS record that is shown under Settings, Domains, then press "
            "Verify. Your claim comes first until %(date)s. After that, the other account can connect the "
            "domain if its DNS leads here.",
            date=until,
        ),
        gettext("If the domain is not yours, you do not have to do anything."),
    )


def handed_over_email(host: str) -> Email:
    name = display_host(host)
    return gettext("%(domain)s belongs to another site now", domain=name), join_paragraphs(
        gettext(
            "Another account added %(domain)s to its site, and proved with a DNS record that the domain is "
            "its own. The domain was removed from your list, and your site is no longer shown there.",
            domain=name,
        ),
        gettext(
            "If the domain is yours, check who can edit its DNS. Then add it again under Settings, Domains, "
            "and add the DNS record that we show you there."
        ),
    )

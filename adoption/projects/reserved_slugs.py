"""Slugs that shelters cannot have, because visitors would take the shelter's host for the service's own host.

For example, ``login.homeward.example`` would have the platform's certificate, but a shelter's texts. Existing
projects keep their slugs.
"""

import re
from urllib.parse import urlsplit

from adoption.settings import Settings


def split_words(text: str) -> frozenset[str]:
    return frozenset(text.split())


SERVICE = "homeward"
"""The service's own name. No shelter gets a slug that is similar to this name."""

HOSTS = split_words("""
    api app apps assets backup backups cache cdn cname custom customdomain customdomains database db
    developer developers doc docs documentation domain domains download downloads edge embed files ftp
    gateway git go graphql host hosting images img lb link links m media mobile node openapi origin photos
    postgres proxy queue redirect redis rest s3 search server sftp short site sites socket
    sockets ssh ssl static storage tenant tenants tls uploads url urls v1 v2 v3 vpn web webhook webhooks
    widget worker workers ws ww www
""")
"""Names of hosts that the service has, or may need later."""

PAGES = split_words("""
    account accounts activate activation auth authenticate authentication bank bill billing cart checkout
    confirm confirmation console controlpanel cpanel dashboard donate donation donations gift gifts id
    identity idp invitation invitations invite invoice invoices join key keys login logon logout me member
    members mfa my myaccount oauth oidc openid order orders otp panel passkey passkeys password passwords
    pay payment payments plans portal preferences pricing profile recover recovery register registration
    reset saml session sessions settings shop signin signon signout signup sso store subscribe subscription
    subscriptions token tokens twofactor upgrade user users verification verify wallet
""")
"""Names of pages where people type a password or pay."""

PEOPLE = split_words("""
    about aboutus abuse academy admin administration administrator admins alert alerts announcement
    announcements blog careers community company complaints compliance contact contacts copyright
    customerservice customersupport dmca faq feedback forum forums fraud gdpr guide guides health help
    helpcenter helpcentre helpdesk incidents investors jobs learn legal maintenance media moderator
    moderators news newsroom notice notices notification notifications official operator operators owner
    owners partner partners phishing policies policy press privacy report reports root safe safety secure
    security service servicedesk services spam staff status superuser support sysadmin system team terms
    tos trust uptime
""")
"""Names of people who speak for the service, and of pages with the service's announcements and rules."""

SUBJECT = split_words("""
    adopt adoption adoptions animal animals application applications catalog catalogue directory pet pets
    rescue rescues shelter shelters
""")
"""Words for adoption in general. Visitors would take such a host for a part of the whole service."""

MAIL = split_words("""
    arc bimi bounce bounces dkim dmarc domainkey email emails hostmaster imap imaps inbox info list lists
    mail mailer mailerdaemon mailserver marketing mtasts mx newsletter newsletters noreply outbox pop pop3
    postmaster relay sales smtp smtps spf sslwebmaster usenet uucp webmail webmaster
""")
"""Hosts that email programs try, and mailboxes that certificate authorities write to (RFC 2142)."""

LOOKED_UP = split_words("""
    acme acmechallenge autoconfig autodiscover broadcasthost ca caldav calendar carddav contacts crl dns
    doh dot enterpriseenrollment enterpriseregistration isatap jabber kdc kerberos kms ldap local
    localdomain localhost lyncdiscover msoid nameserver ns ntp ocsp openpgpkey pki rdap resolver sip sips
    stun time turn wellknown whois wpad xmpp
""")
"""Hosts that programs look up automatically to find proxies, accounts, keys or names."""

DEVELOPMENT = split_words("""
    admintools alpha analytics beta build builds canary ci corp demo demos dev devel develop development
    extranet gitlab grafana healthz internal intranet jenkins kibana local log logging logs metrics monitor
    monitoring new next old phpmyadmin preprod preview previews private prod production prometheus qa
    readyz review sandbox sentry stage staging statistics stats test tester testing tests trace tracing uat
""")
"""Names of hosts for developing and monitoring the service."""

NO_NAMES = split_words("""
    anonymous default everyone false nil none null true undefined unknown
""")
"""Words that programs treat as an empty name."""

RESERVED = HOSTS | PAGES | PEOPLE | SUBJECT | MAIL | LOOKED_UP | DEVELOPMENT | NO_NAMES | {SERVICE}
BESIDE_NAME = HOSTS | PAGES | PEOPLE | MAIL
"""Words that look official in combination with the service's name, as in ``homeward-support``."""

LOOK_ALIKE = str.maketrans("01345", "oleas")
"""Digits that people read as letters, as in ``l0gin``."""

NUMBERED = re.compile(r".+-\d+")
"""The format of a slug such as ``login-2``, which a project gets if ``login`` is reserved or taken."""


def is_reserved(slug: str, settings: Settings) -> bool:
    """Return whether the slug is reserved, so that a new project cannot have the slug."""
    if NUMBERED.fullmatch(slug):
        return False
    plain = slug.replace("-", "")
    spellings = {plain, read_as_letters(plain), plain.rstrip("0123456789")}
    reserved = RESERVED | labels_of_settings(settings)
    return not spellings.isdisjoint(reserved) or any(
        passes_for(spelling, name) for spelling in spellings for name in names_of_service(settings)
    )


def read_as_letters(text: str) -> str:
    return text.translate(LOOK_ALIKE).replace("vv", "w").replace("rn", "m")


def labels_of_settings(settings: Settings) -> set[str]:
    """Return each label of the hosts in the settings, without hyphens."""
    addresses = (settings.base_url, settings.staging_base_url, settings.mail_url, settings.platform_url)
    hosts = [urlsplit(address).hostname or "" for address in addresses]
    hosts += [settings.cname_target, settings.edge[0] if settings.edge else ""]
    return {label.replace("-", "") for host in hosts for label in host.lower().split(".") if label}


def names_of_service(settings: Settings) -> set[str]:
    """Return the service's name and the first label of the platform's host."""
    own = settings.platform_name.partition(".")[0].replace("-", "")
    return {SERVICE, own}


def passes_for(text: str, name: str) -> bool:
    """Return whether people could mistake a text for the service's name.

    Such a text is the name with one typo, or the name together with a word of ``BESIDE_NAME``.
    """
    if len(name) >= 5 and is_one_typo_apart(text, name):
        return True
    before, found, after = text.partition(name)
    return bool(found) and before + after in BESIDE_NAME and not (before and after)


def is_one_typo_apart(one: str, other: str) -> bool:
    """Return whether the texts differ by one typo at most: an added, wrong or swapped letter."""
    short, long = sorted((one, other), key=len)
    if len(long) - len(short) > 1:
        return False
    start = next((n for n, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    rest, longer = short[start:], long[start:]
    if len(short) < len(long):
        return rest == longer[1:]
    return rest[1:] == longer[1:] or rest == longer[1:2] + longer[:1] + longer[2:]

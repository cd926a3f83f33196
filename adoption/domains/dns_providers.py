"""DNS providers, recognised by their name servers, and the labels of their forms for DNS records."""

from collections.abc import Collection
from fnmatch import fnmatchcase
from typing import NamedTuple

from adoption.translations import message


class Provider(NamedTuple):
    name: str
    servers: tuple[str, ...]
    """Patterns for the names of the provider's name servers, with ``*``."""
    address: str
    """The address of the provider's page that lists the domains of a signed-in customer."""
    path: tuple[str, ...]
    """The path to a domain's records: the menu items in order."""
    add: str
    """The label of the button for a new record."""
    name_field: str
    value_field: str
    save: str = "Save"
    apex: str = ""
    """The provider's record type that leads an apex to a host name; empty if the provider has no such
    type."""
    ends_in_dot: bool = False
    """Whether names in the form's value field need a dot at the end."""
    note: str = ""
    """A hint to follow before saving the record."""


PROVIDERS = (
    Provider(
        "Cloudflare",
        ("*.ns.cloudflare.com",),
        "https://dash.cloudflare.com/?to=/:account/:zone/dns/records",
        ("your domain", "DNS", "Records"),
        "Add record",
        "Name",
        "Target",
        apex="CNAME",
        note=message("Switch “Proxy status” off, so that the orange cloud turns grey (DNS only)."),
    ),
    Provider(
        "GoDaddy",
        ("*.domaincontrol.com",),
        "https://dcc.godaddy.com/control/portfolio",
        ("your domain", "DNS"),
        "Add New Record",
        "Name",
        "Value",
    ),
    Provider(
        "Namecheap",
        ("*.registrar-servers.com",),
        "https://ap.www.namecheap.com/domains/list/",
        ("Manage", "Advanced DNS"),
        "Add New Record",
        "Host",
        "Value",
        save="the tick",
        apex="ALIAS Record",
    ),
    Provider(
        "IONOS",
        ("*.ui-dns.com", "*.ui-dns.de", "*.ui-dns.org", "*.ui-dns.biz"),
        "https://my.ionos.com/domains",
        ("the gear beside your domain", "DNS"),
        "Add record",
        "Host name",
        "Points to",
    ),
    Provider(
        "Squarespace",
        ("*.squarespacedns.com", "*.googledomains.com"),
        "https://account.squarespace.com/domains",
        ("your domain", "DNS Settings", "Custom records"),
        "Add record",
        "Host",
        "Data",
    ),
    Provider(
        "STRATO",
        ("*.rzone.de",),
        "https://www.strato.de/apps/CustomerService",
        ("Domains", "Domainverwaltung", "the gear beside the subdomain", "DNS"),
        "verwalten",
        "Subdomain",
        "CNAME-Record",
        save="Einstellung übernehmen",
        ends_in_dot=True,
        note=message(
            "At STRATO, the CNAME is in the settings of a subdomain. If the subdomain is "
            "missing, add it first."
        ),
    ),
    Provider(
        "OVHcloud",
        ("*.ovh.net", "*.ovh.ca", "*.anycast.me"),
        "https://www.ovh.com/manager/#/web/domain",
        ("Domain names", "your domain", "DNS zone"),
        "Add an entry",
        "Sub-domain",
        "Target",
        save="Confirm",
        ends_in_dot=True,
    ),
    Provider(
        "Hostinger",
        ("*.dns-parking.com",),
        "https://hpanel.hostinger.com/domains",
        ("Manage", "DNS / Nameservers"),
        "Add Record",
        "Name",
        "Target",
        save="Add Record",
        apex="CNAME",
    ),
    Provider(
        "Amazon Route 53",
        ("*.awsdns-*.com", "*.awsdns-*.net", "*.awsdns-*.org", "*.awsdns-*.co.uk"),
        "https://console.aws.amazon.com/route53/v2/hostedzones",
        ("your domain",),
        "Create record",
        "Record name",
        "Value",
        save="Create records",
    ),
    Provider(
        "Bluehost",
        ("*.bluehost.com",),
        "https://my.bluehost.com/",
        ("Domains", "your domain", "DNS"),
        "Add Record",
        "Host Record",
        "Points To",
    ),
    Provider(
        "Wix",
        ("*.wixdns.net",),
        "https://manage.wix.com/account/domains",
        ("the three dots beside your domain", "Manage DNS Records"),
        "Add Record",
        "Host Name",
        "Value",
    ),
    Provider(
        "Network Solutions",
        ("*.worldnic.com",),
        "https://www.networksolutions.com/my-account/",
        ("Domains", "your domain", "Advanced DNS Records"),
        "Add Record",
        "Host",
        "Points to",
    ),
)


def find_provider(name_servers: Collection[str]) -> Provider | None:
    """Return the provider of all these name servers.

    Return None if the provider is unknown, or there are several providers.
    """
    for provider in PROVIDERS:
        if name_servers and all(is_server_of(provider, each) for each in name_servers):
            return provider
    return None


def is_server_of(provider: Provider, name_server: str) -> bool:
    return any(fnmatchcase(name_server.lower().rstrip("."), pattern) for pattern in provider.servers)

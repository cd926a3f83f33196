"""Causes of operator alerts, as data."""

from datetime import timedelta
from typing import NamedTuple

from adoption.translations import message

AUTHORITY_UNREACHABLE = "authority_unreachable"
AUTHORITY_REFUSES = "authority_refuses"
ORDERS_FAIL = "orders_fail"
EDGE_UNREACHABLE = "edge_unreachable"
HOOK_FAILED = "hook_failed"
CHALLENGE_RECORD_UNSEEN = "challenge_record_unseen"
CAA_ON_TARGET = "caa_on_target"
PLATFORM_CERTIFICATE = "platform_certificate"
PLATFORM_ORDERS_FAIL = "platform_orders_fail"
FILES_MISSING = "files_missing"
FILES_SHARED = "files_shared"

AT_ONCE = timedelta()
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


class Cause(NamedTuple):
    title: str
    """The problem, as a sentence without a full stop. It is the email's subject and part of the log line."""
    solved: str
    """The sentence about the end of the problem, also without a full stop."""
    fix: str
    """Instructions for the operator."""
    logged_after: timedelta = AT_ONCE
    """The minimum duration of the problem before it is logged."""
    emailed_after: timedelta = AT_ONCE


CAUSES = {
    AUTHORITY_UNREACHABLE: Cause(
        message("The certificate authority does not answer"),
        message("The certificate authority answers again"),
        message(
            "Check HOMEWARD_ACME_DIRECTORY, the network of this machine, and the authority's status page. "
            "Orders are tried again automatically."
        ),
        MINUTE,
        HOUR,
    ),
    AUTHORITY_REFUSES: Cause(
        message("The certificate authority refuses our orders"),
        message("The certificate authority accepts our orders again"),
        message(
            "The shelters' DNS is not the cause. Read the authority's error, fix our account "
            "or settings, then run: homeward domain renew HOST"
        ),
    ),
    ORDERS_FAIL: Cause(
        message("Certificate orders of several accounts fail"),
        message("Certificate orders no longer fail at several accounts"),
        message(
            "Failures at several accounts at once often have one cause on our side: DNS of the platform, the "
            "TLS edge, port 80. List them with: homeward domain list --all --failing"
        ),
    ),
    EDGE_UNREACHABLE: Cause(
        message("The TLS edge cannot be reached"),
        message("The TLS edge can be reached again"),
        message(
            "Check that the edge is running, and that HOMEWARD_EDGE is its address. Until the "
            "edge can be reached, new certificates do not count as live."
        ),
        MINUTE,
        15 * MINUTE,
    ),
    HOOK_FAILED: Cause(
        message("The DNS hook failed"),
        message("The DNS hook works again"),
        message("Run the hook by hand with the same arguments, and fix what it reports."),
    ),
    CHALLENGE_RECORD_UNSEEN: Cause(
        message("DNS servers do not return the DNS hook's record"),
        message("DNS servers return the DNS hook's records again"),
        message(
            "Check that the hook changes the right zone, and that every DNS server of the "
            "zone shows the change within minutes."
        ),
    ),
    CAA_ON_TARGET: Cause(
        message("A CAA record of the platform blocks certificates of all shelters"),
        message("CAA records of the platform allow certificates again"),
        message(
            "Shelters cannot fix this. Add a CAA record that allows our certificate "
            "authority, at the name in the detail."
        ),
    ),
    PLATFORM_CERTIFICATE: Cause(
        message("The platform's own certificate expires soon"),
        message("The platform's own certificate was renewed"),
        message(
            "If the edge reads the certificate from files (EDGE_CERTIFICATE and EDGE_KEY), "
            "renew it, replace the files and restart each edge. With "
            "HOMEWARD_PLATFORM_CERTIFICATE=service, this service renews it: the log says why "
            "its orders fail. Once the certificate has expired, browsers refuse the platform "
            "and the shelters' sites below it."
        ),
    ),
    PLATFORM_ORDERS_FAIL: Cause(
        message("The platform's own certificate cannot be ordered"),
        message("The platform's own certificate was ordered"),
        message(
            "Check that DNS of the platform's host points to the edge, that port 80 of the "
            "edge can be reached from the internet, and that the DNS hook works, if there is "
            "one. A certificate that is still valid stays in use. Orders are tried again "
            "automatically."
        ),
    ),
    FILES_MISSING: Cause(
        message("Files of photos are missing"),
        message("No files of photos are missing any more"),
        message(
            "Restore HOMEWARD_MEDIA_URL from a backup. If there is none, remove these photos on the pages of "
            "their animals, and add them again."
        ),
    ),
    FILES_SHARED: Cause(
        message("Another service uses the same folder for photos"),
        message("No other service uses the folder for photos any more"),
        message(
            "Give each service a HOMEWARD_MEDIA_URL of its own. Until then no unused files "
            "are removed. If the other service no longer exists, or is this service under an "
            "earlier host, delete its file in the folder “services”."
        ),
    ),
}

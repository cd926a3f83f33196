"""A TLS handshake with the edge, like a visitor's browser."""

import socket
import ssl

from adoption.certificates.x509 import CertificateFacts, read_der_certificate

SECONDS = 5


class Unseen(Exception):
    """The edge showed no certificate for a host. The message is a sentence for people."""


class NotOffered(Unseen):
    """The edge answered, but has no certificate for the host."""


def serial_shown(host: str, edge: tuple[str, int]) -> str:
    """Return the serial number, in hexadecimal, of the edge's certificate for a host.

    Raise Unseen if the edge shows none.
    """
    return certificate_shown(host, edge).serial


def certificate_shown(host: str, edge: tuple[str, int]) -> CertificateFacts:
    """Return the contents of the edge's certificate for a host. Raise Unseen if the edge shows none."""
    # Trust is not checked: the certificate is compared with the issued one.
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        with (
            socket.create_connection(edge, SECONDS) as connection,
            context.wrap_socket(connection, server_hostname=host) as secured,
        ):
            shown = secured.getpeercert(binary_form=True)
    except ssl.SSLError as error:
        raise NotOffered("The server for HTTPS does not offer it to visitors yet.") from error
    except OSError as error:
        raise Unseen("The server for HTTPS could not be reached.") from error
    if shown is None:
        raise NotOffered("The server for HTTPS showed no certificate.")
    return read_der_certificate(shown)

"""The TLS edge seen from outside: a handshake as a visitor's browser begins it."""

import socket
import ssl

from adoption.certificates.x509 import CertificateFacts, read_der_certificate

SECONDS = 5


class Unseen(Exception):
    """The edge was not seen to show a certificate for a host. The message is a sentence for people."""


class NotOffered(Unseen):
    """The edge answers, and visitors of the host get no certificate."""


def serial_shown(host: str, edge: tuple[str, int]) -> str:
    """Return the serial number, hexadecimal, of the certificate at the edge for a host. Raise Unseen."""
    return certificate_shown(host, edge).serial


def certificate_shown(host: str, edge: tuple[str, int]) -> CertificateFacts:
    """Return what the certificate says that the edge shows for a host. Raise Unseen."""
    # Whether it is trusted is not asked: it has to be the one that was issued.
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

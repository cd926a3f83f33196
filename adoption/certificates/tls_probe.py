"""TLS handshakes with the edge, to read the certificate that the edge shows to a visitor's browser."""

import socket
import ssl

from adoption.certificates.x509 import CertificateFacts, read_der_certificate

SECONDS = 5


class CertificateUnseen(Exception):
    """The edge showed no certificate for a host. The message says why, as a sentence for people."""


class CertificateNotOffered(CertificateUnseen):
    """The edge answered, but has no certificate for the host."""


def serial_shown(host: str, edge: tuple[str, int]) -> str:
    """Return the hexadecimal serial number of the certificate that the edge shows for a host.

    Raises CertificateUnseen if the edge shows no certificate.
    """
    return certificate_shown(host, edge).serial


def certificate_shown(host: str, edge: tuple[str, int]) -> CertificateFacts:
    """Return the contents of the certificate that the edge shows for a host.

    Raises CertificateUnseen if the edge shows no certificate.
    """
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
        raise CertificateNotOffered(
            "The server for HTTPS does not offer the certificate to visitors yet."
        ) from error
    except OSError as error:
        raise CertificateUnseen("The server for HTTPS could not be reached.") from error
    if shown is None:
        raise CertificateNotOffered("The server for HTTPS showed no certificate.")
    return read_der_certificate(shown)

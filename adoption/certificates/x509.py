"""X.509: key pairs, signing requests, and the contents of certificates."""

from datetime import datetime
from typing import NamedTuple, cast

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


class CertificateFacts(NamedTuple):
    serial: str
    """The serial number in hexadecimal."""
    not_before: datetime
    not_after: datetime
    hosts: tuple[str, ...]


def new_private_key() -> str:
    """Return a new private key on the curve P-256, as PEM (PKCS 8)."""
    key = ec.generate_private_key(ec.SECP256R1())
    encoding, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    return key.private_bytes(encoding, form, serialization.NoEncryption()).decode()


def request_for(host: str, private_key: str, *more: str) -> bytes:
    """Return a certificate signing request for these names, as PEM (RFC 2986)."""
    key = cast(ec.EllipticCurvePrivateKey, serialization.load_pem_private_key(private_key.encode(), None))
    names = x509.SubjectAlternativeName([x509.DNSName(name) for name in (host, *more)])
    # Without a common name: common names are obsolete, and limited to 64 characters.
    request = x509.CertificateSigningRequestBuilder().subject_name(x509.Name([]))
    request = request.add_extension(names, critical=False)
    return request.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)


def read_certificate(chain: str) -> CertificateFacts:
    """Return the contents of the first certificate in a PEM chain.

    Raises ValueError if the chain is empty.
    """
    return certificate_facts(x509.load_pem_x509_certificate(chain.encode()))


def read_der_certificate(der: bytes) -> CertificateFacts:
    """Return the contents of a certificate in DER, as in a TLS handshake."""
    return certificate_facts(x509.load_der_x509_certificate(der))


def certificate_facts(certificate: x509.Certificate) -> CertificateFacts:
    try:
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        hosts = tuple(names.get_values_for_type(x509.DNSName))
    except x509.ExtensionNotFound:
        hosts = ()
    return CertificateFacts(
        f"{certificate.serial_number:x}",
        certificate.not_valid_before_utc,
        certificate.not_valid_after_utc,
        hosts,
    )

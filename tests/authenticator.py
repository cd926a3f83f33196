"""A software authenticator with one passkey. It answers challenges like a browser.

Web Authentication Level 3: authenticator data 6.1, attestation "none" 8.7, client data 5.8.1.
"""

import hashlib
import json
import secrets
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

PRESENT, VERIFIED, NEW_KEY = 0x01, 0x04, 0x40


def base64url(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")


@dataclass
class Device:
    origin: str = "http://localhost"
    party: str = "localhost"
    counts: bool = True
    """Whether the device counts its uses. Synchronised passkeys always report 0."""
    verifies: bool = True
    """Whether the device first checks a PIN or a fingerprint."""
    used: int = 0
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    id: bytes = field(default_factory=lambda: secrets.token_bytes(16))

    def make(self, options: str) -> str:
        """Return the response to the options for a new passkey."""
        point = self.key.public_key().public_numbers()
        cose = {1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big")}
        made = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + cbor2.dumps(cose)
        data = self.state(NEW_KEY) + made
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client = self.client("webauthn.create", options)
        return self.answer(client, {"attestationObject": base64url(attestation)})

    def sign(self, options: str) -> str:
        """Return the response to the options for a sign-in."""
        client, data = self.client("webauthn.get", options), self.state()
        signature = self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(SHA256()))
        return self.answer(client, {"authenticatorData": base64url(data), "signature": base64url(signature)})

    def state(self, flags: int = 0) -> bytes:
        self.used += self.counts
        whose = hashlib.sha256(self.party.encode()).digest()
        return whose + bytes([PRESENT | VERIFIED * self.verifies | flags]) + self.used.to_bytes(4, "big")

    def client(self, kind: str, options: str) -> bytes:
        asked = json.loads(options)["challenge"]
        return json.dumps({"type": kind, "challenge": asked, "origin": self.origin}).encode()

    def answer(self, client: bytes, found: dict[str, Any]) -> str:
        response = {"clientDataJSON": base64url(client), **found}
        return json.dumps(
            {
                "id": base64url(self.id),
                "rawId": base64url(self.id),
                "type": "public-key",
                "response": response,
            }
        )

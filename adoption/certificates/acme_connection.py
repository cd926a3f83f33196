"""The connection to an ACME authority: our account, requests, and translated errors."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cached_property
from http import HTTPStatus
from typing import Any

import requests
from acme import errors, messages
from acme.client import ClientNetwork, ClientV2
from cryptography.hazmat.primitives.asymmetric import ec
from josepy.errors import Error as JoseError
from josepy.interfaces import JSONDeSerializable
from josepy.jwa import ES256
from josepy.jwk import JWK, JWKEC
from werkzeug.http import parse_date

from adoption.certificates.acme_problems import problem_code, problem_text
from adoption.certificates.authority_interface import (
    AccountForgotten,
    Accounts,
    AcmeAccount,
    AuthorityRefused,
    AuthorityUnreached,
    TemporaryRejection,
)
from adoption.certificates.problem_advice import ACCOUNT_REFUSED, EXTERNAL_ACCOUNT_MISSING
from adoption.settings_secrets import ExternalAccount

SECONDS = 10
"""The timeout of one request in seconds."""
NONCE_RETRIES = 3
"""How many times we repeat a request after a rejected nonce. The library also repeats each request once."""
LONGEST = timedelta(days=7)
"""The longest ``Retry-After`` that is respected: Let's Encrypt's longest limit."""

EXTERNAL_ACCOUNT_WORDS = (
    "The certificate authority requires external account binding: set HOMEWARD_ACME_EAB_KEY_ID and "
    "HOMEWARD_ACME_EAB_HMAC_KEY to the values that its website shows, then restart the service."
)


class PatientNetwork(ClientNetwork):
    """An HTTP client that retries with a new nonce if the authority rejects a nonce (RFC 8555, 6.5)."""

    def post(self, *args: Any, **kwargs: Any) -> requests.Response:
        for _ in range(NONCE_RETRIES):
            try:
                return super().post(*args, **kwargs)
            except messages.Error as error:
                if error.code != "badNonce":
                    raise
        return super().post(*args, **kwargs)


class AcmeConnection:
    """A connection to an authority. If we have no account there, the connection registers one."""

    def __init__(
        self,
        directory: str,
        accounts: Accounts,
        email: str = "",
        ca_bundle: str = "",
        external_account: ExternalAccount | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.directory = directory
        self.accounts = accounts
        self.email = email
        self.verify = ca_bundle or True
        self.external_account = external_account
        self.now = now
        self.wait, self.status, self.answer = "", 0, b""

    @cached_property
    def client(self) -> ClientV2:
        account = self.accounts.get() or self.register()
        client = self.connect(JWKEC.json_loads(account.key))
        body = messages.Registration()
        client.net.account = messages.RegistrationResource(body=body, uri=account.address)
        return client

    def connect(self, key: JWK) -> ClientV2:
        network = PatientNetwork(
            key,
            alg=ES256,
            verify_ssl=self.verify,  # type: ignore[arg-type]  # handed to requests, which takes a path too
            user_agent="Homeward",
            timeout=SECONDS,
        )
        # The library's exceptions lack the response's headers, and sometimes its status.
        network.session.hooks["response"].append(self.note_answer)
        return ClientV2(ClientV2.get_directory(self.directory, network), network)

    def note_answer(self, response: requests.Response, *_: object, **__: object) -> None:
        self.wait, self.status = response.headers.get("Retry-After", ""), response.status_code
        self.answer = response.content if response.status_code == HTTPStatus.CONFLICT else b""

    def register(self) -> AcmeAccount:
        key = JWKEC(key=ec.generate_private_key(ec.SECP256R1()))
        client = self.connect(key)
        request = messages.NewRegistration.from_data(
            email=self.email or None,
            external_account_binding=self.binding_of(client, key.public_key()),
            terms_of_service_agreed=True,
        )
        made = client.new_account(request)
        return self.accounts.keep(AcmeAccount(made.uri, key.json_dumps()))

    def binding_of(self, client: ClientV2, key: JWK) -> dict[str, Any] | None:
        """Return the binding to our account on the authority's website (RFC 8555, 7.3.4).

        Raises AuthorityRefused if the authority requires a binding and the settings have none.
        """
        if self.external_account is None:
            if client.external_account_required():
                raise AuthorityRefused(EXTERNAL_ACCOUNT_MISSING, EXTERNAL_ACCOUNT_WORDS)
            return None
        key_id, hmac_key = self.external_account
        return messages.ExternalAccountBinding.from_data(key, key_id, hmac_key, client.directory)

    def post(self, address: str, what: JSONDeSerializable | None = None) -> requests.Response:
        """Post to an address, or to a resource of the directory. Without ``what``, send a POST-as-GET."""
        directory = self.client.directory
        where = directory[address] if address in directory.to_partial_json() else address
        return self.client.net.post(where, what, new_nonce_url=directory["newNonce"])

    @contextmanager
    def translated_errors(self) -> Iterator[None]:
        """Translate the library's errors in this block into AuthorityRefused or AuthorityUnreached."""
        self.wait, self.status, self.answer = "", 0, b""
        try:
            yield
        except (messages.Error, errors.ConflictError) as error:
            problem = self.problem_in(error)
            code = problem_code(problem)
            if code == "accountDoesNotExist":
                self.forget_account()
                raise AccountForgotten("The certificate authority no longer knows our account.") from problem
            # A faulty server or proxy may answer with any status, or without an ACME problem.
            if self.status >= HTTPStatus.INTERNAL_SERVER_ERROR or code == "badNonce":
                trouble = TemporaryRejection if code == "badNonce" else AuthorityUnreached
                words = f"The certificate authority has a problem: {problem_text(problem)}"
                raise trouble(words, self.not_before()) from problem
            # The problem is about a request, not a challenge: our account lacks a permission (RFC 8555, 6.7).
            code = ACCOUNT_REFUSED if code == "unauthorized" else code
            raise AuthorityRefused(code, problem_text(problem), self.not_before()) from problem
        except (requests.RequestException, errors.Error, JoseError, ValueError, KeyError) as error:
            # ValueError and KeyError: the answer is not JSON, or lacks a required member.
            raise AuthorityUnreached(
                "The certificate authority could not be reached.", self.not_before()
            ) from error

    def problem_in(self, error: messages.Error | errors.ConflictError) -> messages.Error:
        """Return the problem document of an answer (RFC 7807).

        The library does not read the document of a 409 response, a status that RFC 9773 uses.
        """
        if isinstance(error, messages.Error):
            return error
        try:
            problem: messages.Error = messages.Error.json_loads(self.answer)
        except (JoseError, ValueError) as unread:
            raise AuthorityUnreached("The certificate authority could not be reached.") from unread
        return problem

    def forget_account(self) -> None:
        """Delete the account that the authority does not know.

        If another process has registered a new account since then, keep that account.
        """
        if client := self.__dict__.pop("client", None):
            self.accounts.forget(client.net.account.uri)

    def not_before(self) -> datetime | None:
        """Return the time in ``Retry-After`` (RFC 9110, 10.2.3), at most ``LONGEST`` from now."""
        if self.wait.isdecimal():
            return self.now() + min(LONGEST, timedelta(seconds=int(self.wait[:9])))
        until = parse_date(self.wait)
        return until and min(until, self.now() + LONGEST)

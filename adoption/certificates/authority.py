"""The certificate authority, spoken to by ACME (RFC 8555) with its HTTP-01 challenge."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cached_property
from http import HTTPStatus
from typing import NamedTuple, Protocol

import requests
from acme import challenges, errors, messages
from acme.client import ClientNetwork, ClientV2
from cryptography.hazmat.primitives.asymmetric import ec
from josepy.errors import Error as JoseError
from josepy.interfaces import JSONDeSerializable
from josepy.jwa import ES256
from josepy.jwk import JWK, JWKEC
from werkzeug.http import parse_date

from adoption.certificates.problems import (
    ACCOUNT_REFUSED,
    ORDER_LOST,
    PAUSED,
    RATE_LIMITED,
    UNSPECIFIED,
    unpause_link,
)

SECONDS = 10
"""How long one answer of the authority may take."""
LONGEST = timedelta(days=7)
"""How long an authority's limit is kept at most: Let's Encrypt has none that is longer."""
PREFIX = "urn:ietf:params:acme:error:"
"""Of the types of problems (RFC 8555, section 6.7)."""
PENDING, READY, PROCESSING, VALID, INVALID = "pending", "ready", "processing", "valid", "invalid"


class Refused(Exception):
    """The authority says no; ``code`` is its problem's type without the prefix, ``detail`` its own words."""

    def __init__(self, code: str, detail: str, not_before: datetime | None = None) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
        self.not_before = not_before
        """When it wants to be asked again at the soonest, where it says so."""


class Unreached(Exception):
    """The authority could not be asked, or gave no answer that can be read. It may have done its work."""


class Forgotten(Unreached):
    """The authority does not know us any more; so our account there is forgotten."""


class Challenge(NamedTuple):
    token: str
    key_authorization: str
    waits: bool
    """Whether the authority waits to be told that it may look."""


class Stage(NamedTuple):
    """How far an order is (RFC 8555, 7.1.6)."""

    status: str
    challenge: Challenge | None = None
    """Of a pending order: where the host has to answer."""


class Account(NamedTuple):
    address: str
    key: str
    """JSON Web Key."""


class Authority(Protocol):
    """What is asked of an authority; each may raise Refused or Unreached."""

    def order(self, host: str) -> str:
        """Order a certificate; gives the order's address."""

    def stage(self, order: str) -> Stage:
        """How far it is. Raises Refused where it came to nothing."""

    def begin_validation(self, order: str) -> None:
        """Tell it that the host answers the challenge."""

    def finalize(self, order: str, request: bytes) -> None:
        """Have it issue for this signing request, PEM."""

    def chain(self, order: str) -> str:
        """The certificates that were issued, PEM, the host's own first."""

    def renewal(self, chain: str) -> tuple[datetime | None, datetime]:
        """When it wants a certificate renewed, if it says so, and when to ask again (RFC 9773)."""


class Accounts(Protocol):
    """Where it is kept who we are to an authority."""

    def get(self) -> Account | None: ...
    def keep(self, account: Account) -> Account:
        """Keep it, unless one was kept meanwhile; gives the one that counts."""

    def forget(self, address: str) -> None:
        """Forget the account at this address, where it still is the one."""


class AcmeAuthority:
    """An authority by its directory's address."""

    def __init__(
        self,
        directory: str,
        accounts: Accounts,
        email: str = "",
        ca_bundle: str = "",
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.directory = directory
        self.accounts = accounts
        self.email = email
        self.verify = ca_bundle or True
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
        network = ClientNetwork(
            key,
            alg=ES256,
            verify_ssl=self.verify,  # type: ignore[arg-type]  # handed to requests, which takes a path too
            user_agent="Homeward",
            timeout=SECONDS,
        )
        # What the library raises no longer has the answer's headers, nor always its status.
        network.session.hooks["response"].append(self.note_answer)
        return ClientV2(ClientV2.get_directory(self.directory, network), network)

    def note_answer(self, response: requests.Response, *_: object, **__: object) -> None:
        self.wait, self.status = response.headers.get("Retry-After", ""), response.status_code
        self.answer = response.content if response.status_code == HTTPStatus.CONFLICT else b""

    def register(self) -> Account:
        key = JWKEC(key=ec.generate_private_key(ec.SECP256R1()))
        client = self.connect(key)
        wanted = messages.NewRegistration.from_data(email=self.email or None, terms_of_service_agreed=True)
        made = client.new_account(wanted)
        return self.accounts.keep(Account(made.uri, key.json_dumps()))

    def order(self, host: str) -> str:
        try:
            return self.new_order(host)
        except Forgotten:
            return self.new_order(host)  # as somebody new to it

    def new_order(self, host: str) -> str:
        named = messages.Identifier(typ=messages.IDENTIFIER_FQDN, value=host)
        with self.asked():
            return self.post("newOrder", messages.NewOrder(identifiers=[named])).headers["Location"]

    def stage(self, order: str) -> Stage:
        with self.asked():
            body = self.body(order)
            status = body.status.name
            if status == INVALID:
                raise self.failure_of(body)
            if status != PENDING:
                return Stage(status)
            challenge = self.http_01(body)
            answer = challenge.chall.key_authorization(self.client.net.key)
            token = challenge.chall.encode("token")
            return Stage(status, Challenge(token, answer, challenge.status == messages.STATUS_PENDING))

    def begin_validation(self, order: str) -> None:
        with self.asked():
            challenge = self.http_01(self.body(order))
            self.client.answer_challenge(challenge, challenge.chall.response(self.client.net.key))

    def finalize(self, order: str, request: bytes) -> None:
        with self.asked():
            self.client.begin_finalization(
                messages.OrderResource(uri=order, body=self.body(order), csr_pem=request)
            )

    def chain(self, order: str) -> str:
        with self.asked():
            certificate = self.body(order).certificate
            if certificate is None:
                raise Unreached("The certificate authority has not issued it yet.")
            return self.post(certificate).text

    def renewal(self, chain: str) -> tuple[datetime | None, datetime]:
        with self.asked():
            wanted, ask_again = self.client.renewal_time(chain.encode())
            return wanted, ask_again.astimezone(UTC)

    def post(self, address: str, what: JSONDeSerializable | None = None) -> requests.Response:
        """Ask at an address, or at one that the directory names; without ``what`` as POST-as-GET."""
        known = self.client.directory
        where = known[address] if address in known.to_partial_json() else address
        return self.client.net.post(where, what, new_nonce_url=known["newNonce"])

    def body(self, order: str) -> messages.Order:
        known = self.client  # what finding that out may raise says nothing of the order
        try:
            answer = known.net.post(order, None, new_nonce_url=known.directory["newNonce"])
        except (messages.Error, errors.ClientError) as error:
            if self.status == HTTPStatus.NOT_FOUND:
                raise Refused(ORDER_LOST, "The certificate authority does not know the order.") from error
            raise
        body: messages.Order = messages.Order.from_json(answer.json())
        return body

    def authorizations(self, body: messages.Order) -> Iterator[messages.Authorization]:
        for address in body.authorizations:
            yield messages.Authorization.from_json(self.post(address).json())

    def http_01(self, body: messages.Order) -> messages.ChallengeBody:
        for authorization in self.authorizations(body):
            for challenge in authorization.challenges:
                if isinstance(challenge.chall, challenges.HTTP01):
                    return challenge
        raise Refused(UNSPECIFIED, "The authority offers no HTTP-01 challenge.")

    def failure_of(self, body: messages.Order) -> Refused:
        """Return why an order is invalid. What it says is about the host, and not about our request."""
        problem = body.error or self.problem_of(body)
        if problem is None:
            return Refused(UNSPECIFIED, "The order failed without a reason.")
        return Refused(code_of(problem), words_of(problem), self.not_before())

    def problem_of(self, body: messages.Order) -> messages.Error | None:
        """Why an order is invalid whose own body does not say it: its challenge does."""
        told = [challenge.error for each in self.authorizations(body) for challenge in each.challenges]
        return next((problem for problem in told if problem), None)

    @contextmanager
    def asked(self) -> Iterator[None]:
        """Raises what goes wrong in there as Refused or Unreached."""
        self.wait, self.status, self.answer = "", 0, b""
        try:
            yield
        except (messages.Error, errors.ConflictError) as error:
            problem = self.problem_in(error)
            code = code_of(problem)
            if code == "accountDoesNotExist":
                self.forget_account()
                raise Forgotten("The certificate authority does not know us any more.") from problem
            # Of a server or a proxy in trouble, which may say so with any code, or in no words of ACME's.
            if self.status >= HTTPStatus.INTERNAL_SERVER_ERROR or code == "badNonce":
                raise Unreached(f"The certificate authority has trouble: {words_of(problem)}") from problem
            # Of a request, and not of a challenge: our account may not do this (RFC 8555, section 6.7).
            code = ACCOUNT_REFUSED if code == "unauthorized" else code
            raise Refused(code, words_of(problem), self.not_before()) from problem
        except (requests.RequestException, errors.Error, JoseError, ValueError, KeyError) as error:
            # ValueError and KeyError: of an answer that is no JSON, or lacks what it must have.
            raise Unreached("The certificate authority could not be reached.") from error

    def problem_in(self, error: messages.Error | errors.ConflictError) -> messages.Error:
        """Return the problem of an answer. The library reads none in a 409, which RFC 9773 uses too."""
        if isinstance(error, messages.Error):
            return error
        try:
            problem: messages.Error = messages.Error.json_loads(self.answer)
        except (JoseError, ValueError) as unread:
            raise Unreached("The certificate authority could not be reached.") from unread
        return problem

    def forget_account(self) -> None:
        """Forget whom it does not know, and not whom another process has become meanwhile."""
        if client := self.__dict__.pop("client", None):
            self.accounts.forget(client.net.account.uri)

    def not_before(self) -> datetime | None:
        """What ``Retry-After`` says (RFC 9110, 10.2.3), within reason."""
        if self.wait.isdecimal():
            return self.now() + min(LONGEST, timedelta(seconds=int(self.wait[:9])))
        until = parse_date(self.wait)
        return until and min(until, self.now() + LONGEST)


def code_of(problem: messages.Error) -> str:
    """Return the end of the problem's type, also of types that the library does not know.

    A compound problem has the code of its parts where they have the same one.
    """
    code = (problem.typ or "").removeprefix(PREFIX) if (problem.typ or "").startswith(PREFIX) else ""
    parts = {code_of(each) for each in problem.subproblems or ()}
    if code == "compound" and len(parts) == 1:
        return parts.pop()
    if code == RATE_LIMITED and unpause_link(words_of(problem)):
        return PAUSED
    return code or UNSPECIFIED


def words_of(problem: messages.Error) -> str:
    """The authority's own words, those about single names with them."""
    parts = [
        problem.detail or problem.title or "",
        *(each.detail or "" for each in problem.subproblems or ()),
    ]
    return " ".join(dict.fromkeys(part for part in parts if part)) or json.dumps(problem.typ)

"""Orders at an ACME authority (RFC 8555) with the challenges HTTP-01 and DNS-01."""

from collections.abc import Iterator
from datetime import UTC, datetime
from http import HTTPStatus

from acme import errors, messages

from adoption.certificates.acme_connection import AcmeConnection
from adoption.certificates.acme_problems import problem_code, problem_text
from adoption.certificates.authority_interface import (
    HTTP_01,
    INVALID,
    PENDING,
    AccountForgotten,
    AcmeChallenge,
    AuthorityRefused,
    OrderStage,
    TemporaryRejection,
)
from adoption.certificates.problem_advice import ORDER_LOST, UNSPECIFIED


class AcmeAuthority:
    """A certificate authority that uses the ACME protocol."""

    def __init__(self, connection: AcmeConnection) -> None:
        self.connection = connection

    def order(self, *hosts: str) -> str:
        try:
            return self.new_order(*hosts)
        except AccountForgotten:
            return self.new_order(*hosts)  # with a new account

    def new_order(self, *hosts: str) -> str:
        named = [messages.Identifier(typ=messages.IDENTIFIER_FQDN, value=host) for host in hosts]
        with self.connection.translated_errors():
            made = self.connection.post("newOrder", messages.NewOrder(identifiers=named))
            return made.headers["Location"]

    def stage(self, order: str, kind: str = HTTP_01) -> OrderStage:
        with self.connection.translated_errors():
            body = self.body(order)
            status = body.status.name
            if status == INVALID:
                raise self.failure_of(body)
            not_before = self.connection.not_before()
            if status != PENDING:
                return OrderStage(status, (), not_before)
            return OrderStage(status, tuple(map(self.challenge_of, self.challenges(body, kind))), not_before)

    def challenge_of(self, body: messages.ChallengeBody) -> AcmeChallenge:
        key = self.connection.client.net.key
        waits = body.status == messages.STATUS_PENDING
        return AcmeChallenge(body.chall.encode("token"), body.chall.validation(key), waits)

    def begin_validation(self, order: str, kind: str = HTTP_01) -> None:
        with self.connection.translated_errors():
            client = self.connection.client
            for challenge in self.challenges(self.body(order), kind):
                if challenge.status == messages.STATUS_PENDING:
                    client.answer_challenge(challenge, challenge.chall.response(client.net.key))

    def finalize(self, order: str, request: bytes) -> None:
        with self.connection.translated_errors():
            self.connection.client.begin_finalization(
                messages.OrderResource(uri=order, body=self.body(order), csr_pem=request)
            )

    def chain(self, order: str) -> str:
        with self.connection.translated_errors():
            certificate = self.body(order).certificate
            if certificate is None:
                raise TemporaryRejection("The certificate authority has not issued the certificate yet.")
            return self.connection.post(certificate).text

    def renewal(self, chain: str) -> tuple[datetime | None, datetime]:
        with self.connection.translated_errors():
            renew_at, ask_again = self.connection.client.renewal_time(chain.encode())
            return renew_at, ask_again.astimezone(UTC)

    def body(self, order: str) -> messages.Order:
        client = self.connection.client  # outside the try: connection errors are not about the order
        try:
            answer = client.net.post(order, None, new_nonce_url=client.directory["newNonce"])
        except (messages.Error, errors.ClientError) as error:
            if self.connection.status == HTTPStatus.NOT_FOUND:
                raise AuthorityRefused(
                    ORDER_LOST, "The certificate authority does not know the order."
                ) from error
            raise
        body: messages.Order = messages.Order.from_json(answer.json())
        return body

    def authorizations(self, body: messages.Order) -> Iterator[messages.Authorization]:
        for address in body.authorizations:
            yield messages.Authorization.from_json(self.connection.post(address).json())

    def challenges(self, body: messages.Order, kind: str) -> Iterator[messages.ChallengeBody]:
        """Yield the challenge of this type for each name that is not validated yet."""
        for authorization in self.authorizations(body):
            if authorization.status != messages.STATUS_PENDING:
                continue
            found = next((each for each in authorization.challenges if each.chall.typ == kind), None)
            if found is None:
                raise AuthorityRefused(UNSPECIFIED, f"The authority offers no {kind.upper()} challenge.")
            yield found

    def failure_of(self, body: messages.Order) -> AuthorityRefused:
        """Return the reason why an order is invalid. The host is the cause, not our request."""
        problem = body.error or self.problem_of(body)
        if problem is None:
            return AuthorityRefused(UNSPECIFIED, "The order failed without a reason.")
        return AuthorityRefused(problem_code(problem), problem_text(problem), self.connection.not_before())

    def problem_of(self, body: messages.Order) -> messages.Error | None:
        """Return the error of a failed challenge. Some authorities do not copy the error to the order."""
        errors_of = [challenge.error for each in self.authorizations(body) for challenge in each.challenges]
        return next((problem for problem in errors_of if problem), None)

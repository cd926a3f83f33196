"""Compression of responses, with an encoding that the browser accepts."""

from apiflask import APIFlask
from flask import Response
from flask_compress import Compress

documents = Compress()


def set_up(app: APIFlask) -> None:
    """Set the compression levels.

    Responses are not compressed automatically: pages and documents call ``pack``.
    """
    # Files are compressed once, so the slowest and smallest Brotli level pays. Responses are compressed
    # quickly.
    app.config.update(COMPRESS_REGISTER=False, COMPRESS_BR_LEVEL=11, COMPRESS_ZSTD_LEVEL=3)
    documents.init_app(app)
    documents.enabled_algorithms = documents.streaming_algorithms = ("zstd", "gzip")


def pack(response: Response) -> Response:
    """Return the response, compressed if it is not ``no-store``.

    A ``no-store`` response may contain a secret. If the response also contains an attacker's text, its
    compressed length reveals the secret (BREACH).
    """
    return response if response.cache_control.no_store else documents.after_request(response)

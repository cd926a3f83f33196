"""How pages and documents are packed on their way out, where the browser reads that."""

from apiflask import APIFlask
from flask import Response
from flask_compress import Compress

documents = Compress()


def set_up(app: APIFlask) -> None:
    """Register no hook for every response: each door compresses its own."""
    # Files are packed once, as small as can be (Brotli); what is made for each request, quickly.
    app.config.update(COMPRESS_REGISTER=False, COMPRESS_BR_LEVEL=11, COMPRESS_ZSTD_LEVEL=3)
    documents.init_app(app)
    documents.enabled_algorithms = documents.streaming_algorithms = ("zstd", "gzip")


def pack(response: Response) -> Response:
    """The answer in an encoding that the browser reads; untouched where it must not be kept, as with secrets.

    Packed beside words that a stranger chose, a secret is told by the length of the answer (BREACH).
    """
    return response if response.cache_control.no_store else documents.after_request(response)

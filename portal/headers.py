from flask import Response

PAGE_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
}


def dress(response: Response) -> Response:
    """What every page bears, whatever its status; a browser asks again before it shows a kept one."""
    response.headers.update(PAGE_HEADERS)
    response.headers.setdefault("Cache-Control", "no-cache")
    return response

"""FastAPI tuned by hand: plain SQL on one connection, JSON by orjson, and our durable quota in one upsert.

The peer does the same work as our list: key, ban, two quota windows, keyset paging, and the same headers.
"""

import hashlib
import hmac
import os
import secrets
import sqlite3
import time
from typing import Annotated, Literal

import orjson
from fastapi import FastAPI, HTTPException, Query, Request, Response

PER_MINUTE, PER_DAY = 10_000_000, 1_000_000_000

reader = sqlite3.connect(os.environ["PEER_DATABASE"], isolation_level=None, check_same_thread=False)

quotas = sqlite3.connect(os.environ["PEER_QUOTAS"], isolation_level=None, check_same_thread=False)
quotas.execute("PRAGMA page_size = 512")
quotas.execute("PRAGMA journal_mode = WAL")
quotas.execute("PRAGMA synchronous = NORMAL")
quotas.executescript("""
CREATE TABLE IF NOT EXISTS windows (
    subject TEXT PRIMARY KEY,
    minute_used INTEGER NOT NULL,
    minute_ends INTEGER NOT NULL,
    day_used INTEGER NOT NULL,
    day_ends INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS bans (key_id INTEGER PRIMARY KEY, ends INTEGER NOT NULL);
""")

KEY = """
SELECT k.id, k.secret_hash, k.scopes, k.project_id, p.account_id, k.expires_at, k.revoked_at
FROM api_keys k JOIN projects p ON p.id = k.project_id JOIN accounts a ON a.id = p.account_id
WHERE k.public_id = ?
"""
PAGE = """
SELECT id, name, category_id, status FROM animals
WHERE project_id = ? AND listed = 1 AND id > ? ORDER BY id LIMIT ?
"""
PAGE_BY_STATUS = PAGE.replace("ORDER", "AND status = ? ORDER")
ADMIT = """
INSERT INTO windows SELECT ?1, 1, ?6, 1, ?7
WHERE NOT EXISTS (SELECT 1 FROM bans WHERE key_id = ?4 AND ends > ?5)
ON CONFLICT (subject) DO UPDATE SET
    minute_used = CASE WHEN minute_ends > ?5 THEN minute_used + 1 ELSE 1 END,
    minute_ends = CASE WHEN minute_ends > ?5 THEN minute_ends ELSE ?6 END,
    day_used = CASE WHEN day_ends > ?5 THEN day_used + 1 ELSE 1 END,
    day_ends = CASE WHEN day_ends > ?5 THEN day_ends ELSE ?7 END
WHERE (minute_used < ?2 OR minute_ends <= ?5) AND (day_used < ?3 OR day_ends <= ?5)
RETURNING minute_used, minute_ends, day_used, day_ends
"""

app = FastAPI()


@app.get("/v1/pets")
async def list_pets(
    request: Request,
    status: Literal["available", "pending", "sold"] | None = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    cursor: Annotated[int, Query(ge=0)] = 0,
) -> Response:
    now = time.time()
    _, public_id, secret = request.headers["authorization"].removeprefix("Bearer ").split("_")
    digest = hashlib.sha256(secret[:-6].encode()).hexdigest()
    row = reader.execute(KEY, (public_id,)).fetchone()
    if row is None or row[6] or not hmac.compare_digest(row[1], digest):
        raise HTTPException(401, "A valid API key is needed.")
    key_id, _, scopes, project_id, account_id, _, _ = row
    if "pets:read" not in scopes:
        raise HTTPException(403, "This key has not the scope pets:read.")
    asked = (str(account_id), PER_MINUTE, PER_DAY, key_id, now, int(now) + 60, int(now) + 86_400)
    standing = quotas.execute(ADMIT, asked).fetchone()
    if standing is None:
        raise HTTPException(429, "The quota is used up.")
    if status is None:
        rows = reader.execute(PAGE, (project_id, cursor, limit + 1)).fetchall()
    else:
        rows = reader.execute(PAGE_BY_STATUS, (project_id, cursor, status, limit + 1)).fetchall()
    body = orjson.dumps(
        [{"id": id_, "name": name, "categoryId": of, "status": is_} for id_, name, of, is_ in rows[:limit]]
    )
    headers = {
        "X-Request-Id": f"req_{secrets.token_hex(12)}",
        "X-RateLimit-Limit": str(PER_MINUTE),
        "X-RateLimit-Remaining": str(PER_MINUTE - standing[0]),
        "X-RateLimit-Reset": str(standing[1]),
        "ETag": f'W/"{hashlib.blake2b(body, digest_size=12).hexdigest()}"',
        "Cache-Control": "private, no-cache",
    }
    if len(rows) > limit:
        headers["Link"] = f'</v1/pets?status={status}&limit={limit}&cursor={rows[limit - 1][0]}>; rel="next"'
    return Response(body, media_type="application/json", headers=headers)

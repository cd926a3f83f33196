"""Strikes and bans of keys in the SQLite quota storage. Each function uses the caller's transaction."""

import sqlite3

from adoption.accounts.quotas.bans import STRIKE_AFTER, STRIKES_ALLOWED, STRIKES_WITHIN, ban_seconds
from adoption.accounts.quotas.windows import CLOCKS_APART, correct_end

FIRST_REFUSAL = "SELECT first FROM refusals WHERE key_id = ? AND window_ends = ? AND first <= ?"
DELETE_STRIKES = "DELETE FROM strikes WHERE key_id = ? AND (at <= ? OR at > ?)"


def record_refusal(connection: sqlite3.Connection, key_id: int, now: float, window_ends: int) -> int:
    """Store a key's refusal in the window that ends at ``window_ends``.

    Return the end of the key's ban, or 0 if the key is not banned.
    """
    ban = connection.execute("SELECT started, seconds, ends FROM bans WHERE key_id = ?", (key_id,)).fetchone()
    if ban and ban[2] > now:
        ends = correct_end(now, ban[2], ban[1])
        if ends != ban[2]:
            connection.execute("UPDATE bans SET started = ?, ends = ? WHERE key_id = ?", (now, ends, key_id))
        return ends
    row = connection.execute(FIRST_REFUSAL, (key_id, window_ends, now + CLOCKS_APART)).fetchone()
    if row is None:
        connection.execute("INSERT OR REPLACE INTO refusals VALUES (?, ?, ?)", (key_id, window_ends, now))
        return 0
    return record_strike(connection, key_id, now, ban) if now - row[0] >= STRIKE_AFTER else 0


def record_strike(
    connection: sqlite3.Connection, key_id: int, now: float, ban: tuple[float, int, int] | None
) -> int:
    """Store a strike of a key. If the strike begins a ban, return the end of the ban. Otherwise, return 0.

    ``ban`` has the start, the seconds and the end of the key's last ban.
    """
    connection.execute(DELETE_STRIKES, (key_id, now - STRIKES_WITHIN, now + CLOCKS_APART))
    connection.execute("INSERT INTO strikes VALUES (?, ?)", (key_id, now))
    (strikes,) = connection.execute("SELECT count(*) FROM strikes WHERE key_id = ?", (key_id,)).fetchone()
    if strikes <= STRIKES_ALLOWED:
        return 0
    started, last_seconds = ban[:2] if ban else (None, 0)
    seconds = ban_seconds(started, last_seconds, now)
    ends = int(now) + seconds
    connection.execute("INSERT OR REPLACE INTO bans VALUES (?, ?, ?, ?)", (key_id, now, seconds, ends))
    connection.execute("DELETE FROM strikes WHERE key_id = ?", (key_id,))
    return ends

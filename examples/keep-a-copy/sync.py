#!/usr/bin/env python3
"""Keeps a copy of all published trades in an SQLite file, with every correction.

    export SVC_API_URL=http://127.0.0.1:8080 SVC_API_KEY=svc_YOUR_KEY
    python3 sync.py trades.db                # once, from cron for example
    python3 sync.py trades.db --every 60     # until it is interrupted

It may be stopped or killed at any point: the trades and the position of the next request are stored
in one transaction. Python 3.9 or newer, without packages.
"""
import argparse
import json
import os
import sqlite3
import sys
import time
import urllib.error
import urllib.request

TABLES = """
CREATE TABLE IF NOT EXISTS trade (
    id TEXT PRIMARY KEY,
    politician TEXT NOT NULL,       -- slug
    chamber TEXT NOT NULL,
    party TEXT,
    state TEXT,
    ticker TEXT,
    asset_name TEXT NOT NULL,
    side TEXT NOT NULL,
    amount_min INTEGER NOT NULL,    -- dollars
    amount_max INTEGER,             -- NULL: no upper bound
    trade_date TEXT,
    disclosed_at TEXT NOT NULL,
    conflict INTEGER NOT NULL,
    json TEXT NOT NULL              -- the whole trade
);
CREATE INDEX IF NOT EXISTS trade_by_ticker ON trade (ticker);
-- What happened to trades: published, corrected, withdrawn, reinstated, signal.
CREATE TABLE IF NOT EXISTS change (
    seq INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    kind TEXT NOT NULL,
    trade_id TEXT,
    field TEXT,
    old TEXT,
    new TEXT,
    reason TEXT
);
CREATE TABLE IF NOT EXISTS position (cursor TEXT NOT NULL);
"""

PAGE = 100
RETRY_SECONDS = (1, 2, 5, 10, 30)


class HistoryReplaced(Exception):
    """The server's database was restored from a backup: the copy must start again."""


def get(path):
    """The JSON body of a 200. Waits if the rate limit is reached or the server is away."""
    base = os.environ.get("SVC_API_URL", "http://127.0.0.1:8080").rstrip("/")
    request = urllib.request.Request(base + path)
    if os.environ.get("SVC_API_KEY"):
        request.add_header("Authorization", "Bearer " + os.environ["SVC_API_KEY"])
    for attempt in range(len(RETRY_SECONDS) + 1):
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if error.code == 410:
                raise HistoryReplaced from None
            if error.code not in (429, 500, 502, 503, 504) or attempt == len(RETRY_SECONDS):
                sys.exit(f"{path}: status {error.code}: {error.read().decode()}")
            wait = int(error.headers.get("Retry-After") or RETRY_SECONDS[attempt])
            print(f"status {error.code}: waiting {wait} s", file=sys.stderr)
        except OSError as error:
            if attempt == len(RETRY_SECONDS):
                sys.exit(f"{base}: {error}")
            wait = RETRY_SECONDS[attempt]
            print(f"{base}: {error}: waiting {wait} s", file=sys.stderr)
        time.sleep(wait)
    return None


def store_trade(db, trade):
    politician, amount = trade["politician"], trade["amountRange"]
    db.execute(
        "INSERT OR REPLACE INTO trade VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (trade["id"], politician["slug"], politician["chamber"], politician["party"],
         politician["state"], trade["ticker"], trade["assetName"], trade["side"],
         amount["min"], amount["max"], trade["tradeDate"], trade["disclosedAt"],
         trade["conflictSignal"], json.dumps(trade)))


def apply_change(db, change):
    """A trade in a change is as it is now, so applying a change twice does no harm."""
    db.execute(
        "INSERT OR REPLACE INTO change VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        tuple(change[name] for name in
              ("seq", "at", "kind", "tradeId", "field", "old", "new", "reason")))
    if change["tradeId"] is None:
        return  # about a filing alone
    if change["trade"] is None:
        db.execute("DELETE FROM trade WHERE id = ?", (change["tradeId"],))
    else:
        store_trade(db, change["trade"])


def start_again(db):
    with db:
        for table in ("trade", "change", "position"):
            db.execute(f"DELETE FROM {table}")


def update(db):
    """Applies everything that changed since the last time, a page in each transaction."""
    while True:
        row = db.execute("SELECT cursor FROM position").fetchone()
        try:
            page = get(f"/api/v1/changes?limit={PAGE}" + (f"&cursor={row[0]}" if row else ""))
        except HistoryReplaced:
            start_again(db)
            continue
        with db:
            for change in page["data"]:
                apply_change(db, change)
            db.execute("DELETE FROM position")
            db.execute("INSERT INTO position VALUES (?)", (page["lastCursor"],))
        if page["nextCursor"] is None:
            return


def main():
    parser = argparse.ArgumentParser(description="Keep a copy of all published trades in SQLite.")
    parser.add_argument("file", help="the SQLite file; it is created")
    parser.add_argument("--every", type=float, metavar="SECONDS", help="repeat until interrupted")
    arguments = parser.parse_args()
    db = sqlite3.connect(arguments.file)
    db.executescript(TABLES)
    while True:
        update(db)
        trades, changes = (db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                           for table in ("trade", "change"))
        print(f"{trades} trades, {changes} changes", flush=True)
        if arguments.every is None:
            return
        time.sleep(arguments.every)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass

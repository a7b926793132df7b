"""A person who is signed in, with an account on which much happened, and the targets of the pages
that show it (bulk.sql). The session is written into the database: signing in is measured apart."""
import contextlib
import datetime
import hashlib
import json
import pathlib
import secrets
import sqlite3
import time

import service
import sizes

BULK = pathlib.Path(__file__).with_name("bulk.sql")
DELIVERIES = sizes.of(100_000, smoke=1_000)
ENDPOINTS, KEYS = sizes.of((10, 5), smoke=(2, 2))
SESSIONS = sizes.of(1_000, smoke=5)  # of other accounts
FRESH_SECONDS = 12 * 3600
DAY_MS = 24 * 3600 * 1000


class Database(service.Database):
    """A database with the trades and the person, kept for half a day: what it shows gets old."""

    def __init__(self, program, folder, trades):
        folder = folder / "site"
        folder.mkdir(exist_ok=True)
        self.person_path = folder / f"{trades}.person.json"
        if not self._is_fresh():
            for old in folder.glob(f"{trades}.*"):
                old.unlink()
        super().__init__(program, folder, trades)
        self.person = json.loads(self.person_path.read_text())

    def _is_fresh(self):
        return (self.person_path.exists()
                and time.time() - self.person_path.stat().st_mtime < FRESH_SECONDS)

    def _make(self):
        super()._make()
        self._run("accounts", "set-role", "--role", "admin")
        for number in range(1, KEYS):
            self._run("keys", "mint", "--name", f"bench {number}")
        for number in range(ENDPOINTS):
            self._run("webhooks", "add", "--url", f"https://receiver.example.org/hook/{number}")
        with contextlib.closing(sqlite3.connect(self.path)) as db, db:
            self.person_path.write_text(json.dumps(fill(db)))

    def _run(self, *arguments):
        service.run(self.program, self.path, *arguments, "--email", service.OPERATOR)


def fill(db):
    """Fills the account of the operator. Returns the ids of what the pages show, and sessions."""
    now, today = int(time.time() * 1000), datetime.date.today()
    owner, = db.execute("SELECT no FROM account WHERE email = ?", [service.OPERATOR]).fetchone()
    text = BULK.read_text()
    for name, value in (("now", now), ("owner", owner), ("deliveries", DELIVERIES)):
        text = text.replace(f":{name}", str(value))
    db.executescript(text)
    others = db.execute("SELECT no FROM account WHERE no <> ? ORDER BY no LIMIT ?",
                        [owner, SESSIONS]).fetchall()

    def one(query):
        return db.execute(query, [owner]).fetchone()[0]

    return {
        "session": start_session(db, owner, now),
        "sessions": [start_session(db, no, now) for no, in others],
        "account": one("SELECT id FROM account WHERE no <> ? ORDER BY no LIMIT 1"),
        "key": one("SELECT id FROM api_key WHERE account_no = ? ORDER BY no LIMIT 1"),
        "endpoint": one("SELECT id FROM endpoint WHERE account_no = ? ORDER BY no LIMIT 1"),
        "delivery": one("SELECT d.id FROM delivery d JOIN endpoint e ON e.no = d.endpoint_no"
                        " WHERE e.account_no = ? AND d.state = 'failed' ORDER BY e.no, d.no"
                        " LIMIT 1"),
        "middle": one("SELECT d.id FROM delivery d JOIN endpoint e ON e.no = d.endpoint_no"
                      " WHERE e.account_no = ? ORDER BY e.no, d.no"
                      f" LIMIT 1 OFFSET {DELIVERIES // 2}"),
        "from": str(today - datetime.timedelta(days=10)),
        "to": str(today - datetime.timedelta(days=4)),
    }


def start_session(db, account, now):
    """Writes a session as a sign-in would, and returns its token."""
    token = secrets.token_urlsafe(32)
    db.execute("INSERT INTO session (id, sha256, account_no, created_at, seen_at, expires_at,"
               " proved_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
               [f"ses_{secrets.token_hex(8)}", hashlib.sha256(token.encode()).digest(), account,
                now, now, now + 14 * DAY_MS, now])
    return token


def cookie(token):
    return {"Cookie": f"session={token}"}


def pages(person):
    """{name: target} of the kinds of pages. The first three are the same for everybody, or need no
    session; the others take this person's."""
    endpoint = f"/account/webhooks/{person['endpoint']}"
    return {
        "front page": "/",
        "documentation": "/docs/webhooks",
        "sign-in": "/sign-in",
        "account: home": "/account",
        "API keys": "/account/keys",
        "one API key": f"/account/keys/{person['key']}",
        "webhooks": "/account/webhooks",
        "one endpoint, its log": endpoint,
        "its log, in the middle": f"{endpoint}?before={person['middle']}",
        "its log, failed ones": f"{endpoint}?state=failed",
        "its log, seven days": f"{endpoint}?from={person['from']}&to={person['to']}",
        "one delivery, 8 attempts": f"{endpoint}/deliveries/{person['delivery']}",
        "replaying failed ones": f"{endpoint}/replay?state=failed",
        "settings": "/account/settings",
        "admin: overview": "/admin",
        "admin: accounts": "/admin/accounts",
        "admin: one account": f"/admin/accounts/{person['account']}",
        "admin: accounts, searched": "/admin/accounts?q=person49",
        "admin: jobs": "/admin/jobs",
        "admin: sync": "/admin/sync",
        "admin: deliveries": "/admin/deliveries",
        "admin: mail": "/admin/mail",
        "admin: servers": "/admin/nodes",
        "admin: storage": "/admin/storage",
        "admin: log": "/admin/log",
        "admin: log of one action": "/admin/log?action=key.mint",
    }


FIXED = ("front page", "documentation")  # printed at the start, for visitors without a session


def headers(person, name):
    """What a browser sends for the page: it takes gzip."""
    own = {} if name in FIXED or name == "sign-in" else cookie(person["session"])
    return {"Accept": "text/html", "Accept-Encoding": "gzip", **own}

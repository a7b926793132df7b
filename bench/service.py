"""Our server: databases made by `stockact demo`, the server, a key, and the data of its pages."""
import collections
import contextlib
import http.client
import json
import os
import secrets
import shutil
import sqlite3
import subprocess
import time

import machine

AS_OF = "2026-06-30"  # the same invented trades on every date
PLACES_MAX = 10000    # approximate number of cursors that a walk collects
LIMIT_MAX = 100
KEPT_SECONDS = 30     # below the server's limit for idle connections
ENDING_SECONDS = 1    # time for a server that is exiting to exit
LOG_LINES = 3
OPERATOR = "bench@example.org"


def run(program, database, *arguments):
    return finish(start(program, database, machine.LOAD_CORE, *arguments), arguments)


def start(program, database, core, *arguments, nice=0, stdout=subprocess.PIPE):
    """Starts a command on a core."""
    env = {**os.environ, "STOCKACT_DATABASE": f"sqlite:{database}"}
    command = ["taskset", "-c", core, "nice", "-n", nice, program, *arguments]
    return subprocess.Popen(list(map(str, command)), env=env, stdout=stdout,
                            stderr=subprocess.PIPE, text=True)


def finish(process, arguments):
    """Waits for the command and returns its output."""
    out, err = process.communicate()
    if process.returncode:
        raise machine.Failed(f"{' '.join(map(str, arguments))}: {err.strip()}")
    return out


class Database:
    """N invented trades, one key and a master key, kept in the folder for later runs."""

    def __init__(self, program, folder, trades):
        self.program, self.trades = program, trades
        self.path = folder / f"{trades}.db"
        self.key_path = folder / f"{trades}.key"
        self.facts_path = folder / f"{trades}.json"
        self.secret_path = folder / f"{trades}.db.secret"
        if self.key_path.exists():
            run(program, self.path, "migrate")  # it may be of an older program
        else:
            self._make()
        self.key = self.key_path.read_text()

    @property
    def url(self):
        return f"sqlite:{self.path}"

    def _make(self):
        for old in self.path.parent.glob(self.path.name + "*"):
            old.unlink()
        self.secret_path.write_bytes(secrets.token_bytes(32))
        self.secret_path.chmod(0o600)
        run(self.program, self.path, "demo", "--trades", str(self.trades), "--as-of", AS_OF)
        run(self.program, self.path, "accounts", "create", "--email", OPERATOR, "--plan", "den")
        minted = run(self.program, self.path, "keys", "mint", "--email", OPERATOR,
                     "--name", "bench", "--json")
        self.facts_path.unlink(missing_ok=True)
        self.key_path.write_text(json.loads(minted)["key"])


class Copy:
    """A writable copy of a database, removed at the end of the block. Servers and commands use it
    like the original."""

    def __init__(self, database):
        self.program, self.trades, self.key = database.program, database.trades, database.key
        self.path = database.path.with_name(f"{database.path.stem}-copy.db")
        self.url = f"sqlite:{self.path}"
        self.secret_path = self.path.with_name(f"{self.path.name}.secret")
        self._remove()
        self._copy(database.secret_path, self.secret_path)
        for suffix in ("", "-wal"):
            source = database.path.with_name(database.path.name + suffix)
            if source.exists():
                self._copy(source, self.path.with_name(self.path.name + suffix))

    @staticmethod
    def _copy(source, target):
        """Flushes the copy: otherwise the first checkpoint would wait for all of it."""
        shutil.copy(source, target)
        with open(target, "rb") as file:
            os.fsync(file.fileno())

    def call_real(self):
        """Marks the invented trades as real: a database of invented data rejects a backfill."""
        with contextlib.closing(sqlite3.connect(self.path)) as db, db:
            db.execute("UPDATE meta SET value = 'real' WHERE name = 'data'")

    def senators(self):
        """Returns (first, last) of each senator."""
        with contextlib.closing(sqlite3.connect(self.path)) as db:
            return db.execute("SELECT first_name, last_name FROM member JOIN member_term"
                              " ON member_no = no WHERE chamber = 'senate' ORDER BY no").fetchall()

    def _remove(self):
        for path in self.path.parent.glob(f"{self.path.stem}.*"):
            path.unlink()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._remove()


class Server:
    """The measured server. It is ready when the constructor returns."""

    name = "stockact"

    def __init__(self, database, *, unlimited=True, core=machine.SERVER_CORE, env=None):
        env = {**os.environ, "STOCKACT_DATABASE": database.url,
               "STOCKACT_BENCH_UNLIMITED": "1" if unlimited else "0", "STOCKACT_ACCESS_LOG": "0",
               **(env or {})}
        self.log_path = database.path.with_suffix(".log")
        started = time.monotonic()
        with open(self.log_path, "w") as log:
            self.process = machine.spawn(
                [database.program, "serve", "--listen", "127.0.0.1:0", "--threads", "1", "--json"],
                core, env=env, stdout=subprocess.PIPE, stderr=log, text=True)
        self.pids = [self.process.pid]
        said = json.loads(self.process.stdout.readline() or "{}")
        if "listening" not in said:
            raise machine.Failed(f"the server on {database.path} did not start; {self._state()}")
        self.key = database.key
        self.port = int(said["listening"].rpartition(":")[2])
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port)
        self.used_at = time.monotonic()
        self.get("/api/v1/trades", self.keyed())
        self.ready_seconds = time.monotonic() - started

    def keyed(self, **more):
        return {"Authorization": f"Bearer {self.key}", **more}

    def get(self, target, headers, expect=200):
        """Returns (response, body). An unexpected status fails the run."""
        if time.monotonic() - self.used_at > KEPT_SECONDS:
            self.connection.close()  # the next request opens it again
        self.used_at = time.monotonic()
        try:
            self.connection.request("GET", target, headers=headers)
            response = self.connection.getresponse()
            body = response.read()
        except (OSError, http.client.HTTPException) as broken:
            raise machine.Failed(f"{target}: {broken!r}; {self._state()}") from broken
        if expect and response.status != expect:
            raise machine.Failed(f"{target}: {response.status}, not {expect}: {body[:200]}")
        return response, body

    def _state(self):
        """The state of the process and the end of its log, for an error message."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(ENDING_SECONDS)
        ended = self.process.poll()
        lines = self.log_path.read_text(errors="replace").splitlines()
        now = "is running" if ended is None else f"exited with {ended}"
        return f"the server {now}, end of its log: {' / '.join(lines[-LOG_LINES:])}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()
        machine.stop(self.process)


def walk(server, trades):
    """Walks all pages. Returns cursors at evenly spread depths, and the symbols and members with
    the most trades."""
    limit = max(10, min(LIMIT_MAX, trades // PLACES_MAX))
    cursors, instants = [], []
    tickers, slugs, pairs = (collections.Counter() for _ in range(3))
    cursor = None
    while True:
        query = f"&cursor={cursor}" if cursor else ""
        page = json.loads(server.get(f"/api/v1/trades?limit={limit}{query}", server.keyed())[1])
        for trade in page["data"]:
            who = (trade["politician"]["slug"], trade["politician"]["chamber"])
            slugs[who] += 1
            tickers[trade["ticker"]] += 1
            pairs[(*who, trade["ticker"])] += 1
        instants.append(page["data"][-1]["disclosedAt"])
        cursor = page["nextCursor"]
        if not cursor:
            break
        cursors.append(cursor)
    del tickers[None]
    pair = next(p for p, _ in pairs.most_common() if p[2])
    return {
        "cursors": cursors,
        "since": instants[len(instants) // 2],
        "ticker": tickers.most_common(1)[0][0],
        "tickers": [ticker for ticker, _ in tickers.most_common(100)],
        "slug": slugs.most_common(1)[0][0][0],
        "slugs": [who[0] for who, _ in slugs.most_common(100)],
        "pair": {"slug": pair[0], "chamber": pair[1], "ticker": pair[2],
                 "trades": pairs[pair]},
    }


def facts(database, server):
    """Returns the result of walk(), which runs once for each database."""
    if not database.facts_path.exists():
        database.facts_path.write_text(json.dumps(walk(server, database.trades)))
    return json.loads(database.facts_path.read_text())

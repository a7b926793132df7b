"""A publication of one row, alone and while a filing of 500 rows is matched with 100,000 alerts."""
import contextlib
import sqlite3
import time

import machine
import service
import sizes
from figures import header, rank, row

TRADES = sizes.trades(10_000)
PEOPLE, EACH = sizes.of((1_000, 100), smoke=(10, 10))  # alerts that match every trade
ROWS = sizes.of(500, smoke=50)
COMMANDS = sizes.of(50, quick=15, smoke=5)
TURN = 5                  # publications beside each filing of 500 rows
ENV = {
    "STOCKACT_SWEEP_AT": "off",
    "STOCKACT_BASE_URL": "https://trades.example.org",
    "STOCKACT_SMTP_URL": "smtp://127.0.0.1:9",  # nothing is due while it runs
    "STOCKACT_MAIL_FROM": "notices@example.org",
}
FILL = f"""
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {PEOPLE})
INSERT INTO account (id, email, email_folded, plan, role, created_at, confirmed_at)
SELECT 'acc_' || printf('%016x', i), 'p' || i || '@example.org', 'p' || i || '@example.org', 'den',
    'member', 1, 1 FROM n;
INSERT INTO alert_person (account_no, end_key)
SELECT no, randomblob(32) FROM account WHERE email LIKE 'p%@example.org';
WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < {EACH})
INSERT INTO alert (id, account_no, state, pace, amount_bucket, flagged, after_seq, created_at,
    changed_at)
SELECT 'al_' || printf('%016x', a.no * 1000 + k.i), a.no, 'enabled', 'weekly', '1k_15k', 0,
    (SELECT max(seq) FROM change_log), 1, 1
FROM account a CROSS JOIN k WHERE a.email LIKE 'p%@example.org';
"""
WAITING = ("SELECT (SELECT max(seq) FROM change_log)"
           " - (SELECT value FROM counter WHERE name = 'alert')")


def run(stand):
    copy = stand.enter(service.Copy(stand.database(TRADES)))
    stand.enter(service.Server(copy, env=ENV))
    _wait_until_matched(copy)
    alone = [_publish(copy, 1) for _ in range(COMMANDS)]
    with contextlib.closing(sqlite3.connect(copy.path)) as db:
        db.executescript(FILL)
    beside = []
    while len(beside) < COMMANDS:
        _publish(copy, ROWS)
        beside += [_publish(copy, 1) for _ in range(TURN)]
        _wait_until_matched(copy)
    print(f"\n## A publication of one row beside {PEOPLE * EACH:,} alerts, SQLite\n")
    header("beside it", "publications", "p50 ms", "p99 ms", "p50 to alone")
    for name, times in (("nothing", alone), (f"{ROWS} rows are matched", beside)):
        row(name, len(times), *(f"{rank(times, share) * 1000:.1f}" for share in (0.5, 0.99)),
            f"{rank(times, 0.5) / rank(alone, 0.5):.2f}")


def _publish(copy, rows):
    """Returns the seconds of the command."""
    began = time.monotonic()
    service.run(copy.program, copy.path, "demo", "--publish", 1, "--rows", rows)
    return time.monotonic() - began


def _wait_until_matched(copy):
    deadline = time.monotonic() + machine.PATIENCE_SECONDS
    with contextlib.closing(sqlite3.connect(copy.path)) as db:
        while db.execute(WAITING).fetchone()[0]:
            if time.monotonic() > deadline:
                raise machine.Failed("alerts are not matched")
            time.sleep(0.05)

"""A database whose reviewers' queue is long: invented trades, and drafts that are copies of reports
which the program read, by other members on other days. Pages of the desk read them like any other."""
import contextlib
import json
import sqlite3
import subprocess
import time

import fastify
import machine
import person
import service
import sizes

DRAFTS = sizes.of(10_000, smoke=200)
TRADES = sizes.trades(100_000)
REPORTS = 14    # made_reports.mjs: one to 40 rows; one layout fails a check and is not copied
FIRST = 80_000_000

# Of a hundred drafts: so many are on paper, have a failed check, or a row with a doubt.
PAPER, FAILED, DOUBTFUL = 7, 12, 20

COPY_DRAFT = """
INSERT INTO draft ({columns}) SELECT {values} FROM n
JOIN model ON model.place = n.i % :models JOIN draft d ON d.no = model.no
"""
# What differs from the report that was copied.
DIFFERS = {
    "filing_id": "'house-' || (:first + n.i)",
    "source_doc_id": "CAST(:first + n.i AS TEXT)",
    "url": "'https://disclosures-clerk.house.gov/public_disc/ptr-pdfs/2025/' || (:first + n.i)"
           " || '.pdf'",
    "member_no": "(SELECT no FROM some WHERE place = n.i * 7 % :members)",
    "filed_at": "d.filed_at - (n.i * 37 % 1000) * 86400000",
    "manual": "n.i % 100 < :paper",
    "state": "'draft'",
    "reason": "CASE WHEN n.i % 100 < :paper THEN 'the pages are pictures without text' END",
    "checks": "CASE WHEN n.i % 100 BETWEEN :paper AND :failed - 1"
              " THEN replace(d.checks, '\"signed\",\"passed\":true', '\"signed\",\"passed\":false')"
              " ELSE d.checks END",
    "doubt_count": "n.i % 100 BETWEEN :failed AND :doubtful - 1",
    "failed_count": "n.i % 100 BETWEEN :paper AND :failed - 1",
    "due_day": "d.due_day - n.i * 37 % 1000",
    "clean": "n.i % 100 >= :doubtful",
}
COPY_ROWS = """
INSERT INTO draft_row ({columns}) SELECT {values} FROM n
JOIN draft c ON c.filing_id = 'house-' || (:first + n.i)
JOIN model ON model.place = n.i % :models JOIN draft_row r ON r.draft_no = model.no
"""
ROW_DIFFERS = {
    "draft_no": "c.no",
    "trade_day": "r.trade_day - n.i * 37 % 1000",
    "notified_day": "r.notified_day - n.i * 37 % 1000",
    "doubts": "CASE WHEN r.position = 1 AND n.i % 100 BETWEEN :failed AND :doubtful - 1"
              " THEN '[\"ticker_unknown: HRBR\"]' ELSE '[]' END",
}
NUMBERS = """
CREATE TEMP TABLE n AS WITH RECURSIVE up(i) AS
    (SELECT 0 UNION ALL SELECT i + 1 FROM up WHERE i < {last}) SELECT i FROM up
"""


class Database(service.Database):
    """Kept for half a day, as the session of its reviewer ends."""

    def __init__(self, program, folder):
        folder = folder / "desk"
        folder.mkdir(exist_ok=True)
        self.person_path = folder / "reviewer.json"
        if (self.person_path.exists()
                and time.time() - self.person_path.stat().st_mtime > person.FRESH_SECONDS):
            for old in folder.glob("*.*"):
                old.unlink()
        super().__init__(program, folder, TRADES)
        self.person = json.loads(self.person_path.read_text())

    def _make(self):
        super()._make()
        service.run(self.program, self.path, "accounts", "set-role", "--role", "reviewer",
                    "--email", service.OPERATOR)
        inbox = self.path.parent / "inbox"
        inbox.mkdir(exist_ok=True)
        made = [fastify.find_node(), machine.LOAD_SCRIPT.with_name("made_reports.mjs"), inbox,
                str(REPORTS)]
        subprocess.run(made, check=True)
        with contextlib.closing(sqlite3.connect(self.path)) as db, db:
            db.execute("UPDATE meta SET value = 'real' WHERE name = 'data'")
        service.run(self.program, self.path, "ingest", inbox)
        with contextlib.closing(sqlite3.connect(self.path)) as db, db:
            self.person_path.write_text(json.dumps(fill(db)))


def fill(db):
    """Adds the drafts, and a session of the reviewer."""
    facts = {
        "first": FIRST, "paper": PAPER, "failed": FAILED, "doubtful": DOUBTFUL,
        "members": _numbered(db, "some", "member"),
        "models": _numbered(db, "model", "draft WHERE failed_count = 0"),
    }
    db.execute(NUMBERS.format(last=DRAFTS - 1))
    db.execute(_copying(db, COPY_DRAFT, "draft", "d", DIFFERS, left_out=("no",)), facts)
    db.execute(_copying(db, COPY_ROWS, "draft_row", "r", ROW_DIFFERS), facts)
    owner, = db.execute("SELECT no FROM account WHERE email = ?", [service.OPERATOR]).fetchone()
    return {"session": person.start_session(db, owner, int(time.time() * 1000))}


def _numbered(db, name, rows):
    """Makes a table of their numbers with places from 0 on, and returns how many there are."""
    db.execute(f"CREATE TEMP TABLE {name} AS"
               f" SELECT row_number() OVER (ORDER BY no) - 1 AS place, no FROM {rows}")
    db.execute(f"CREATE INDEX temp.{name}_place ON {name} (place)")
    return db.execute(f"SELECT count(*) FROM {name}").fetchone()[0]


def _copying(db, text, table, alias, differs, left_out=()):
    """Columns that this file does not know are copied as they are."""
    columns = [name for name, in db.execute(f"SELECT name FROM pragma_table_info('{table}')")
               if name not in left_out]
    values = [differs.get(name, f"{alias}.{name}") for name in columns]
    return text.format(columns=", ".join(columns), values=", ".join(values))

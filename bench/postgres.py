"""A PostgreSQL cluster in a temporary folder, on the server's core, and a copy of one of our SQLite
databases in it."""
import contextlib
import csv
import glob
import os
import pathlib
import pwd
import sqlite3
import subprocess
import time

import machine


def programs():
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
    if not found:
        raise machine.Failed("PostgreSQL is not installed")
    return pathlib.Path(found[-1])


def owner():
    """PostgreSQL does not run as root: use its own user instead."""
    return {"user": "postgres", "group": "postgres"} if os.geteuid() == 0 else {}


def _may_be_session(pid):
    """Its other processes have a title like "postgres: checkpointer"."""
    try:
        title = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return not title.startswith(b"postgres: ") or title.startswith(b"postgres: bench ")


class Postgres:
    def __init__(self, folder, *settings):
        self.folder = folder
        self.env = {**os.environ, "PGHOST": str(folder), "PGDATABASE": "postgres",
                    "PGUSER": "bench"}
        self.url = f"postgresql:///postgres?host={folder}&user=bench"
        if owner():
            user = pwd.getpwnam("postgres")
            os.chown(folder, user.pw_uid, user.pw_gid)
            os.chmod(folder.parent, 0o711)
        subprocess.run([programs() / "initdb", "-D", folder / "data", "-U", "bench", "-A", "trust",
                        "-E", "UTF8", "--locale=C", "-N"], check=True, capture_output=True,
                       cwd=folder, **owner())
        self.process = machine.spawn(
            [programs() / "postgres", "-D", folder / "data", "-k", folder, "-h", "",
             "-c", "shared_buffers=512MB", "-c", "logging_collector=off",
             *(part for setting in settings for part in ("-c", setting))],
            stderr=subprocess.DEVNULL, cwd=folder, **owner())
        deadline = time.monotonic() + machine.PATIENCE_SECONDS
        while subprocess.run([programs() / "pg_isready", "-q"], env=self.env).returncode:
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise machine.Failed("PostgreSQL did not start")
            time.sleep(0.1)

    def psql(self, *arguments):
        run = subprocess.run([programs() / "psql", "-qX", "-v", "ON_ERROR_STOP=1", *arguments],
                             env=self.env, cwd=self.folder, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, text=True)
        if run.returncode:
            raise machine.Failed(f"psql: {run.stderr.strip()}")

    def value(self, sql):
        """The first value that a query returns."""
        run = subprocess.run([programs() / "psql", "-qXAt", "-c", sql], env=self.env,
                             cwd=self.folder, capture_output=True, text=True)
        if run.returncode:
            raise machine.Failed(f"psql: {run.stderr.strip()}")
        return run.stdout.splitlines()[0]

    def sessions(self):
        """{pid: CPU seconds} of its processes, which are its sessions and a few of its own."""
        pid = self.process.pid
        children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return {child: machine.cpu_seconds([child], may_end=True) for child in children}

    def ended_cpu_seconds(self):
        """CPU time of sessions that have ended (fields 16 and 17 of proc(5)), once all have."""
        deadline = time.monotonic() + machine.PATIENCE_SECONDS
        while any(map(_may_be_session, self.sessions())):
            if time.monotonic() > deadline:
                raise machine.Failed("a session of PostgreSQL does not end")
            time.sleep(0.01)
        stat = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(stat[13]) + int(stat[14])) / machine.TICK

    def __enter__(self):
        return self

    def __exit__(self, *_):
        machine.stop(self.process)


class Copy:
    """All rows of an SQLite database. Servers use it like the original; its ids, keys, sessions and
    master key are the same."""

    def __init__(self, postgres, database):
        self.program, self.trades, self.key = database.program, database.trades, database.key
        self.person = database.person
        self.path = postgres.folder / "copy.db"  # of its log
        self.url = postgres.url
        self.env = {"STOCKACT_SECRET_KEY_FILE": str(database.secret_path)}
        subprocess.run([self.program, "migrate"], check=True, capture_output=True,
                       env={**os.environ, **self.env, "STOCKACT_DATABASE": self.url})
        script = postgres.folder / "copy.sql"
        with contextlib.closing(sqlite3.connect(database.path)) as db:
            script.write_text("".join(_copy(db, postgres.folder)))
        postgres.psql("-f", str(script))
        postgres.psql("-c", "VACUUM ANALYZE")


def _copy(db, folder):
    """Writes the tables to files, and yields the script that loads them. Triggers and foreign keys
    rest meanwhile."""
    yield "SET search_path = stockact; SET session_replication_role = replica;\n"
    names = db.execute("SELECT name FROM sqlite_master WHERE type = 'table'"
                       " AND name NOT LIKE 'sqlite_%'").fetchall()
    for table, in names:
        columns = db.execute(f"SELECT name, type FROM pragma_table_info('{table}')").fetchall()
        cells = ", ".join(_cell(*column) for column in columns)
        with open(folder / f"{table}.csv", "w", newline="") as file:
            csv.writer(file).writerows(db.execute(f"SELECT {cells} FROM {table}"))
        names = ", ".join(name for name, _ in columns)
        yield (f"DELETE FROM {table};\n\\copy {table} ({names}) FROM '{folder}/{table}.csv'"
               r" WITH (FORMAT csv, NULL '\N')" "\n")
        if columns[0] == ("no", "INTEGER"):
            yield (f"SELECT setval(pg_get_serial_sequence('{table}', 'no'), max(no))"
                   f" FROM {table} HAVING pg_get_serial_sequence('{table}', 'no') IS NOT NULL;\n")


def _cell(name, kind):
    text = rf"iif({name} IS NULL, NULL, '\x' || hex({name}))" if kind == "BLOB" else name
    return rf"coalesce({text}, '\N')"

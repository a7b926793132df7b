"""The two kinds of database: create, copy, and read while the program runs."""
import json
import os
import pathlib
import pwd
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time

START_SECONDS = 60
BUSY_SECONDS = 30  # recovery and commits of the program lock the file


class Sqlite:
    kind = "sqlite"

    def __init__(self, folder):
        self.file = pathlib.Path(folder) / "stockact.db"
        self.url = f"sqlite:{self.file}"

    def read(self, queries):
        """Returns {name: [row, ...]} for {name: SELECT}, all from one snapshot. Writes nothing, not
        even a checkpoint."""
        connection = sqlite3.connect(f"file:{self.file}?mode=ro", uri=True,
                                     timeout=BUSY_SECONDS, isolation_level=None)
        try:
            connection.execute("BEGIN")
            return {name: connection.execute(sql.replace("{hex}", "lower(hex(")
                                             .replace("{/hex}", "))")).fetchall()
                    for name, sql in queries.items()}
        finally:
            connection.close()

    def write(self, sql):
        """Writes directly, not through the program."""
        connection = sqlite3.connect(self.file, timeout=BUSY_SECONDS)
        with connection:
            connection.execute("PRAGMA foreign_keys = OFF")
            connection.execute(sql)
        connection.close()

    def copy_to(self, folder):
        """Copies the database while no process has it open."""
        for file in self.file.parent.glob(self.file.name + "*"):
            shutil.copy(file, folder)
        return Sqlite(folder)

    def drop(self):
        pass  # removed with its folder


class Postgresql:
    kind = "postgresql"

    def __init__(self, cluster, name):
        self.cluster, self.name = cluster, name
        self.url = cluster.url(name)

    def read(self, queries):
        """Like Sqlite.read; the columns need unique names."""
        parts = []
        for name, sql in queries.items():
            spelt = sql.replace("{hex}", "encode(").replace("{/hex}", ", 'hex')")
            parts.append(f"'{name}', (SELECT coalesce(json_agg(r), '[]') FROM ({spelt}) r)")
        text = self.cluster.psql(self.name, f"SELECT json_build_object({', '.join(parts)})")
        return {name: [tuple(row.values()) for row in rows]
                for name, rows in json.loads(text).items()}

    def copy_to(self, folder):
        name = f"copy_{os.path.basename(folder).replace('-', '_').lower()}"
        self.cluster.psql("postgres", f'CREATE DATABASE "{name}" TEMPLATE "{self.name}"')
        return Postgresql(self.cluster, name)

    def drop(self):
        self.cluster.psql("postgres", f'DROP DATABASE IF EXISTS "{self.name}" WITH (FORCE)')


def is_alive(pid):
    """False for a process that has exited but has not been waited for."""
    try:
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


class Cluster:
    """The tests' own PostgreSQL, in a temporary folder, on a unix socket there."""

    def __init__(self, *, flushes=True):
        versions = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))
        if not versions:
            raise RuntimeError("PostgreSQL is not installed: run script/setup --tests")
        self.programs = versions[-1]
        self.folder = tempfile.mkdtemp(prefix="stockact-fault-pg-")
        self.flushes, self.process = flushes, None
        self.user = {}
        if os.getuid() == 0:
            user = pwd.getpwnam("postgres")
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self.user = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        self._run("initdb", "-D", f"{self.folder}/data", "-U", "tests", "-A", "trust", "-E", "UTF8",
                  "--locale=C.UTF-8", "--no-sync")
        self.start()

    def _run(self, program, *arguments):
        done = subprocess.run([self.programs / program, *arguments], cwd=self.folder,
                              capture_output=True, text=True, **self.user)
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stderr}")
        return done.stdout

    def start(self):
        settings = {"listen_addresses": "", "unix_socket_directories": self.folder,
                    "max_connections": "200", "shared_buffers": "64MB",
                    "fsync": "on" if self.flushes else "off"}
        flags = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        self.log = open(f"{self.folder}/log", "ab")
        self.process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "INT", self.programs / "postgres", "-D",
             f"{self.folder}/data", *flags],
            cwd=self.folder, stdout=self.log, stderr=self.log, **self.user)
        self.wait()

    def wait(self):
        """Waits until it accepts connections (again)."""
        until = time.monotonic() + START_SECONDS
        while subprocess.run([self.programs / "pg_isready", "-q", "-h", self.folder]).returncode:
            if self.process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"PostgreSQL does not start: {self.folder}/log")
            time.sleep(0.02)

    def kill(self):
        """Kills the postmaster, as a crash of the machine would; start() starts it again."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        pids = [int(pid) for pid in children.read_text().split()]
        self.process.kill()
        self.process.wait()
        for pid in pids:  # they exit by themselves when they notice
            while is_alive(pid):
                time.sleep(0.01)

    def backends(self, name):
        """Returns the process ids of the connections to a database."""
        text = self.psql("postgres", "SELECT string_agg(pid::text, ' ') FROM pg_stat_activity"
                                     f" WHERE datname = '{name}'")
        return [int(pid) for pid in text.split()]

    def psql(self, name, sql):
        done = subprocess.run(
            [self.programs / "psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h",
             self.folder, "-U", "tests", "-d", name, "-c", sql],
            capture_output=True, text=True,
            env={"PATH": os.environ["PATH"], "PGOPTIONS": "-c search_path=stockact,public"})
        if done.returncode:
            raise RuntimeError(f"psql: {done.stderr}")
        return done.stdout

    def create(self, name):
        self.psql("postgres", f'CREATE DATABASE "{name}"')
        return Postgresql(self, name)

    def url(self, name):
        return f"postgresql://tests@{self.folder.replace('/', '%2F')}/{name}"

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

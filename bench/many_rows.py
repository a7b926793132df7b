#!/usr/bin/env python3
"""Compares the time of `demo` and `backfill` on PostgreSQL with that on SQLite.

    bench/many_rows.py [--program PROGRAM] [--trades N] [--rounds N]

Prints the figures of docs/reliability.md ("Many rows at once"). CPU time is that of the command, of
all PostgreSQL processes and of the server beside it, until the server has read the trades. A round
measures each case on both databases, one after the other; a ratio is computed within its round.
"""
import argparse
import contextlib
import json
import os
import pathlib
import resource
import statistics
import subprocess
import tempfile
import time

import dump
import machine
import postgres
from figures import header, row

SENATORS = [(f"Given{a}{b}".title(), f"Family{b}{a}".title()) for a in "abcdefgh" for b in "mnopq"]
WAIT_SECONDS = 120


def members():
    """In the format of `members import`."""
    term = {"type": "sen", "start": "2011-01-03", "end": "2031-01-03", "state": "OR",
            "party": "Independent"}
    return json.dumps([
        {"id": {"bioguide": f"{first[5].upper()}{number:06}"},
         "name": {"first": first, "last": last, "official_full": f"{first} {last}"},
         "bio": {"birthday": "1960-02-03", "gender": "F"}, "terms": [term]}
        for number, (first, last) in enumerate(SENATORS)])


class Sqlite:
    name = "SQLite"

    def __init__(self, folder):
        self.folder = folder

    def make(self, name):
        return f"sqlite:{self.folder / name}.db"

    def drop(self, name):
        for file in self.folder.glob(f"{name}.*"):
            file.unlink()

    def cpu_seconds(self):
        return 0.0


class Postgresql:
    name = "PostgreSQL"

    def __init__(self, cluster):
        self.cluster = cluster

    def make(self, name):
        self.cluster.psql("-c", f"CREATE DATABASE {name}")
        return f"postgresql:///{name}?host={self.cluster.folder}&user=bench"

    def drop(self, name):
        self.cluster.psql("-c", f"DROP DATABASE {name} WITH (FORCE)")

    def cpu_seconds(self):
        """Of sessions that have ended, too (fields 16 and 17 of proc(5))."""
        stat = pathlib.Path(f"/proc/{self.cluster.process.pid}/stat").read_text()
        fields = stat.rpartition(")")[2].split()
        ended = (int(fields[13]) + int(fields[14])) / machine.TICK
        return ended + sum(self.cluster.sessions().values())


class Run:
    """One database and what runs on it."""

    def __init__(self, program, engine, name, folder):
        self.program, self.engine, self.name, self.server = program, engine, name, None
        key = folder / f"{name}.key"
        key.write_bytes(os.urandom(32))
        key.chmod(0o600)
        self.env = {**os.environ, "STOCKACT_DATABASE": engine.make(name),
                    "STOCKACT_SECRET_KEY_FILE": str(key), "STOCKACT_ACCESS_LOG": "0"}

    def command(self, *arguments):
        done = subprocess.run([self.program, *arguments, "--json"], env=self.env,
                              capture_output=True, text=True)
        if done.returncode:
            raise machine.Failed(f"{' '.join(arguments)}: {done.stderr.strip()}")
        return [json.loads(line) for line in done.stdout.splitlines()]

    def serve(self):
        self.server = subprocess.Popen(
            [self.program, "serve", "--listen", "127.0.0.1:0", "--json"], env=self.env,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.server.stdout.readline()

    def _wait_server(self):
        until = time.monotonic() + WAIT_SECONDS
        while any(node["behind"] for node in self.command("nodes", "list") if node["running"]):
            if time.monotonic() > until:
                raise machine.Failed("the server does not read the trades")
            time.sleep(0.2)

    def measure(self, *arguments):
        """{cpu, wall} in seconds."""
        used = self.engine.cpu_seconds() + self._server_cpu()
        own, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        self.command(*arguments)
        wall, ended = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
        command = ended.ru_utime + ended.ru_stime - own.ru_utime - own.ru_stime
        if self.server:
            self._wait_server()
        return {"cpu": self.engine.cpu_seconds() + self._server_cpu() - used + command,
                "wall": wall}

    def _server_cpu(self):
        return machine.cpu_seconds([self.server.pid]) if self.server else 0.0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.server:
            machine.stop(self.server)
        self.engine.drop(self.name)


def measure(program, engine, folder, options, beside):
    """{case: {cpu, wall}}"""
    files = [folder / "first.json", folder / "second.json"]
    found = {}
    with Run(program, engine, "demo", folder) as run:
        run.command("migrate")
        if beside:
            run.serve()
        found["`demo`"] = run.measure("demo", "--trades", str(options.trades))
    with Run(program, engine, "history", folder) as run:
        run.command("members", "import", str(folder / "members.json"))
        if beside:
            run.serve()
        for case, file in zip(("`backfill`, the first", "`backfill`, another"), files):
            found[case] = run.measure("backfill", "senate-stock-watcher", str(file),
                                      "--by", "bench@example.org")
    return {case + (", beside a server" if beside else ""): of for case, of in found.items()}


def main():
    p = argparse.ArgumentParser(description="See the file.")
    p.add_argument("--program", type=pathlib.Path, default="build/stockact")
    p.add_argument("--trades", type=int, default=100_000)
    p.add_argument("--rounds", type=int, default=3)
    options = p.parse_args()
    rounds = []
    with tempfile.TemporaryDirectory() as made, contextlib.ExitStack() as running:
        folder = pathlib.Path(made)
        folder.chmod(0o755)
        (folder / "members.json").write_text(members())
        for name in ("first", "second"):
            (folder / f"{name}.json").write_text(dump.text(SENATORS, options.trades))
        place = folder / "cluster"
        place.mkdir()
        cluster = running.enter_context(postgres.Postgres(place))
        engines = [Sqlite(folder), Postgresql(cluster)]
        for _ in range(options.rounds):
            rounds.append({
                engine.name: {case: of for beside in (False, True)
                              for case, of in measure(options.program.resolve(), engine, folder,
                                                      options, beside).items()}
                for engine in engines})
    show(rounds, options)


def show(rounds, options):
    header(f"{options.trades:,} trades", "SQLite", "PostgreSQL", "ratio of CPU", "ratio of wall")
    for case in rounds[0]["SQLite"]:
        def median(engine, kind):
            return statistics.median(one[engine][case][kind] for one in rounds)

        def ratio(kind):
            return statistics.median(
                one["PostgreSQL"][case][kind] / one["SQLite"][case][kind] for one in rounds)
        row(case, *(f"{median(name, 'cpu'):.1f} s, {median(name, 'wall'):.1f} s"
                    for name in ("SQLite", "PostgreSQL")),
            f"{ratio('cpu'):.1f}", f"{ratio('wall'):.1f}")


if __name__ == "__main__":
    main()

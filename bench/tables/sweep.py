"""The sweep with a million trades: without changes, with 200,000 changed signals, and the latency
of readers and publications meanwhile."""
import contextlib
import json
import sqlite3
import subprocess
import time

import machine
import service
import sizes
from figures import header, median, of, ratios, row, spread
from stand import PAGE

TRADES = sizes.trades(1_000_000)
CHANGES = sizes.of(200_000, smoke=50)
CONNECTIONS = 64
SHARE = sizes.of(0.2, smoke=0.01)  # of saturation; the sweep gets the rest of the core
PUBLICATIONS = sizes.of(4_000, smoke=50)  # in one process, while it sweeps
LOOK_SECONDS = 0.01
NICE = 10             # of a sweep beside readers: it shares the server's core
ALONE = sizes.of(3, smoke=1)  # sweeps that change nothing
BESIDE = sizes.of(3, quick=1, smoke=1)


def run(stand):
    copy = stand.enter(service.Copy(stand.database(TRADES)))
    quiet = [_sweep(stand, copy) for _ in range(ALONE)]
    publishing = _publishing(stand, copy)
    with service.Server(copy) as server:
        most = of([stand.load(server, PAGE, server.keyed(), connections=CONNECTIONS)
                   for _ in range(stand.options.rounds)], "rps")
    runs = [_beside_readers(stand, copy, SHARE * most) for _ in range(BESIDE)]
    print(f"\n## The sweep, {TRADES:,} trades\n")
    header("what", "seconds", "of one core")
    row("nothing changes", f"{median([run['seconds'] for run in quiet]):.2f}",
        f"{median([run['cpu'] for run in quiet]):.2f}")
    row(f"{CHANGES:,} changes, until a server shows them",
        f"{median([run['seconds'] for run in runs]):.1f}", "")
    row(f"{CHANGES:,} changes beside publications", f"{publishing['seconds']:.1f}", "")
    print(f"\nPublications in another process meanwhile, until visible there: p50 "
          f"{publishing['p50_ms']:.1f} ms, p99 {publishing['p99_ms']:.1f} ms, max "
          f"{publishing['max_ms']:.1f} ms.\n")
    header("readers", "meanwhile", "p50 us", "p99 us", "p99 to alone", "max ms")
    for name in ("alone", "during"):
        loads = [run[name] for run in runs]
        row(f"{SHARE * most:,.0f} a second", "nothing else" if name == "alone" else "the sweep",
            f"{of(loads, 'p50_us'):,.0f}", f"{of(loads, 'p99_us'):,.0f}",
            "" if name == "alone" else spread(ratios(loads, [run["alone"] for run in runs],
                                                     "p99_us")),
            f"{of(loads, 'max_us') / 1000:.1f}")


def _unsettle(copy):
    """Makes CHANGES signals wrong: removes up to half of them, and adds the others to trades that
    must have none."""
    with contextlib.closing(sqlite3.connect(copy.path)) as db, db:
        taken = db.execute(
            "DELETE FROM trade_finding WHERE trade_no IN (SELECT trade_no FROM trade_finding"
            " ORDER BY trade_no LIMIT ?)", (CHANGES // 2,)).rowcount
        db.execute(
            "INSERT INTO trade_finding (trade_no, finding_no) SELECT t.no, (SELECT min(no)"
            " FROM finding) FROM trade t WHERE t.withdrawn_at IS NULL AND t.ticker IS NULL"
            " AND NOT EXISTS (SELECT 1 FROM trade_finding f WHERE f.trade_no = t.no)"
            " ORDER BY t.no LIMIT ?", (CHANGES - taken,))
    # so that the first commit does not do the checkpoint
    with contextlib.closing(sqlite3.connect(copy.path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _publications(copy):
    with contextlib.closing(sqlite3.connect(copy.path)) as db:
        return db.execute("SELECT max(no) FROM publication").fetchone()[0]


def _start(copy, nice=0):
    return service.start(copy.program, copy.path, machine.SERVER_CORE, "sweep", "--json",
                         nice=nice)


def _finish(process):
    told = json.loads(service.finish(process, ["sweep"]).splitlines()[-1])
    return told, told["set"] + told["changed"] + told["cleared"]


def _sweep(stand, copy):
    """Runs a sweep that changes nothing."""
    began, used = time.monotonic(), machine.children_seconds()
    with stand.watched():
        _, changes = _finish(_start(copy))
    if changes:
        raise machine.Failed(f"a sweep of demonstration data changed {changes} signals")
    return {"seconds": time.monotonic() - began, "cpu": machine.children_seconds() - used}


def _publishing(stand, copy):
    """Runs a sweep and publications at the same time, in two processes on the two cores."""
    _unsettle(copy)
    command = [stand.tool("publish_visible"), f"sqlite:{copy.path}", PUBLICATIONS]
    with stand.watched():
        began = time.monotonic()
        before = _publications(copy)
        told = machine.spawn(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while _publications(copy) == before and told.poll() is None:
            time.sleep(LOOK_SECONDS)  # the process loads a feed first
        sweep = _start(copy)
        figures = json.loads(service.finish(told, command))
        _finish(sweep)
    return {**figures, "seconds": time.monotonic() - began}


def _beside_readers(stand, copy, rate):
    _unsettle(copy)  # before the server starts, so that the sweep's changes become visible in it
    with service.Server(copy) as server:
        with _client(stand, server, rate, stand.options.seconds) as client:
            alone = client.result()
        with _client(stand, server, rate, machine.PATIENCE_SECONDS) as client:
            began = time.monotonic()
            told, changes = _finish(_start(copy, nice=NICE))
            seconds = time.monotonic() - began
            during = client.stop()
    if changes < CHANGES * 9 // 10:
        raise machine.Failed(f"only {changes} signals changed: {told}")
    return {"alone": alone, "during": during, "seconds": seconds}


def _client(stand, server, rate, seconds):
    return stand.client(server, PAGE, server.keyed(), rate=rate, connections=CONNECTIONS,
                        seconds=seconds)

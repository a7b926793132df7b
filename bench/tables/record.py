"""The record of a million trades: a snapshot, alone and beside readers of the API, and exports of all
trades, by the command and by the API."""
import json
import pathlib
import tempfile
import time
import urllib.request

import machine
import service
import sizes
from figures import header, of, ratios, row, spread
from stand import PAGE

TRADES = sizes.trades(1_000_000)
CONNECTIONS = 64
SHARE = sizes.of(0.2, smoke=0.01)  # of saturation
PIECE = 1 << 20
ALL = "/api/v1/export?format="


def run(stand):
    database = stand.database(TRADES)
    with tempfile.TemporaryDirectory(dir=stand.options.data) as folder:
        alone = _snapshot(stand, database, f"{folder}/alone")
        written = _files(f"{folder}/alone")
        command = {form: _command(stand, database, form, pathlib.Path(folder, form))
                   for form in ("csv", "jsonl")}
        server = stand.server(TRADES)
        most = of([stand.load(server, PAGE, server.keyed(), connections=CONNECTIONS)
                   for _ in range(stand.options.rounds)], "rps")
        served = {f"GET {form}{', gzip' if gzip else ''}": _get(stand, server, form, gzip)
                  for form in ("csv", "jsonl") for gzip in (False, True)}
        kinds = {
            "a snapshot": lambda: _snapshot(stand, database, f"{folder}/beside"),
            "an export of the API": lambda: _get(stand, server, "csv", True),
        }
        quiet = _readers(stand, server, SHARE * most)
        beside = {name: _beside(stand, server, SHARE * most, what) for name, what in kinds.items()}
    print(f"\n## The record in files, {TRADES:,} trades\n")
    header("what", "seconds", "of one core", "MB", "trades a second")
    _show("snapshot", {**alone, "bytes": written})
    for name, figures in {**{f"export --format {form}": figures
                             for form, figures in command.items()}, **served}.items():
        _show(name, figures)
    print()
    header("readers", "meanwhile", "p50 us", "p99 us", "p99 to alone", "max ms")
    for name, load in {"nothing else": quiet, **beside}.items():
        row(f"{SHARE * most:,.0f} a second", name, f"{load['p50_us']:,.0f}",
            f"{load['p99_us']:,.0f}",
            "" if load is quiet else spread(ratios([load], [quiet], "p99_us")),
            f"{load['max_us'] / 1000:.1f}")


def _show(name, figures):
    row(name, f"{figures['seconds']:.1f}", f"{figures['cpu']:.1f}",
        f"{figures['bytes'] / 1e6:,.0f}", f"{TRADES / figures['seconds']:,.0f}")


def _files(folder):
    return sum(path.stat().st_size for path in pathlib.Path(folder, "latest").iterdir())


def _measured(stand, pids, what):
    """Runs `what`, which returns bytes."""
    began, used = time.monotonic(), machine.children_seconds() + machine.cpu_seconds(pids)
    with stand.watched(pids):
        size = what()
    return {"seconds": time.monotonic() - began, "bytes": size,
            "cpu": machine.children_seconds() + machine.cpu_seconds(pids) - used}


def _snapshot(stand, database, folder):
    """On the core of the load, as an operator with two cores would have it."""
    def write():
        command = service.start(database.program, database.path, machine.LOAD_CORE, "snapshot",
                                "--whole", folder, "--json")
        told = json.loads(service.finish(command, ["snapshot"]).splitlines()[-1])
        if not told:
            raise machine.Failed("the snapshot said nothing")
        return 0
    return _measured(stand, (), write)


def _command(stand, database, form, to):
    def export():
        with open(to, "wb") as file:
            service.finish(service.start(database.program, database.path, machine.SERVER_CORE,
                                         "export", "--whole", "--format", form, stdout=file),
                           ["export"])
        return to.stat().st_size
    figures = _measured(stand, (), export)
    to.unlink()
    return figures


def _get(stand, server, form, gzip):
    """The bytes on the wire."""
    headers = server.keyed(**({"Accept-Encoding": "gzip"} if gzip else {}))

    def fetch():
        url = f"http://127.0.0.1:{server.port}{ALL}{form}"
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers)) as response:
            size = 0
            while piece := response.read(PIECE):
                size += len(piece)
            return size
    return _measured(stand, server.pids, fetch)


def _readers(stand, server, rate):
    with _client(stand, server, rate, stand.options.seconds) as client:
        return client.result()


def _beside(stand, server, rate, what):
    with _client(stand, server, rate, machine.PATIENCE_SECONDS) as client:
        what()
        return client.stop()


def _client(stand, server, rate, seconds):
    return stand.client(server, PAGE, server.keyed(), rate=rate, connections=CONNECTIONS,
                        seconds=seconds)

"""From publication to visible with a million trades: in one process, and from the command line with
a running server."""
import json
import subprocess
import time

import machine
import service
import sizes
from figures import header, rank, row

TRADES = sizes.trades(1_000_000)
IN_PROCESS = sizes.of(500, smoke=5)
COMMANDS = sizes.of(200, quick=100, smoke=2)
ROWS = 5
LOOK_SECONDS = 0.0005  # between two polls of the feed
FIRST = "/api/v1/trades?limit=1"


def run(stand):
    copy = stand.enter(service.Copy(stand.database(TRADES)))
    inside = _in_process(stand, copy)
    beside = _command_line(stand, copy)
    print(f"\n## Publication to visible, {TRADES:,} trades\n")
    header("published by", "publications", "p50 ms", "p99 ms", "max ms")
    row("the same process", inside["count"],
        *(f"{inside[field]:.2f}" for field in ("p50_ms", "p99_ms", "max_ms")))
    row("`demo --publish 1` beside the server", len(beside),
        *(f"{rank(beside, share) * 1000:.1f}" for share in (0.5, 0.99, 1)))
    print("\nIn the first row, the publication was durable after "
          f"{inside['durable_p50_ms']:.2f} ms at p50.",
          flush=True)


def _in_process(stand, copy):
    command = [stand.tool("publish_visible"), f"sqlite:{copy.path}", IN_PROCESS]
    with stand.watched():
        process = machine.spawn(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        return json.loads(service.finish(process, command))


def _command_line(stand, copy):
    """Returns the seconds from the start of each command to the response that had its trade."""
    server = stand.enter(service.Server(copy))
    with stand.watched(server.pids):
        return [_publish_one(server, copy) for _ in range(COMMANDS)]


def _publish_one(server, copy):
    before = _newest(server)
    arguments = ["demo", "--publish", 1, "--rows", ROWS, "--json"]
    began = time.monotonic()
    command = service.start(copy.program, copy.path, machine.LOAD_CORE, *arguments)
    while (shown := _newest(server)) == before:
        if time.monotonic() - began > machine.PATIENCE_SECONDS:
            raise machine.Failed("a publication does not become visible")
        time.sleep(LOOK_SECONDS)
    seconds = time.monotonic() - began
    told = json.loads(service.finish(command, arguments))["disclosedAt"]
    if told != shown:
        raise machine.Failed(f"published at {told}, shown {shown}")
    return seconds


def _newest(server):
    page = json.loads(server.get(FIRST, server.keyed())[1])
    return page["data"][0]["disclosedAt"]

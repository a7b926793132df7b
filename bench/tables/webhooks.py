"""Webhooks: durable deliveries a second, one publication to many endpoints, and the time from
publication to the first attempt. Each endpoint has its own address. One process (webhook_sink.c) on
the load's core receives for all of them.
"""
import contextlib
import json
import re
import subprocess
import threading
import time

import machine
import service
import sizes
from figures import header, row

TRADES = sizes.trades(10_000)
ENDPOINTS, PUBLICATIONS = sizes.of((50, 600), smoke=(3, 5))
MANY = sizes.of(10_000, smoke=20)
TOLD = sizes.of(500, quick=200, smoke=5)
ROWS = 5
ALLOW = {"STOCKACT_WEBHOOK_ALLOW": "127.0.0.0/8"}
SENT = re.compile(r'^stockact_webhook_attempts_total\{class="2xx"\} (\d+)$', re.MULTILINE)
IN_HAND = re.compile(r"^stockact_webhook_in_flight (\d+)$", re.MULTILINE)


def run(stand):
    queue = _send_queue(stand, ENDPOINTS, PUBLICATIONS)
    many = _send_queue(stand, MANY, 1)
    told = _time_told(stand)
    print("\n## Webhooks\n")
    header("what", "deliveries", "connections", "seconds", "a second", "CPU us each")
    for name, one in ((f"{PUBLICATIONS} publications to {ENDPOINTS} endpoints", queue),
                      (f"one publication to {MANY:,} endpoints", many)):
        row(name, one["requests"], one["connections"], f"{one['seconds']:.2f}",
            f"{one['requests'] / one['seconds']:,.0f}",
            f"{one['cpu_seconds'] / one['requests'] * 1e6:.0f}")
    print("\nSeconds: from the first request received until every outcome was durable.\n")
    print("From before the publication's transaction to the first attempt, "
          f"{told['count']} times: p50 {told['p50_ms']:.1f} ms, p99 {told['p99_ms']:.1f} ms, "
          f"max {told['max_ms']:.1f} ms",
          flush=True)


@contextlib.contextmanager
def _copy(stand, endpoints, port):
    """A copy of the database with that many endpoints, all at the sink."""
    with service.Copy(stand.database(TRADES)) as copy:
        _finish(_start(stand, "endpoints", copy.url, copy.secret_path, endpoints, port))
        yield copy


def _start(stand, *arguments):
    command = ["taskset", "-c", machine.LOAD_CORE, stand.tool("webhook_sink"), *arguments]
    return subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True)


def _finish(process):
    """A delivery that failed would be awaited for hours."""
    alarm = threading.Timer(machine.PATIENCE_SECONDS, process.kill)
    alarm.start()
    try:
        return json.loads(service.finish(process, ["webhook_sink"]).splitlines()[-1])
    finally:
        alarm.cancel()


def _listening(process):
    line = process.stdout.readline()
    if not line:
        raise machine.Failed(process.stderr.read())
    return json.loads(line)["port"]


def _send_queue(stand, endpoints, publications):
    """Publishes before the server starts, so that it sends a full queue when it does."""
    count = endpoints * publications
    sink = _start(stand, "receive", 0, count)
    with contextlib.ExitStack() as running:
        running.callback(sink.kill)
        copy = running.enter_context(_copy(stand, endpoints, _listening(sink)))
        service.run(copy.program, copy.path, "demo", "--publish", publications, "--rows", ROWS)
        server = running.enter_context(service.Server(copy, env=ALLOW))
        with stand.watched(server.pids):
            received = _finish(sink)
            durable_ns = _wait_durable(server, count)
        received["cpu_seconds"] = machine.cpu_seconds(server.pids)
    received["seconds"] = (durable_ns - received["first_ns"]) / 1e9
    return received


def _wait_durable(server, count):
    until = time.monotonic() + machine.PATIENCE_SECONDS
    while time.monotonic() < until:
        page = server.get("/metrics", {})[1].decode()
        if int(SENT.search(page)[1]) == count and int(IN_HAND.search(page)[1]) == 0:
            return time.monotonic_ns()
        time.sleep(0.001)
    raise machine.Failed(f"{count} deliveries did not finish in {machine.PATIENCE_SECONDS} s")


def _time_told(stand):
    """Measures one endpoint with one publication after the other, over its own connection."""
    port = _free_port(stand)
    with _copy(stand, 1, port) as copy, service.Server(copy, env=ALLOW) as server:
        with stand.watched(server.pids):
            sink = _start(stand, "latency", port, copy.url, TOLD)
            _listening(sink)
            return _finish(sink)


def _free_port(stand):
    sink = _start(stand, "receive", 0, 1)
    try:
        return _listening(sink)
    finally:
        sink.kill()
        sink.wait()

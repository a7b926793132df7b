"""Memory: after many pages, and with many idle connections that have sessions."""
import contextlib
import http.client

import machine
import person
import service
import sizes
from figures import header, row

TRADES = sizes.trades(1_000_000)
ROUNDS, REQUESTS = sizes.of((5, 2_000), smoke=(2, 30))  # the memory is read after each of the rounds
ENV = {"STOCKACT_SWEEP_AT": "off"}
MIB = 1 << 20


def run(stand):
    database = person.Database(stand.program, stand.options.data, TRADES)
    server = stand.enter(service.Server(database, env=ENV))
    who = database.person
    targets = [(target, person.headers(who, name)) for name, target in person.pages(who).items()]
    rows = [("at the start", 0, *_memory(server))]
    for turn in range(1, ROUNDS + 1):
        for number in range(REQUESTS):
            server.get(*targets[number % len(targets)])
        rows.append((f"after {turn * REQUESTS:,} pages", 0, *_memory(server)))
    with contextlib.ExitStack() as idle:
        _open(server, who["sessions"], idle)
        rows.append(("with idle connections, each with a session", len(who["sessions"]),
                     *_memory(server)))
    print(f"\n## Memory of pages, {database.trades:,} trades\n")
    header("when", "connections", "resident MiB", "anonymous MiB")
    for name, connections, resident, anonymous in rows:
        row(name, f"{connections:,}", f"{resident / MIB:.1f}", f"{anonymous / MIB:.1f}")
    each = (rows[-1][3] - rows[-2][3]) / len(who["sessions"])
    print(f"\nAn idle connection whose last response was a page: {each / 1024:.1f} KiB", flush=True)


def _memory(server):
    return [machine.status_bytes(server.pids[0], field) for field in ("VmRSS", "RssAnon")]


def _open(server, sessions, idle):
    """A connection for each session, which loads one page and stays open."""
    for number, session in enumerate(sessions):
        connection = http.client.HTTPConnection(
            "127.0.0.1", server.port, source_address=(f"127.0.{1 + number // 100}.1", 0))
        idle.callback(connection.close)
        connection.request("GET", "/account", headers=person.cookie(session))
        response = connection.getresponse()
        response.read()
        if response.status != 200:
            raise machine.Failed(f"/account: {response.status}")

"""Latency of readers while others write: the page in an open loop, alone, during publications, and
during a backfill, with a million trades."""
import re
import time

import dump
import machine
import service
import sizes
from figures import header, median, of, ratios, row, spread
from stand import PAGE

TRADES = sizes.trades(1_000_000)
CONNECTIONS = 64
SHARES = sizes.of((0.2, 0.7), smoke=(0.01, 0.02))  # of saturation
EVERY_MS, ROWS = 200, 5  # of publications
BACKFILL_TRADES = sizes.of(10_000, smoke=50)
BACKFILLS = sizes.of(3, quick=1, smoke=1)
NICE = 10                # of the backfill's command: it shares the server's core
LOOK_SECONDS = 0.02


def run(stand):
    copy = stand.enter(service.Copy(stand.database(TRADES)))
    server = stand.enter(service.Server(copy))
    most = of([stand.load(server, PAGE, server.keyed(), connections=CONNECTIONS)
               for _ in range(stand.options.rounds)], "rps")
    print(f"\n## Readers while others write, open loop, {TRADES:,} trades, {CONNECTIONS} "
          "connections\n")
    header("rate", "meanwhile", "p50 us", "p99 us", "p99 to alone", "p99.9 us", "max ms")
    alone = {share: _alone_and_publications(stand, copy, server, share, most) for share in SHARES}
    copy.call_real()
    seconds = [_backfills(stand, copy, server, share, most, alone[share]) for share in SHARES]
    print(f"\nA publication has {ROWS} trades. A backfill of {BACKFILL_TRADES:,} trades was "
          "visible after " + " and ".join(f"{median(took):.1f} s" for took in seconds)
          + " at the two rates.", flush=True)


def _alone_and_publications(stand, copy, server, share, most):
    alone, during = [], []
    publications = ["demo", "--publish", round(stand.options.seconds * 1000 / EVERY_MS),
                    "--every", f"{EVERY_MS}ms", "--rows", ROWS]
    for _ in range(stand.options.rounds):
        with _client(stand, server, share * most, stand.options.seconds) as client:
            alone.append(client.result())
        with _client(stand, server, share * most, stand.options.seconds) as client:
            command = service.start(copy.program, copy.path, machine.SERVER_CORE, *publications)
            service.finish(command, publications)
            during.append(client.result())
    _show(share * most, "nothing else", alone, alone)
    _show(share * most, f"a publication each {EVERY_MS} ms", during, alone)
    return alone


def _backfills(stand, copy, server, share, most, alone):
    """Returns the seconds that each backfill took."""
    during, took = [], []
    for _ in range(BACKFILLS):
        file = stand.write(dump.text(copy.senators(), BACKFILL_TRADES))
        command = ["backfill", "senate-stock-watcher", file, "--by", service.OPERATOR]
        wanted = _trades(server) + BACKFILL_TRADES
        with _client(stand, server, share * most, machine.PATIENCE_SECONDS) as client:
            began = time.monotonic()
            process = service.start(copy.program, copy.path, machine.SERVER_CORE, *command,
                                    nice=NICE)
            service.finish(process, command)
            while _trades(server) < wanted:
                time.sleep(LOOK_SECONDS)
                if time.monotonic() - began > machine.PATIENCE_SECONDS:
                    raise machine.Failed("a backfill does not become visible")
            took.append(time.monotonic() - began)
            during.append(client.stop())
    _show(share * most, f"a backfill of {BACKFILL_TRADES:,} trades", during,
          alone[:len(during)])
    return took


def _client(stand, server, rate, seconds):
    return stand.client(server, PAGE, server.keyed(), rate=rate, connections=CONNECTIONS,
                        seconds=seconds)


def _trades(server):
    text = server.get("/metrics", {})[1].decode()
    return int(re.search(r"^stockact_feed_trades (\d+)$", text, re.MULTILINE).group(1))


def _show(rate, name, runs, alone):
    row(f"{rate:,.0f}", name, f"{of(runs, 'p50_us'):,.0f}", f"{of(runs, 'p99_us'):,.0f}",
        "" if runs is alone else spread(ratios(runs, alone, "p99_us")),
        f"{of(runs, 'p999_us'):,.0f}", f"{of(runs, 'max_us') / 1000:.1f}")

"""Latency of the page in an open loop, at one common rate and at each server's own rate.

The rates are 70 % of saturation, which is the rate that a closed loop reached.
"""
import signal
import threading

import machine
import sizes
from figures import header, of, ratios, row, spread
from pages import TRADES, Pages, turned
from tables.page import CONNECTIONS

SHARE = sizes.of(0.7, smoke=0.01)
PAUSE = 0.2               # seconds
PAUSE_RATE, PAUSE_RUN = sizes.of((5_000, 2), smoke=(500, 1))
PAUSE_SEEN_US = 150_000   # at p99: a tenth of the run's requests wait for up to the whole pause


def run(stand):
    pages = Pages(stand)
    sides = pages.sides[:-1]
    seen = _pause_seen(stand, pages)
    print(f"\n## Latency of the page, open loop, {TRADES:,} trades\n")
    print(f"Check of the client: a server that stops for {PAUSE * 1000:.0f} ms in {PAUSE_RUN} s "
          f"shows a p99 of {seen / 1000:.0f} ms.\n")
    header("connections", "server", "saturation", "same rate", "p50 us", "p99 us",
           "ours / its p99", "own 70 %", "p50 us", "p99 us", "ours / its p99")
    late = 0
    for connections in CONNECTIONS:
        late = max(late, _at(stand, pages, sides, connections))
    print(f"\nThe client sent its requests late by at most {late:.0f} us at p99 (median of the "
          "rounds).", flush=True)


def _at(stand, pages, sides, connections):
    most = {side: stand.saturate(side, target, pages.headers, connections)
            for side, target in sides}
    same = SHARE * min(most.values())
    at_same, at_own = ({side: [] for side, _ in sides} for _ in range(2))
    for turn in range(stand.options.rounds):
        for runs, rate_of in ((at_same, lambda _: same), (at_own, lambda side: SHARE * most[side])):
            for side, target in turned(sides, turn):
                runs[side].append(stand.open_loop(side, target, pages.headers,
                                                  rate=rate_of(side), connections=connections))
    for side, _ in sides:
        row(connections, side.name, f"{most[side]:,.0f}", f"{same:,.0f}",
            *_latencies(at_same, pages.server, side), f"{SHARE * most[side]:,.0f}",
            *_latencies(at_own, pages.server, side))
    return max(of(runs, "late_p99_us") for at in (at_same, at_own) for runs in at.values())


def _latencies(runs, ours, side):
    against = spread(ratios(runs[ours], runs[side], "p99_us")) if side is not ours else ""
    return f"{of(runs[side], 'p50_us'):,.0f}", f"{of(runs[side], 'p99_us'):,.0f}", against


def _pause_seen(stand, pages):
    """Stops the bare loop in the middle of a run and returns the p99 in us. A client that waits for
    the stopped server would not see the pause."""
    process = pages.bare.process
    timers = [threading.Timer(after, process.send_signal, [which])
              for after, which in ((PAUSE_RUN / 2, signal.SIGSTOP),
                                   (PAUSE_RUN / 2 + PAUSE, signal.SIGCONT))]
    for timer in timers:
        timer.start()
    try:
        run_ = stand.open_loop(pages.bare.server, pages.bare.target, {}, rate=PAUSE_RATE,
                               connections=CONNECTIONS[0], seconds=PAUSE_RUN)
    finally:
        for timer in timers:
            timer.cancel()
        process.send_signal(signal.SIGCONT)
    if run_["p99_us"] < PAUSE_SEEN_US:
        raise machine.Failed(f"the client does not see a pause of {PAUSE} s: {run_}")
    return run_["p99_us"]

"""Runs the measurements and prints them; called by script/bench.

Other servers alternate with ours within each round, so that disturbances hit all of them. A ratio
is computed within its round, and the median of the rounds is printed.
"""
import argparse
import contextlib
import io
import pathlib
import re
import subprocess
import sys
import tempfile
import traceback

import about
import machine
import readme
import sizes
import stand
from tables import (alerts, before, beside, data, desk, fastify, ingest, latency, mcp, nodes, page,
                    publish, readers, record, relative, sessions, site, start, stats, sweep,
                    webhooks)

SIZES, SIZES_QUICK = (10_000, 100_000, 1_000_000, 5_000_000), (10_000, 1_000_000)
BIG = 5_000_000
TABLES = {
    "page": page,
    "latency": latency,
    "fastify": fastify,
    "start": start,
    "publish": publish,
    "readers": readers,
    "sweep": sweep,
    "record": record,
    "webhooks": webhooks,
    "relative": relative,
    "ingest": ingest,
    "stats": stats,
    "mcp": mcp,
    "site": site,
    "data": data,
    "beside": beside,
    "alerts": alerts,
    "sessions": sessions,
    "desk": desk,
    "nodes": nodes,
    "before": before,
}
ON_REQUEST = {"before"}  # needs an older program
FAILURES = (machine.Failed, OSError, subprocess.SubprocessError)
FIGURE = re.compile(r"\d")


class Copying(io.TextIOBase):
    """Prints, and keeps a copy of the text."""

    def __init__(self, to):
        self.to, self.kept = to, io.StringIO()

    def write(self, text):
        self.kept.write(text)
        return self.to.write(text)

    def flush(self):
        self.to.flush()

    def forget(self, since):
        """Drops the text kept since kept.tell() returned `since`."""
        self.kept.seek(since)
        self.kept.truncate()


def parse_options():
    p = argparse.ArgumentParser(prog="script/bench", description="See bench/README.md.",
                                allow_abbrev=False)
    p.add_argument("--smoke", action="store_true",
                   help="run every table once on 1,000 trades and print TAP, no figures")
    p.add_argument("--quick", action="store_true",
                   help="about 15 minutes: short loads, few rounds, two sizes")
    p.add_argument("--big", action="store_true", help=f"add {BIG:,} trades to a quick run")
    p.add_argument("--only", choices=TABLES, action="append",
                   help="measure this table (repeatable)")
    p.add_argument("--trades", type=int, action="append",
                   help="number of trades for `relative` (repeatable)")
    p.add_argument("--before", type=pathlib.Path, metavar="PROGRAM",
                   help="the older program that the table `before` compares with")
    p.add_argument("--data", type=pathlib.Path, default="var/bench",
                   help="folder that keeps the databases between runs (default var/bench)")
    p.add_argument("--build", type=pathlib.Path, default="build", help=argparse.SUPPRESS)
    p.add_argument("--rounds", type=int, help="number of rounds (default 5; quick 3)")
    p.add_argument("--seconds", type=int, help="seconds of each load (default 2; quick 1)")
    p.add_argument("--update-readme", action="store_true",
                   help="write the output between the markers of bench/README.md")
    o = p.parse_args()
    o.whole = not o.only and not o.trades
    o.rounds = o.rounds or sizes.of(5, quick=3, smoke=1)
    o.seconds = o.seconds or sizes.of(2, quick=1, smoke=0.2)
    o.data, o.build = o.data.resolve(), o.build.resolve()
    o.before = sizes.of(o.before and o.before.resolve(), smoke=o.build / "stockact")
    o.only = o.only or [name for name in TABLES if name not in ON_REQUEST or o.before]
    o.trades = o.trades or list(sizes.of(SIZES, quick=SIZES_QUICK, smoke=(sizes.trades(BIG),)))
    if o.big and BIG not in o.trades:
        o.trades.append(BIG)
    o.data.mkdir(parents=True, exist_ok=True)
    return o


def measure(name, options, others, saturation, *arguments):
    """Prints one table, or raises one of FAILURES."""
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as running:
        on = stand.Stand(options, folder, running, others, saturation)
        running.callback(machine.stop_left)
        TABLES[name].run(on, *arguments)


def run(options, others, out):
    """Measures the tables. False: one of them failed; the others are still measured."""
    saturation, whole = {}, True
    for name in options.only:
        for arguments in [(trades,) for trades in options.trades] if name == "relative" else [()]:
            printed = out.kept.tell()
            try:
                measure(name, options, others, saturation, *arguments)
            except FAILURES as failed:
                out.forget(printed)
                print(f"bench: table {name} failed: {failed}", file=sys.stderr)
                whole = False
    return whole


def missing(printed):
    """What a table that was printed lacks, or "". Each head needs a row, and each row a figure
    behind its name. Headings and heads have none."""
    lines = [line for line in printed.splitlines() if not line.startswith("#")] + [""]
    ends = [at for at, line in enumerate(lines) if line.startswith("|---")]
    for at in ends:
        if not lines[at + 1].startswith("|"):
            return f"no row under {lines[at - 1]}"
    heads = {at + step for at in ends for step in (-1, 0)}
    body = [line for at, line in enumerate(lines) if at not in heads]
    for line in body:
        if line.startswith("|") and not FIGURE.search(line.split("|", 2)[2]):
            return f"no figure in {line}"
    return "" if FIGURE.search("".join(body)) else "no figures"


def smoke(options):
    """Runs every table once. Prints a line of TAP for each, after what is wrong with it."""
    others, saturation, failures = machine.Others(), {}, 0
    for number, name in enumerate(options.only, 1):
        arguments = [sizes.trades(BIG)] * (name == "relative")
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed):
                measure(name, options, others, saturation, *arguments)
            wrong = missing(printed.getvalue())
        except Exception as failed:
            wrong = f"{type(failed).__name__}: {failed}"
            traceback.print_exc()
        if wrong:
            failures += 1
            print("#", " ".join(f"bench: table {name}: {wrong}".split()))
        print("not ok" if wrong else "ok", number, f"- bench: table {name} has its figures",
              flush=True)
    print(f"1..{len(options.only)}")
    return failures == 0


def command_of(options):
    """The command line of this run."""
    words = ["script/bench", *(f"--{flag}" for flag in ("quick", "big") if getattr(options, flag))]
    if not options.whole:
        words += [f"--only {name}" for name in options.only]
        words += [f"--trades {trades}" for trades in options.trades if "relative" in options.only]
        words += ["--before PROGRAM"] * bool(options.before)
    return " ".join(words)


def main():
    options, others = parse_options(), machine.Others()
    if options.smoke:
        with tempfile.TemporaryDirectory() as folder:
            options.data = pathlib.Path(folder)
            return 0 if smoke(options) else 1
    out = Copying(sys.stdout)
    facts = [*about.lines(options.build / "stockact"), f"{options.rounds} rounds of "
             f"{options.seconds} s; medians, in brackets the minimum and maximum."]
    print("\n".join(facts))
    with contextlib.redirect_stdout(out):
        done = run(options, others, out)
    print(f"\n{others.verdict()}")
    if options.update_readme:
        readme.update("\n".join([*facts, f"{others.verdict()}.", out.kept.getvalue()]),
                      command_of(options), options.whole and done)
    return 0 if done else 1


if __name__ == "__main__":
    sys.exit(main())

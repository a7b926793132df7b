"""Runs the measurements and prints them; called by script/bench, which says how.

Companions alternate with our server within each round, so that whatever the machine does meets all
of them; a ratio is taken inside its round and the median of the rounds is printed.
"""
import argparse
import contextlib
import pathlib
import statistics
import sys
import tempfile

import cases
import companions
import fastify
import machine
import service

CONNECTIONS = (64, 128, 256)
CASE_CONNECTIONS = 64
PAGE_TRADES = 100_000
LIMITED_TRADES = 9_999  # a database of its own: a file has one server
START_TRADES = 1_000_000
GZIP_FILES = 500
BIG_TRADES = 5_000_000
PAGE = "/api/v1/trades"
PARTS = ("page", "fastify", "start", "relative")


def median(numbers):
    return statistics.median(numbers)


def spread(ratios):
    return f"{median(ratios):5.2f} ({min(ratios):.2f}-{max(ratios):.2f})"


class Bench:
    def __init__(self, options, folder, running, others):
        self.options, self.folder, self.running = options, folder, running
        self.program = options.build / "stockact"
        self.others = others

    def database(self, trades):
        return service.Database(self.program, self.options.data, trades)

    def server(self, trades, **how):
        """Stays until the part that wanted it is over."""
        return self.running.enter_context(service.Server(self.database(trades), **how))

    def load(self, server, target, headers, **how):
        return machine.load(server, target, headers, seconds=self.options.seconds,
                            others=self.others, **how)

    # ---- the page beside its companions ----

    def page(self):
        """The keyed first page against nginx and the bare loop, by count of connections."""
        server = self.server(PAGE_TRADES)
        head, body = companions.exchange(server.port, PAGE, server.keyed())
        nginx = self.running.enter_context(companions.Nginx(self.folder, head, body))
        bare = self.running.enter_context(companions.Bare(
            self.options.build / "bench" / "epoll_page", self.folder, head, body))
        sides = [(server, PAGE), (nginx.plain, nginx.target), (nginx.sendfile, nginx.target),
                 (bare.server, bare.target)]
        print(f"\n## The page: 25 trades, keyed, JSON, {len(head)} + {len(body)} bytes, "
              f"{PAGE_TRADES:,} trades\n")
        print("| connections | server | CPU us | ours / its CPU | requests/s | ours / its | busy "
              "| p99 ms |")
        print("|---|---|---|---|---|---|---|---|")
        for connections in CONNECTIONS:
            self._page_at(sides, connections, server.keyed())
        self._gzip(server, nginx)

    def _page_at(self, sides, connections, headers):
        runs = {side.name: [] for side, _ in sides}
        for turn in range(self.options.rounds):
            for side, target in sides[turn % len(sides):] + sides[:turn % len(sides)]:
                runs[side.name].append(
                    self.load(side, target, headers, connections=connections))
        ours = runs[sides[0][0].name]
        for name, its in runs.items():
            cpu = [a["cpu_us"] / b["cpu_us"] for a, b in zip(ours, its)]
            rps = [a["rps"] / b["rps"] for a, b in zip(ours, its)]
            print(f"| {connections} | {name} | {self._of(its, 'cpu_us'):.2f} "
                  f"| {'' if its is ours else spread(cpu)} | {self._of(its, 'rps'):,.0f} "
                  f"| {'' if its is ours else spread(rps)} | {self._of(its, 'busy'):.0%} "
                  f"| {self._of(its, 'p99_us') / 1000:.2f} |", flush=True)

    @staticmethod
    def _of(runs, field):
        return median([run[field] for run in runs])

    def _gzip(self, server, nginx):
        """The compressed page against nginx compressing the same body for each request."""
        headers = server.keyed(**{"Accept-Encoding": "gzip"})
        facts = service.facts(self.database(PAGE_TRADES), server)
        many = cases.many_pages(facts)
        files = nginx.add_pages(server.get(target, server.keyed())[1]
                                for target in many[::len(many) // GZIP_FILES])
        for name, our_targets, its_targets in (("hit", [PAGE], [nginx.target]),
                                               ("miss", many, files)):
            our_file, its_file = self._write(our_targets), self._write(its_targets)
            ours, its = [], []
            for _ in range(self.options.rounds):
                ours.append(self.load(server, PAGE, headers, targets=our_file,
                                      connections=CASE_CONNECTIONS))
                its.append(self.load(nginx.gzip, nginx.target, headers, targets=its_file,
                                     connections=CASE_CONNECTIONS))
            ratios = [b["cpu_us"] / a["cpu_us"] for a, b in zip(ours, its)]
            print(f"\nGzip {name}: nginx compressing such pages costs {spread(ratios)} times ours "
                  f"({self._of(its, 'cpu_us'):.1f} against {self._of(ours, 'cpu_us'):.1f} us)",
                  flush=True)

    def fastify(self):
        """The same page from Fastify on PostgreSQL: requests per second, both of one core."""
        server = self.server(PAGE_TRADES)
        folder = self.folder / "postgres"
        folder.mkdir()
        postgres = self.running.enter_context(fastify.Postgres(folder))
        companion = self.running.enter_context(
            fastify.Fastify(postgres, fastify.find_node(), server))
        ratios, ours, its = [], [], []
        for _ in range(self.options.rounds):
            for side, runs in ((server, ours), (companion.server, its)):
                runs.append(self.load(side, PAGE, server.keyed(), connections=CASE_CONNECTIONS))
            ratios.append(ours[-1]["rps"] / its[-1]["rps"])
        print(f"\n## Fastify on PostgreSQL, {PAGE_TRADES:,} trades, {CASE_CONNECTIONS} connections\n")
        print(f"{self._of(ours, 'rps'):,.0f} requests/s against {self._of(its, 'rps'):,.0f}: "
              f"{spread(ratios)} times; CPU {self._of(ours, 'cpu_us'):.2f} against "
              f"{self._of(its, 'cpu_us'):.0f} us (Node and PostgreSQL)", flush=True)

    # ---- everything else, relative to the plain first page ----

    def relative(self, trades):
        server, limited = self.server(trades), self.server(LIMITED_TRADES, unlimited=False)
        facts = service.facts(self.database(trades), server)
        tag = server.get(PAGE, server.keyed())[0].getheader("ETag")
        all_cases = [cases.Case("plain first page", PAGE), *cases.everything(facts, tag)]
        runs = {case.name: [] for case in all_cases}
        files = [self._check(case, limited if case.limited else server) for case in all_cases]
        for _ in range(self.options.rounds):
            for case, file in zip(all_cases, files):
                side = limited if case.limited else server
                run = self.load(side, PAGE, case.all_headers(side), targets=file,
                                connections=CASE_CONNECTIONS)
                if bool(run["refused"]) != (case.status >= 400):
                    raise machine.Failed(f"{case.name}: {run}")
                runs[case.name].append(run)
        print(f"\n## Relative to the plain first page, {trades:,} trades, {CASE_CONNECTIONS} "
              "connections\n")
        print("| request | CPU us | to the plain page | requests/s | bytes |")
        print("|---|---|---|---|---|")
        plain = runs[all_cases[0].name]
        for name, its in runs.items():
            ratio = [a["cpu_us"] / b["cpu_us"] for a, b in zip(its, plain)]
            print(f"| {name} | {self._of(its, 'cpu_us'):.2f} | {spread(ratio)} "
                  f"| {self._of(its, 'rps'):,.0f} | {self._of(its, 'bytes'):,.0f} |", flush=True)

    def _check(self, case, server):
        """Asks once (until it is refused, where limits are to be used up), and writes the targets
        down for the load."""
        for _ in range(1000 if case.limited else 1):
            response, _ = server.get(case.targets[0], case.all_headers(server), expect=None)
            if response.status == case.status:
                break
        else:
            raise machine.Failed(f"{case.name}: {response.status}")
        return self._write(case.targets)

    def _write(self, targets):
        """The file of targets that a load goes through."""
        with tempfile.NamedTemporaryFile("w", dir=self.folder, delete=False) as file:
            file.write("".join(f"{target}\n" for target in targets))
        return file.name

    # ---- start and memory ----

    def start(self):
        database = self.database(START_TRADES)
        seconds, cpu, resident, anonymous = [], [], [], []
        for _ in range(max(3, self.options.rounds)):
            busy = machine.busy_seconds()
            with service.Server(database) as server:
                self.others.add(machine.busy_seconds() - busy, machine.cpu_seconds(server.pids),
                                server.ready_seconds)
                seconds.append(server.ready_seconds)
                cpu.append(machine.cpu_seconds(server.pids))
                resident.append(machine.status_bytes(server.pids[0], "VmRSS"))
                anonymous.append(machine.status_bytes(server.pids[0], "RssAnon"))
        print(f"\n## Start and memory, {START_TRADES:,} trades\n")
        print(f"Start to first answer: {median(seconds):.2f} s "
              f"({min(seconds):.2f}-{max(seconds):.2f}), {median(cpu):.2f} s of one core, warm cache")
        print(f"Resident after it: {median(resident) / START_TRADES:.0f} bytes a trade, "
              f"{median(anonymous) / START_TRADES:.0f} of them anonymous", flush=True)


def parse_options():
    p = argparse.ArgumentParser(prog="script/bench", description="See bench/README.md.")
    p.add_argument("--quick", action="store_true", help="a few minutes: short, few rounds")
    p.add_argument("--big", action="store_true", help=f"{BIG_TRADES:,} trades too")
    p.add_argument("--only", choices=PARTS, action="append",
                   help="this part (may be repeated)")
    p.add_argument("--trades", type=int, action="append", help="sizes for `relative`")
    p.add_argument("--data", type=pathlib.Path, default="var/bench",
                   help="where databases are kept between runs (default var/bench)")
    p.add_argument("--build", type=pathlib.Path, default="build-bench", help=argparse.SUPPRESS)
    p.add_argument("--rounds", type=int, help="rounds (default 7; quick 3)")
    p.add_argument("--seconds", type=int, help="seconds of each load (default 3; quick 1)")
    o = p.parse_args()
    o.rounds = o.rounds or (3 if o.quick else 7)
    o.seconds = o.seconds or (1 if o.quick else 3)
    o.only = o.only or list(PARTS)
    o.trades = o.trades or ([10_000, 1_000_000] if o.quick else [10_000, 100_000, 1_000_000])
    if o.big:
        o.trades.append(BIG_TRADES)
    o.data, o.build = o.data.resolve(), o.build.resolve()
    o.data.mkdir(parents=True, exist_ok=True)
    return o


def main():
    options = parse_options()
    print("\n".join(machine.describe()))
    print(f"{options.rounds} rounds of {options.seconds} s; medians, in brackets the least and the "
          "most")
    others = machine.Others()
    parts = [("page", ()), ("fastify", ()), ("start", ()),
             *(("relative", (trades,)) for trades in options.trades)]
    for part, arguments in parts:
        if part not in options.only:
            continue
        with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as running:
            bench = Bench(options, pathlib.Path(folder), running, others)
            getattr(bench, part)(*arguments)
    print(f"\n{others.verdict()}")


if __name__ == "__main__":
    try:
        main()
    except machine.Failed as failed:
        sys.exit(f"bench: {failed}")

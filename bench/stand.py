"""What a table stands on: the options, a folder that goes afterwards, the servers that it started,
and the loads that it puts on them."""
import contextlib
import pathlib
import tempfile
import time

import machine
import open_loop
import service

PAGE = "/api/v1/trades"


class Stand:
    """saturation: requests per second by (name of the server, connections), where a closed loop has
    measured it already; kept from table to table."""

    def __init__(self, options, folder, running, others, saturation):
        self.options, self.folder, self.running = options, pathlib.Path(folder), running
        self.others, self.saturation = others, saturation
        self.program = options.build / "stockact"

    def tool(self, name):
        return self.options.build / "bench" / name

    def enter(self, companion):
        """Stays until the table is done."""
        return self.running.enter_context(companion)

    def database(self, trades):
        return service.Database(self.program, self.options.data, trades)

    def server(self, trades, **how):
        return self.enter(service.Server(self.database(trades), **how))

    def load(self, server, target, headers, **how):
        """A closed loop: as fast as answers come."""
        return machine.load(server, target, headers, seconds=self.options.seconds,
                            others=self.others, **how)

    def open_loop(self, server, target, headers, **how):
        """At a fixed rate, for as long as a load lasts."""
        with self.client(server, target, headers, **how) as client:
            return client.result()

    def client(self, server, target, headers, **how):
        how = {"seconds": self.options.seconds, **how}
        request = self.write(open_loop.request(target, headers))
        return open_loop.Client(self.tool("open_loop"), server, request, others=self.others, **how)

    @contextlib.contextmanager
    def watched(self, pids=()):
        """What is done meanwhile by our children that end, by these processes and by ourselves is
        ours; the rest is others'."""
        def known():
            return machine.children_seconds() + machine.cpu_seconds(pids) + time.process_time()

        busy, ours, began = machine.busy_seconds(), known(), time.monotonic()
        yield
        self.others.add(machine.busy_seconds() - busy, known() - ours, time.monotonic() - began)

    def write(self, text):
        """A file that a load reads."""
        with tempfile.NamedTemporaryFile("w", dir=self.folder, delete=False, newline="") as file:
            file.write(text)
        return file.name

    def write_targets(self, targets):
        return self.write("".join(f"{target}\n" for target in targets))

    def saturate(self, side, target, headers, connections):
        """What it can do at most; measured once."""
        name = (side.name, connections)
        if name not in self.saturation:
            runs = [self.load(side, target, headers, connections=connections)
                    for _ in range(self.options.rounds)]
            self.note_saturation(side, connections, runs)
        return self.saturation[name]

    def note_saturation(self, side, connections, runs):
        rates = sorted(run["rps"] for run in runs)
        self.saturation[(side.name, connections)] = rates[len(rates) // 2]

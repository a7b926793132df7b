"""The environment of a table: the options, a temporary folder, the servers it started, and the
loads on them."""
import contextlib
import pathlib
import tempfile
import time

import machine
import open_loop
import service

PAGE = "/api/v1/trades"


class Stand:
    """saturation: requests per second by (server's name, connections), as measured by a closed
    loop. Later tables reuse it."""

    def __init__(self, options, folder, running, others, saturation):
        self.options, self.folder, self.running = options, pathlib.Path(folder), running
        self.others, self.saturation = others, saturation
        self.program = options.build / "stockact"

    def tool(self, name):
        return self.options.build / "bench" / name

    def enter(self, companion):
        """Keeps the server until the table is done."""
        return self.running.enter_context(companion)

    def database(self, trades):
        return service.Database(self.program, self.options.data, trades)

    def server(self, trades, **how):
        return self.enter(service.Server(self.database(trades), **how))

    def load(self, server, target, headers, **how):
        """Runs a closed loop: as fast as responses arrive."""
        return machine.load(server, target, headers, seconds=self.options.seconds,
                            others=self.others, **how)

    def open_loop(self, server, target, headers, **how):
        """Runs an open loop: at a fixed rate, for the duration of a load."""
        with self.client(server, target, headers, **how) as client:
            return client.result()

    def client(self, server, target, headers, **how):
        how = {"seconds": self.options.seconds, **how}
        request = self.write(open_loop.request(target, headers))
        return open_loop.Client(self.tool("open_loop"), server, request, others=self.others, **how)

    @contextlib.contextmanager
    def watched(self, pids=()):
        """Counts CPU time in the block: that of children that end, of these processes and of this
        process is ours, the rest is other processes'."""
        def known():
            return machine.children_seconds() + machine.cpu_seconds(pids) + time.process_time()

        busy, ours, began = machine.busy_seconds(), known(), time.monotonic()
        yield
        self.others.add(machine.busy_seconds() - busy, known() - ours, time.monotonic() - began)

    def write(self, text):
        """Writes a file for a load and returns its name."""
        with tempfile.NamedTemporaryFile("w", dir=self.folder, delete=False, newline="") as file:
            file.write(text)
        return file.name

    def write_targets(self, targets):
        return self.write("".join(f"{target}\n" for target in targets))

    def saturate(self, side, target, headers, connections):
        """Returns the server's saturation, which is measured once."""
        name = (side.name, connections)
        if name not in self.saturation:
            runs = [self.load(side, target, headers, connections=connections)
                    for _ in range(self.options.rounds)]
            self.note_saturation(side, connections, runs)
        return self.saturation[name]

    def note_saturation(self, side, connections, runs):
        rates = sorted(run["rps"] for run in runs)
        self.saturation[(side.name, connections)] = rates[len(rates) // 2]

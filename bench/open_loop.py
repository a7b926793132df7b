"""The open-loop client (open_loop.c): sends at a fixed rate and measures latency from the time each
request was due."""
import json
import math
import subprocess

import machine

REQUESTS_MIN = 50


def request(target, headers, form=None):
    """The bytes of the request: GET, or POST with an encoded form."""
    method = "GET"
    if form is not None:
        method = "POST"
        headers = {**headers, "Content-Type": "application/x-www-form-urlencoded",
                   "Content-Length": len(form)}
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"{method} {target} HTTP/1.1\r\nHost: 127.0.0.1\r\n{lines}\r\n{form or ''}"


class Client:
    """Runs on the load's core from the beginning of the block. result() waits for its end, stop()
    ends it. A response other than 200 is an error.

    beside: (requests a second, connections, file of requests), sent in the same process. Its
    responses are counted by status."""

    def __init__(self, program, server, request_file, *, rate, connections, seconds, others,
                 beside=()):
        self.server, self.others = server, others
        rate = max(math.ceil(REQUESTS_MIN / seconds), int(rate))
        self.command = ["taskset", "-c", machine.LOAD_CORE, program, server.port,
                        round(seconds * 1000), rate, connections, request_file, *beside]

    def __enter__(self):
        self.busy, self.known = machine.busy_seconds(), machine.children_seconds()
        self.before = machine.cpu_seconds(self.server.pids)
        self.process = subprocess.Popen(list(map(str, self.command)), stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def stop(self):
        self.process.terminate()
        return self.result()

    def result(self):
        """{requests, seconds, p50_us, p90_us, p99_us, p999_us, max_us, late_p99_us, cpu_seconds}
        and, of the load beside it, the same numbers and {statuses} in "beside"."""
        out, err = self.process.communicate()
        if self.process.returncode:
            raise machine.Failed(f"{self.server.name}: {err.strip()}")
        used = machine.cpu_seconds(self.server.pids) - self.before
        printed = json.loads(out)
        run = {**printed["loads"][0], "seconds": printed["seconds"], "cpu_seconds": used,
               "beside": printed["loads"][1:]}
        # Includes other children that ended meanwhile, such as a command that publishes.
        known = machine.children_seconds() - self.known
        self.others.add(machine.busy_seconds() - self.busy, known + used, run["seconds"])
        if run["refused"] or not run["counted"]:
            raise machine.Failed(f"{self.server.name}: {run}")
        return run

"""The open-loop client (open_loop.c): sends at a fixed rate and measures latency from the time each
request was due."""
import json
import subprocess

import machine


def request(target, headers):
    """The bytes of the request."""
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1\r\n{lines}\r\n"


class Client:
    """Runs on the load's core from the beginning of the block. result() waits for its end, stop()
    ends it. A response other than 200 is an error."""

    def __init__(self, program, server, request_file, *, rate, connections, seconds, others):
        self.server, self.others = server, others
        self.command = ["taskset", "-c", machine.LOAD_CORE, program, server.port, int(rate),
                        seconds, connections, request_file]

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
        """{requests, seconds, p50_us, p90_us, p99_us, p999_us, max_us, late_p99_us}"""
        out, err = self.process.communicate()
        if self.process.returncode:
            raise machine.Failed(f"{self.server.name}: {err.strip()}")
        used = machine.cpu_seconds(self.server.pids) - self.before
        run = json.loads(out)
        # Includes other children that ended meanwhile, such as a command that publishes.
        known = machine.children_seconds() - self.known
        self.others.add(machine.busy_seconds() - self.busy, known + used, run["seconds"])
        if run["refused"] or not run["counted"]:
            raise machine.Failed(f"{self.server.name}: {run}")
        return run

"""The two cores: servers on one, the load on the other, and their CPU time. A machine with one core
has it for both.

Times are CPU seconds as the kernel accounts them to a process. The cost of a request includes the
part of the network stack that runs in the server's system calls.
"""
import json
import os
import pathlib
import subprocess
import time

import sizes

CORES = sorted(os.sched_getaffinity(0))
SERVER_CORE, LOAD_CORE = CORES[0], CORES[-1]
CPU_CLOCK = 2  # of a process: clock_getcpuclockid(3)
TICK = os.sysconf("SC_CLK_TCK")
LOAD_SCRIPT = pathlib.Path(__file__).with_name("load.lua")
QUIET_MAX = 0.05  # of one core, used by other processes during a measurement
EXIT_SECONDS = 15
PATIENCE_SECONDS = 120  # for what must happen and does not
REQUESTS = sizes.of(None, smoke=20)  # of a load that ends before its time


class Failed(Exception):
    """A measurement whose result would be wrong."""


spawned = []
os.environ["PATH"] += ":/usr/sbin"  # nginx and varnishd, which a user's path lacks


def spawn(command, core=SERVER_CORE, **how):
    """Starts a server on its core. It ends when this process ends, for any reason."""
    pinned = ["taskset", "-c", str(core), "setpriv", "--pdeathsig", "TERM"]
    process = subprocess.Popen([*pinned, *map(str, command)], **how)
    spawned.append(process)
    return process


def stop(process):
    process.terminate()
    try:
        process.wait(EXIT_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def stop_left():
    """Stops processes left over from a failed start."""
    while spawned:
        process = spawned.pop()
        if process.poll() is None:
            stop(process)


def cpu_seconds(pids, may_end=False):
    """User and system time of all threads and of children, also of those that have ended: a server
    may be several processes, and PostgreSQL ends some of its own. proc(5): fields 16 and 17, counted
    after the name, are the children's in ticks; a process's own clock has nanoseconds."""
    total = 0
    for pid in pids:
        proc = pathlib.Path(f"/proc/{pid}")
        try:
            stat = (proc / "stat").read_text().rpartition(")")[2].split()
            children = (proc / "task" / str(pid) / "children").read_text().split()
            total += time.clock_gettime(~int(pid) << 3 | CPU_CLOCK)
        except (OSError, ProcessLookupError):
            if may_end:
                continue
            raise
        total += sum(map(int, stat[13:15])) / TICK
        total += cpu_seconds(children, may_end=True)
    return total


def status_bytes(pid, field):
    """A value of /proc/PID/status that is in kB: VmRSS, RssAnon, VmHWM."""
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    raise Failed(f"no {field} of process {pid}")


def busy_seconds():
    """Busy time of both cores, of all processes, including stolen time."""
    total = 0
    for line in pathlib.Path("/proc/stat").read_text().splitlines():
        name, *times = line.split()
        if name in (f"cpu{SERVER_CORE}", f"cpu{LOAD_CORE}"):
            user, nice, kernel, _idle, _iowait, irq, softirq, steal = map(int, times[:8])
            total += user + nice + kernel + irq + softirq + steal
    return total / TICK


def children_seconds():
    used = os.times()
    return used.children_user + used.children_system


class Others:
    """CPU time of other processes while loads ran. Decides whether the figures count."""

    def __init__(self):
        self.stolen = self.elapsed = 0.0

    def add(self, busy, known, seconds):
        self.stolen += max(0.0, busy - known)
        self.elapsed += seconds

    def share(self):
        return self.stolen / self.elapsed if self.elapsed else 0.0

    def verdict(self):
        quiet = "quiet" if self.share() <= QUIET_MAX else "NOT QUIET: these figures do not count"
        return f"other processes used {self.share():.1%} of a core while loads ran: {quiet}"


def load(server, target, headers, *, connections, seconds, targets=None, requests=REQUESTS,
         posted=None, others=None):
    """Runs wrk against a server: {cpu_us, rps, busy, bytes, p50_us, p99_us} per request.

    server: an object with .name, .pids and .port. target: requested repeatedly, unless targets is a
    file with one target per line. requests: ends after about so many. posted: a file with the body of
    each request. Raises Failed if a connection broke.
    """
    command = ["taskset", "-c", str(LOAD_CORE), "wrk", "-t1", f"-c{connections}", "-s",
               str(LOAD_SCRIPT), f"-d{PATIENCE_SECONDS if requests else seconds}s"]
    if requests:
        command.append(f"--timeout={PATIENCE_SECONDS}s")
    for name, value in headers.items():
        command += ["-H", f"{name}: {value}"]
    command.append(f"http://127.0.0.1:{server.port}{target}")
    command += ["--", str(targets or ""), str(requests or ""), *([str(posted)] if posted else [])]
    busy, known = busy_seconds(), children_seconds()
    before = cpu_seconds(server.pids)
    run = subprocess.run(command, check=True, capture_output=True, text=True)
    used = cpu_seconds(server.pids) - before
    counted = json.loads(run.stdout.splitlines()[-1])
    if others:
        others.add(busy_seconds() - busy, children_seconds() - known + used, counted["seconds"])
    if counted["broken"] or not counted["requests"] or not used:
        raise Failed(f"{server.name} {target}: {counted}, {used:.2f} s of CPU")
    requests = counted["requests"]
    return {
        "cpu_us": used * 1e6 / requests,
        "rps": requests / counted["seconds"],
        "busy": used / counted["seconds"],
        "requests": requests,
        "bytes": counted["bytes"] / requests,
        "refused": counted["refused"],
        "p50_us": counted["p50_us"],
        "p99_us": counted["p99_us"],
    }

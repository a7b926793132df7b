"""Long runs: tasks in parallel, for a limited time, with their counts and findings.

SOAK_SECONDS limits a run (running tasks finish), SOAK_JOBS is the number of parallel tasks,
SOAK_SEED fixes the random choices.
"""
import collections
import concurrent.futures
import os
import signal
import sys
import threading
import time

PROGRESS_SECONDS = 30
FINDINGS_MAX = 20


def setting(name, otherwise):
    return int(os.environ.get(f"SOAK_{name}", otherwise))


class Run:
    """Counts by name, and findings, from any thread. SIGTERM ends the run like the time limit."""

    def __init__(self, seconds):
        signal.signal(signal.SIGTERM, self._stop)
        self.counts, self.findings = collections.Counter(), []
        self.began = self._told = time.monotonic()
        self.ends = self.began + setting("SECONDS", seconds)
        self._lock = threading.Lock()

    def _stop(self, *_):
        self.ends = 0

    @property
    def over(self):
        return time.monotonic() > self.ends or len(self.findings) >= FINDINGS_MAX

    def count(self, *names):
        with self._lock:
            self.counts.update(names)
            if time.monotonic() > self._told + PROGRESS_SECONDS:
                self._told = time.monotonic()
                print(f"{self._told - self.began:.0f} s:",
                      ", ".join(f"{n} {name}" for name, n in sorted(self.counts.items())),
                      f"- {len(self.findings)} findings", flush=True)

    def find(self, where, finding):
        with self._lock:
            self.findings.append((where, finding))
            print(f"FOUND at {where}: {type(finding).__name__}: {finding}", flush=True)

    def each(self, work, pieces, jobs):
        """Calls work(task) for each task until the time is over."""
        def one(piece):
            if not self.over:
                work(piece)
        with concurrent.futures.ThreadPoolExecutor(setting("JOBS", jobs)) as pool:
            for result in [pool.submit(one, piece) for piece in pieces]:
                result.result()

    def end(self, *figures):
        for figure in figures:
            print(f"figure: {figure}")
        print(f"figure: {len(self.findings)} findings in {time.monotonic() - self.began:.0f} s")
        sys.exit(1 if self.findings else 0)

"""Import of House reports, compared with `pdftotext -raw` alone on the same files: CPU time,
documents a second, memory, and memory growth over many documents."""
import contextlib
import fcntl
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

import fastify
import machine
import sizes
from figures import header, of, ratios, row, spread

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MADE = sizes.of(120, smoke=3)    # generated reports, if there are no real ones
REAL = sizes.of(None, smoke=3)   # as many as there are
LONG = sizes.of(10_000, quick=3_000, smoke=60)
LOOKS = sizes.of(10, smoke=3)    # at the memory during the long run
# So that ingest still runs during the last look: it can be ahead by 15 lines, which have the names.
NAME_DIGITS, PIPE_BYTES, READ_BYTES = 240, 4096, 512
PDFTOTEXT = "/usr/bin/pdftotext"


def run(stand):
    files, origin = _reports(stand)
    rounds = [(_tool(stand, files), _ingest(stand, files)) for _ in range(stand.options.rounds)]
    tool, ours = zip(*rounds)
    print(f"\n## Documents read\n\n{len(files)} {origin} House reports\n")
    header("read by", "CPU ms a document", "documents/s", "its CPU / the tool's")
    for name, runs, ratio in [
            ("`pdftotext -raw` alone", tool, ""),
            ("`stockact ingest`, all of it", ours, spread(ratios(ours, tool, "cpu")))]:
        row(name, f"{of(runs, 'cpu') * 1000 / len(files):.2f}",
            f"{len(files) / of(runs, 'seconds'):.0f}", ratio)
    _print_long(stand, files)


def _reports(stand):
    """Returns (copies of the files in the table's folder, "real" or "made")."""
    shared = pathlib.Path(os.environ.get("STOCKACT_SHARED", ROOT.parent / "shared"))
    folder = stand.folder / "reports"
    folder.mkdir()
    real = sorted((shared / "data/house/ptr-pdf").glob("*.pdf"))[:REAL]
    for path in real:
        shutil.copyfile(path, folder / path.name)
    if not real:
        subprocess.run([fastify.find_node(), ROOT / "bench/made_reports.mjs", folder, str(MADE)],
                       check=True)
    return sorted(folder.glob("*.pdf")), "real" if real else "made"


@contextlib.contextmanager
def _measured(stand):
    """Measures {cpu, seconds} of the children that end in the block, all on the server's core."""
    used = {}
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {machine.SERVER_CORE})
    with stand.watched():
        before, began = machine.children_seconds(), time.monotonic()
        try:
            yield used
        finally:
            os.sched_setaffinity(0, allowed)
        used["seconds"] = time.monotonic() - began
        used["cpu"] = machine.children_seconds() - before


def _tool(stand, files):
    with _measured(stand) as used:
        for path in files:
            subprocess.run([PDFTOTEXT, "-raw", path, "-"], stdout=subprocess.DEVNULL, check=True)
    return used


def _environment(stand):
    database = stand.folder / "ledger.db"
    for old in stand.folder.glob("ledger.db*"):
        old.unlink()
    env = {**os.environ, "STOCKACT_DATABASE": f"sqlite:{database}"}
    subprocess.run([stand.program, "setup"], env=env, stdout=subprocess.DEVNULL, check=True)
    return env


def _ingest(stand, files):
    env = _environment(stand)
    with _measured(stand) as used:
        told = subprocess.run([stand.program, "ingest", files[0].parent, "--json"], env=env,
                              stdout=subprocess.PIPE, check=True).stdout.splitlines()
    if len(told) != len(files) or any(not json.loads(line)["rows"] for line in told):
        raise machine.Failed(f"{len(told)} of {len(files)} reports were read, or one has no rows")
    return used


# --- many documents


def _print_long(stand, files):
    names = stand.folder / "many"
    names.mkdir()
    for number in range(LONG):
        os.link(files[number % len(files)], names / f"{number:0{NAME_DIGITS}}.pdf")
    with stand.watched():
        looks, most = _watch(stand, names)
    print(f"\n{LONG:,} documents in one run: resident MiB of `stockact ingest` and its helper\n")
    header("documents", "ingest", "helper")
    for told, ingest, helper in (looks[0], looks[len(looks) // 2], looks[-1]):
        row(f"{told:,}", f"{ingest / 2**20:.1f}", f"{helper / 2**20:.1f}")
    print(f"\nThe largest process of the run, including the children that read: "
          f"{most / 2**20:.0f} MiB", flush=True)


# A child's maximum memory counts from its fork, and this process is large by now. So a small
# process starts the command and prints the maximum.
LARGEST_OF = """
import os, sys
_, status, used = os.wait4(os.spawnv(os.P_NOWAIT, sys.argv[1], sys.argv[1:]), 0)
sys.stderr.write(str(used.ru_maxrss))
sys.exit(os.waitstatus_to_exitcode(status))
"""


def _child(pid):
    child, = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(child)


def _watch(stand, folder):
    """Returns ([(documents read, bytes of ingest, bytes of its helper)], bytes of the largest
    process)."""
    process = machine.spawn(
        [sys.executable, "-c", LARGEST_OF, stand.program, "ingest", folder, "--json"],
        env=_environment(stand), stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=READ_BYTES)
    fcntl.fcntl(process.stdout, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    looks = []
    for told, _ in enumerate(process.stdout, 1):
        if told % (LONG // LOOKS) == 0 and told < LONG:
            ingest = _child(process.pid)
            looks.append((told, *(machine.status_bytes(pid, "VmRSS")
                                  for pid in (ingest, _child(ingest)))))
    said = process.stderr.read()
    if process.wait() or len(looks) < 2:
        raise machine.Failed(
            f"ingest ended with {process.returncode} after {len(looks)} looks: {said}")
    return looks, int(said.split()[-1]) * 1024

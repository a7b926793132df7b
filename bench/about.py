"""The heading of the figures: the machine and the versions of the programs."""
import os
import pathlib
import platform
import re
import subprocess

import fastify
import machine
import postgres


def _version(*command):
    """The first version number that the command prints, with the commit of a build."""
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r"\d+(\.\d+)+(\+\w+(\.\w+)*)?", run.stdout + run.stderr)
    return found.group() if found else "unknown"


def _processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return "unknown processor"


def lines(program):
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    kernel = re.match(r"[\d.]*\d", platform.release()).group()
    system = platform.freedesktop_os_release()["PRETTY_NAME"]
    cluster = _version(postgres.programs() / "postgres", "--version")
    return [
        f"stockact {_version(program, 'version')}; {os.cpu_count()} x {_processor()}, "
        f"{memory:.0f} GiB, Linux {kernel}, {system};",
        f"nginx {_version('nginx', '-v')}, wrk {_version('wrk', '-v')}, "
        f"Node {_version(fastify.find_node(), '--version')}, PostgreSQL {cluster};",
        f"server on core {machine.SERVER_CORE}, load on core {machine.LOAD_CORE}; load average "
        f"{os.getloadavg()[0]:.2f};",
    ]

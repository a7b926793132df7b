"""Tests of script/lib.sh: what sudo keeps, and how many compilers run.

Run by script/check: python3 -m unittest discover tests/script
"""
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROXIES = {"http_proxy": "http://proxy.example:3128", "no_proxy": "localhost"}


def run_lib(commands, programs, env=None):
    """What the commands print after script/lib.sh, with these programs first in the PATH."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in programs.items():
            path = pathlib.Path(folder) / name
            path.write_text(f"#!/bin/sh\n{text}\n")
            path.chmod(0o755)
        kept = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
        done = subprocess.run(
            ["bash", "-euc", f". script/lib.sh; {commands}"], cwd=ROOT, capture_output=True,
            text=True, check=True, env={**kept, **(env or {}), "PATH": f"{folder}:{kept['PATH']}"})
        return done.stdout.strip()


class LibTests(unittest.TestCase):
    def test_sudo_keeps_the_proxies_that_are_set(self):
        user = {"id": "echo 1000", "sudo": 'echo "sudo $*"'}
        told = run_lib("as_root apt-get update", user, PROXIES)
        self.assertEqual(told, "sudo --preserve-env=http_proxy,no_proxy -- apt-get update")
        self.assertEqual(run_lib("as_root true", user), "sudo -- true")

    def test_root_runs_a_command_without_sudo(self):
        root = {"id": "echo 0", "sudo": "exit 1"}
        self.assertEqual(run_lib("as_root echo done", root, PROXIES), "done")

    def test_memory_limits_the_compilers(self):
        for cores, memory, jobs in ((2, 8000, 4), (16, 2048, 8), (1, 700, 2), (8, 100, 1)):
            cpus = {"nproc": f"echo {cores}"}
            told = run_lib(f"memory_mb() {{ echo {memory}; }}; build_jobs", cpus)
            self.assertEqual(told, str(jobs), f"{cores} cores, {memory} MB")


if __name__ == "__main__":
    unittest.main()

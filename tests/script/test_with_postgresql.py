"""tests/unit/with-postgresql: one server per build folder and run, and nothing left behind.

Run by script/check: python3 -m unittest discover tests/script
"""
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

WRAPPER = pathlib.Path(__file__).resolve().parent.parent / "unit" / "with-postgresql"
TESTS_END_SECONDS = 30


def wait_until(condition):
    until = time.monotonic() + TESTS_END_SECONDS
    while not condition():
        if time.monotonic() > until:
            raise AssertionError("it did not happen in time")
        time.sleep(0.05)


class Run:
    """What meson is: a process that starts tests."""

    def __init__(self, cache):
        self.cache = cache
        self.shell = subprocess.Popen(["sh"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      text=True, env={**os.environ, "STOCKACT_TEST_CACHE": cache})

    def ask(self, script):
        """What a test that runs `script` in its shell prints, its lines of comment left out."""
        self.begin(script)
        self.shell.stdin.write("echo end of test\n")
        self.shell.stdin.flush()
        lines = list(iter(self.shell.stdout.readline, "end of test\n"))
        return "".join(line for line in lines if not line.startswith("#"))

    def begin(self, script):
        self.shell.stdin.write(f"{WRAPPER} sh -c '{script}'\n")
        self.shell.stdin.flush()

    def folder(self):
        return pathlib.Path(json.loads((self.cache / "postgresql.json").read_text())["folder"])

    def end(self, how=signal.SIGTERM):
        self.shell.send_signal(how)
        self.shell.communicate()


def postmaster(folder):
    return int((folder / "data" / "postmaster.pid").read_text().split()[0])


def is_alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class WithPostgresql(unittest.TestCase):
    COUNT = 'psql -XAtc "SELECT count(*) FROM pg_database" "$STOCKACT_TEST_DATABASE"'
    NAME = 'psql -XAtc "SELECT current_database()" "$STOCKACT_TEST_DATABASE"'

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.cache = pathlib.Path(temporary.name)

    def setUp(self):
        self.run_one = Run(self.cache)
        self.addCleanup(self.run_one.end)
        if self.run_one.ask("echo ready") != "ready\n":
            self.skipTest("PostgreSQL is not installed")

    def assert_ends(self, folder, pid):
        wait_until(lambda: not is_alive(pid) and not folder.exists())

    def test_tests_share_a_server_and_no_database(self):
        names = {self.run_one.ask(self.NAME) for _ in range(2)}
        self.assertEqual(len(names), 2)
        folder, pid = self.run_one.folder(), postmaster(self.run_one.folder())
        # postgres, two templates, and this test's: those of ended tests are dropped
        wait_until(lambda: self.run_one.ask(self.COUNT) == "4\n")
        self.assertEqual(postmaster(self.run_one.folder()), pid)
        self.run_one.end()
        self.assert_ends(folder, pid)

    def test_a_killed_run_leaves_nothing_behind(self):
        self.run_one.ask("true")
        folder, pid = self.run_one.folder(), postmaster(self.run_one.folder())
        mark = self.cache / "pid"
        self.run_one.begin(f"echo $$ > {mark}; exec tail -f /dev/null")
        wait_until(lambda: mark.exists() and mark.read_text().endswith("\n"))
        self.run_one.shell.kill()
        self.assert_ends(folder, pid)
        self.assertFalse(is_alive(int(mark.read_text())))

    def test_a_killed_server_is_replaced_and_its_folder_removed(self):
        name = self.run_one.ask(self.NAME)
        folder, pid = self.run_one.folder(), postmaster(self.run_one.folder())
        parent = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1]
        os.kill(int(parent), signal.SIGKILL)
        wait_until(lambda: not is_alive(pid))
        self.assertNotEqual(self.run_one.ask(self.NAME), name)
        self.assertFalse(folder.exists())
        folder, pid = self.run_one.folder(), postmaster(self.run_one.folder())
        self.run_one.end()
        self.assert_ends(folder, pid)

    def test_another_build_folder_has_another_server(self):
        with tempfile.TemporaryDirectory() as temporary:
            self.run_one.ask("true")
            made = next(self.cache.glob("postgresql-*"))
            subprocess.run(["cp", "-a", made, temporary], check=True)
            other = Run(pathlib.Path(temporary))
            other.ask("true")
            self.assertNotEqual(other.folder(), self.run_one.folder())
            folder, pid = other.folder(), postmaster(other.folder())
            self.run_one.end()
            self.assertIn("t\n", other.ask('psql -XAtc "SELECT true" "$STOCKACT_TEST_DATABASE"'))
            other.end()
            self.assert_ends(folder, pid)


if __name__ == "__main__":
    unittest.main()

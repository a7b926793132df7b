"""Tests of script/server with a program that records how it is called.

Run by script/check: python3 -m unittest discover tests/script
"""
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import unittest

ANY_PORT = {**os.environ, "STOCKACT_LISTEN": "127.0.0.1:0"}
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = """#!/bin/sh
echo "$*" >>"$(dirname "$0")/calls"
case "$*" in
"tickers import "*foreign.csv) echo "not a known list" >&2; exit 1 ;;
"keys mint"*) echo '{"key": "svc_x"}' ;;
"setup"*|demo) touch "${STOCKACT_DATABASE#sqlite:}" ;;
"serve"*) echo "stockact: listening on http://127.0.0.1:1" ;;
"status"*) echo '{"data":"invented"}' ;;
esac
"""
FILES = ("congress-legislators/legislators-current.json",
         "congress-legislators/legislators-historical.csv",
         "senate/stock-watcher/all_daily_summaries.json",
         "tickers/foreign.csv", "tickers/known.csv")


def write(path, text="", mode=0o644):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)


class ServerTests(unittest.TestCase):
    def test_a_file_that_is_no_symbol_list_does_not_stop_load(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            write(root / "script/setup", "#!/bin/sh\n", 0o755)
            for name in ("server", "lib.sh"):
                shutil.copy(ROOT / "script" / name, root / "script" / name)
            write(root / "build/stockact", PROGRAM, 0o755)
            for name in FILES:
                write(root / "data" / name)
            done = subprocess.run(
                [root / "script/server", "--load", "data"], cwd=root, capture_output=True,
                text=True, check=False, env=ANY_PORT)
            calls = (root / "build/calls").read_text()
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("tickers import", calls)
            self.assertRegex(calls, r"tickers import \S+/tickers/known\.csv\n")
            self.assertRegex(calls, r"backfill senate-stock-watcher [^\n]+\n(.*\n)*serve --listen")
            self.assertRegex(done.stderr, r"skipped \S+/tickers/foreign\.csv")
            self.assertIn("\n     build/stockact ingest FOLDER; build/stockact status", done.stdout)
            self.assertTrue((root / "var/stockact.db").exists())
            password = root / "var/stockact.password"
            self.assertRegex(calls, r"accounts create [^\n]*--role admin --password-stdin\n")
            self.assertEqual(password.stat().st_mode & 0o777, 0o600)
            self.assertGreaterEqual(len(password.read_text().strip()), 16)
            self.assertIn(password.read_text().strip(), done.stdout)
            self.assertRegex(calls, r"(?m)^setup$")
            self.assertIn("Three things to try:", done.stdout)
            again = subprocess.run(
                [root / "script/server", "--load", "data"], cwd=root, capture_output=True,
                text=True, check=False, env=ANY_PORT)
            self.assertEqual(again.returncode, 1)
            self.assertIn("holds demonstration data: move it away", again.stderr)

    def test_a_database_of_setup_gets_an_account(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            write(root / "script/setup", "#!/bin/sh\n", 0o755)
            for name in ("server", "lib.sh"):
                shutil.copy(ROOT / "script" / name, root / "script" / name)
            write(root / "build/stockact", PROGRAM, 0o755)
            write(root / "var/stockact.db")
            done = subprocess.run(
                [root / "script/server"], cwd=root, capture_output=True, text=True, check=False,
                env=ANY_PORT)
            self.assertEqual(done.returncode, 0, done.stderr)
            calls = (root / "build/calls").read_text()
            self.assertRegex(calls, r"accounts create [^\n]*--role admin")
            self.assertNotIn("demo", calls)
            self.assertIn("key (Pack plan)   svc_x", done.stdout)

    def test_the_next_commands_name_a_database_that_is_not_the_default(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            write(root / "script/setup", "#!/bin/sh\n", 0o755)
            for name in ("server", "lib.sh"):
                shutil.copy(ROOT / "script" / name, root / "script" / name)
            write(root / "build/stockact", PROGRAM, 0o755)
            (root / "data").mkdir()
            done = subprocess.run(
                [root / "script/server", "--load", "data"], cwd=root, capture_output=True,
                text=True, check=False, env={**ANY_PORT, "STOCKACT_DATABASE": "sqlite:my load.db"})
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(r"my\ load.db; build/stockact ingest FOLDER", done.stdout)
            self.assertIn("export STOCKACT_DATABASE=sqlite:/", done.stdout)

    def test_a_taken_port_is_reported_before_the_build(self):
        with tempfile.TemporaryDirectory() as folder, socket.create_server(
                ("127.0.0.1", 0)) as taken:
            root = pathlib.Path(folder)
            write(root / "script/setup", "#!/bin/sh\necho built\n", 0o755)
            for name in ("server", "lib.sh"):
                shutil.copy(ROOT / "script" / name, root / "script" / name)
            port = taken.getsockname()[1]
            for name, value, advice in (
                    ("PORT", str(port), f"PORT={port + 1}"),
                    ("STOCKACT_LISTEN", f"127.0.0.1:{port}",
                     f"STOCKACT_LISTEN=127.0.0.1:{port + 1}")):
                done = subprocess.run(
                    [root / "script/server"], cwd=root, capture_output=True, text=True,
                    check=False, env={**os.environ, name: value})
                self.assertEqual(done.returncode, 1)
                self.assertEqual(done.stdout, "")
                self.assertIn(f"127.0.0.1:{port} is in use", done.stderr)
                self.assertIn(f" {advice} script/server", done.stderr)

    def test_the_database_of_the_environment_is_served(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            write(root / "script/setup", "#!/bin/sh\n", 0o755)
            write(root / "build/stockact", PROGRAM, 0o755)
            for name in ("server", "lib.sh"):
                shutil.copy(ROOT / "script" / name, root / "script" / name)
            (root / "elsewhere").mkdir()
            done = subprocess.run(
                [root / "script/server"], cwd=root / "elsewhere", capture_output=True, text=True,
                check=False, env={**os.environ, "STOCKACT_DATABASE": "sqlite:real.db",
                                  "STOCKACT_LISTEN": "127.0.0.1:0"})
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue((root / "elsewhere/real.db").exists())
            self.assertTrue((root / "elsewhere/real.key").exists())
            self.assertIn("elsewhere/real.db", done.stdout)
            self.assertFalse((root / "var").exists())
            done = subprocess.run(
                [root / "script/server"], cwd=root, capture_output=True, text=True, check=False,
                env={**os.environ, "STOCKACT_DATABASE": "postgresql:///x"})
            self.assertEqual(done.returncode, 1)
            self.assertIn("must be sqlite:PATH here", done.stderr)


if __name__ == "__main__":
    unittest.main()

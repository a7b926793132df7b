"""script/stages, with stages of this test's own in a tree of its own."""
import contextlib
import importlib.machinery
import importlib.util
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "script"))
LOADER = importlib.machinery.SourceFileLoader("stages", str(ROOT / "script/stages"))
stages = importlib.util.module_from_spec(importlib.util.spec_from_loader("stages", LOADER))
LOADER.exec_module(stages)


def result(text):
    """A stage with this result."""
    return lambda path, _memory: path.write_text(text)


class Stages(unittest.TestCase):
    def setUp(self):
        room = tempfile.TemporaryDirectory()
        self.addCleanup(room.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        self.tree = pathlib.Path(room.name)
        (self.tree / "build").mkdir()
        (self.tree / "script").mkdir()
        (self.tree / ".gitignore").write_text("/build*\n/runs\n")
        (self.tree / "a.c").write_text("int a;\n")
        subprocess.run(["git", "init", "-q", self.tree], check=True)
        for name, value in (("ROOT", self.tree), ("PASSED", self.tree / "build/passed")):
            patch = mock.patch.object(stages, name, value)
            patch.start()
            self.addCleanup(patch.stop)

    def run_stages(self, plan, table, *options, builds=(), **env):
        """(exit status, what was printed)."""
        with mock.patch.dict(stages.PLANS, {plan: (lambda: table, list(builds))}), \
                mock.patch.object(sys, "argv", ["stages", plan, *options]), \
                mock.patch.dict(os.environ, env), \
                contextlib.redirect_stdout(io.StringIO()) as printed:
            status = stages.main()
        return status, printed.getvalue()

    def counting(self):
        """A stage that passes and counts how often it ran."""
        def run(path, _memory):
            with open(self.tree / "runs", "a", encoding="utf-8") as runs:
                runs.write(".")
            path.write_text("1 0 0\n")
        return run

    def runs(self):
        return len((self.tree / "runs").read_text())

    def test_the_last_line_has_the_sums(self):
        status, said = self.run_stages("gate", {"one": result("3 0 1\n"), "two": result("4 0 2\n")})
        self.assertEqual(status, 0)
        self.assertEqual(said.splitlines()[-1], "7 passed, 0 failed, 3 skipped")

    def test_a_failure_and_a_stage_that_breaks_fail_the_run(self):
        def breaks(_path, _memory):
            raise OSError("no such program")
        for bad in (result("3 1 0\n"), breaks, result("")):
            with mock.patch("sys.stderr", io.StringIO()):
                status, said = self.run_stages("gate", {"one": bad, "two": result("1 0 0\n")})
            self.assertEqual(status, 1)
            self.assertRegex(said.splitlines()[-1], "^[14] passed, 1 failed, 0 skipped$")

    def test_a_run_without_a_test_fails(self):
        self.assertEqual(self.run_stages("gate", {"one": result("0 0 3\n")})[0], 1)

    def test_a_flaky_test_passes_the_gate_and_fails_the_night(self):
        table = {"one": result("3 0 0\nflaky: test_a, 1 of 3\n")}
        status, said = self.run_stages("gate", table)
        self.assertEqual(status, 0)
        self.assertEqual(said.splitlines()[-2], "one: flaky: test_a, 1 of 3")
        self.assertEqual(self.run_stages("night", table)[0], 1)
        self.assertNotIn("passed before", self.run_stages("night", table, "--again")[1])

    def test_cases_of_a_script_are_counted(self):
        status, said = self.run_stages("gate", {
            "tap": stages.script("sh", "-c", "echo ok 1; echo 'ok 2 # skip b'"),
            "plain": stages.script("true"), "elsewhere": stages.script("sh", "-c", "exit 77")})
        self.assertEqual((status, said.splitlines()[-1]), (0, "2 passed, 0 failed, 2 skipped"))
        status, said = self.run_stages("gate", {
            "tap": stages.script("sh", "-c", "echo ok 1; exit 3")})
        self.assertEqual((status, said.splitlines()[-1]), (1, "1 passed, 1 failed, 0 skipped"))

    def test_a_script_that_installs_packages_gets_the_proxies(self):
        asks = stages.script("sh", "-c", 'test "$http_proxy" = a:1', env={"http_proxy": "a:1"})
        self.assertEqual(self.run_stages("gate", {"one": asks})[0], 0)

    def test_plans_have_stages(self):
        os.chdir(ROOT)
        with mock.patch.object(stages, "ROOT", ROOT):
            for make, _ in stages.PLANS.values():
                self.assertLess({"check", "gcc", "e2e"}, set(make()))

    def test_stages_can_be_selected(self):
        table = {"one": result("1 0 0\n"), "two": result("0 1 0\n")}
        self.assertEqual(self.run_stages("gate", table, STOCKACT_TEST_STAGES="one")[0], 0)
        with self.assertRaises(SystemExit):
            self.run_stages("gate", table, STOCKACT_TEST_STAGES="three")

    def test_again_skips_what_has_passed_on_the_same_tree(self):
        table = {"one": self.counting()}
        self.run_stages("gate", table)
        status, said = self.run_stages("gate", table, "--again")
        self.assertEqual((status, self.runs()), (0, 1))
        self.assertEqual(said.splitlines()[-1], "1 passed, 0 failed, 0 skipped")
        self.run_stages("gate", table)
        self.assertEqual(self.runs(), 2)

    def test_again_runs_what_has_passed_on_another_tree(self):
        table = {"one": self.counting()}
        (self.tree / "build/meson-info").mkdir()
        options = self.tree / "build/meson-info/intro-buildoptions.json"
        compiler = self.tree / "bin/cc"
        compiler.parent.mkdir()
        compiler.write_text("#!/bin/sh\necho one\n")
        compiler.chmod(0o755)
        changes = [
            lambda: None,
            lambda: (self.tree / "a.c").write_text("int b;\n"),
            lambda: (self.tree / "new.c").write_text("int c;\n"),
            lambda: (self.tree / "a.c").chmod(0o755),
            lambda: (self.tree / "new.c").rename(self.tree / "newer.c"),
            lambda: options.write_text(json.dumps({"optimization": "0"})),
            lambda: compiler.write_text("#!/bin/sh\necho two\n"),
        ]
        path = f"{compiler.parent}:{os.environ['PATH']}"
        for number, change in enumerate(changes, start=1):
            change()
            for _ in range(2):
                self.run_stages("gate", table, "--again", PATH=path)
            self.assertEqual(self.runs(), number)
        self.run_stages("gate", table, "--again", PATH=path, CFLAGS="-O0")
        self.assertEqual(self.runs(), len(changes) + 1)

    def test_again_runs_what_failed_and_what_the_other_plan_has_passed(self):
        self.assertEqual(self.run_stages("gate", {"one": result("1 1 0\n")})[0], 1)
        self.assertEqual(self.run_stages("gate", {"one": result("1 1 0\n")}, "--again")[0], 1)
        self.run_stages("gate", {"one": self.counting()})
        self.run_stages("night", {"one": self.counting()}, "--again")
        self.assertEqual(self.runs(), 2)

    def test_a_stage_during_which_the_tree_changed_is_not_remembered(self):
        def changing(path, _memory):
            (self.tree / "a.c").write_text("int d;\n")
            path.write_text("1 0 0\n")
        self.run_stages("gate", {"one": changing})
        self.run_stages("gate", {"one": self.counting()}, "--again")
        self.assertEqual(self.runs(), 1)

    def test_a_stage_waits_for_its_build_and_fails_without_it(self):
        build = self.tree / "script/test-build"
        build.write_text("#!/bin/sh\necho $1 >>runs\n[ $1 != bad-gate ]\n")
        build.chmod(0o755)

        def needs(path, _memory):
            built = "good-gate" in (self.tree / "runs").read_text()
            path.write_text("1 0 0\n" if built else "0 1 0\n")
        table = {"e2e-good": needs, "bad": result("1 0 0\n")}
        status, said = self.run_stages("gate", table, builds=["good-gate", "bad-gate"])
        self.assertEqual(status, 1)
        self.assertIn("bad: script/test-build bad-gate failed", said)
        self.assertEqual(said.splitlines()[-1], "1 passed, 1 failed, 0 skipped")

    def test_processor_time_is_that_of_the_stage(self):
        burn = stages.script("python3", "-c", "import time\nwhile time.process_time() < 0.6: pass")
        said = self.run_stages("gate", {"idle": result("1 0 0\n"), "busy": burn})[1]
        cpu = {line.split()[0]: int(line.split()[-1]) for line in said.splitlines()
               if line.startswith(("idle", "busy"))}
        self.assertEqual(cpu, {"idle": 0, "busy": 1})


if __name__ == "__main__":
    unittest.main()

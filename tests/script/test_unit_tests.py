"""script/unit-tests, on a small project of this test's own."""
import importlib.machinery
import importlib.util
import io
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "script"))
LOADER = importlib.machinery.SourceFileLoader("unit_tests", str(ROOT / "script/unit-tests"))
unit_tests = importlib.util.module_from_spec(importlib.util.spec_from_loader("unit_tests", LOADER))
LOADER.exec_module(unit_tests)

# "$turn" counts the runs of a program.
PROGRAMS = {
    "passes": "echo ok 1; echo ok 2",
    "fails_once": "[ $turn -gt 1 ] && echo ok 1 || { echo not ok 1; exit 1; }",
    "fails_twice": "[ $turn -gt 2 ] && echo ok 1 || { echo not ok 1; exit 1; }",
    "is_skipped": "exit 77",
    "has_no_tap": "exit 0",
    "has_a_skipped_case": "echo ok 1; echo 'not ok 2 # SKIP b'",
    "crashes_once": "[ $turn -gt 1 ] || kill -SEGV $$",
    "crashes_when_alone": "[ $turn -gt 1 ] && kill -ABRT $$; exit 1",
    "reports_once": "[ $turn -gt 1 ] || { echo '==1==ERROR: AddressSanitizer: x' >&2; exit 1; }",
}


def ended(code, output="", result="FAIL"):
    """What meson writes about a test."""
    return {"name": "p:unit / a", "result": result, "returncode": code, "stdout": output,
            "duration": 1}


GOOD = ended(0, "ok 1\n", "OK")
BAD = ended(1, "not ok 1\n")


class UnitTests(unittest.TestCase):
    def result_of(self, *options):
        """The counts and the lines about these programs."""
        room = tempfile.TemporaryDirectory()
        self.addCleanup(room.cleanup)
        folder = pathlib.Path(room.name)
        with open(folder / "meson.build", "w", encoding="utf-8") as project:
            print("project('x')", file=project)
            for name, text in PROGRAMS.items():
                program = folder / name
                program.write_text(
                    f"#!/bin/sh\necho >>$0.runs\nturn=$(wc -l <$0.runs)\n{text}\n")
                program.chmod(0o755)
                print(f"test('{name}', find_program('{program}'))", file=project)
        subprocess.run(["meson", "setup", folder / "build", folder], check=True, capture_output=True)
        subprocess.run([ROOT / "script/unit-tests", *options, folder / "build", folder / "result"],
                       check=True, capture_output=True)
        counts, *lines = (folder / "result").read_text().splitlines()
        return counts, sorted(lines)

    def test_a_program_that_fails_is_run_again(self):
        self.assertEqual(self.result_of(), ("5 4 2", [
            "crashed: crashes_once", "crashed: crashes_when_alone", "crashed: reports_once",
            "flaky: fails_once, 1 of 3", "flaky: fails_twice, 2 of 3"]))

    def test_programs_that_are_repeated_are_not_run_again(self):
        counts, lines = self.result_of("--repeat=3", "--load=1")
        self.assertEqual(lines, [
            "crashed: crashes_once, 1 of 3", "crashed: crashes_when_alone, 3 of 3",
            "crashed: reports_once, 1 of 3", "flaky: fails_once, 1 of 3",
            "flaky: fails_twice, 2 of 3"])
        self.assertEqual(counts.split()[1], "8")

    def judge(self, first, *others):
        others = iter(others)
        return unit_tests.verdict(first, lambda: [next(others)])

    def test_two_of_three_runs_decide(self):
        self.assertEqual(self.judge(BAD, GOOD, GOOD), (GOOD, "flaky: a, 1 of 3"))
        self.assertEqual(self.judge(BAD, BAD, GOOD), (BAD, "flaky: a, 2 of 3"))
        self.assertEqual(self.judge(BAD, BAD, BAD), (BAD, "failed: a, 3 of 3"))

    def test_a_crash_always_fails(self):
        for crash in (ended(-11), ended(139), ended(unit_tests.SANITIZER_EXIT),
                      ended(1, "1.c:2:3: runtime error: signed integer overflow"),
                      ended(1, "WARNING: ThreadSanitizer: data race (pid=1)"),
                      ended(1, "a.c:1: f: Assertion `a' failed."),
                      ended(1, "Test failed with exception: Segmentation fault(11)"),
                      ended(-9, "WARNING: ThreadSanitizer: deadlock", "TIMEOUT")):
            with self.subTest(crash):
                self.assertEqual(self.judge(crash), (crash, "crashed: a"))
                self.assertEqual(self.judge(BAD, crash), (crash, "crashed: a"))

    def test_one_that_meson_ended_is_run_again(self):
        late = ended(-9, "", "TIMEOUT")
        self.assertEqual(self.judge(late, GOOD, GOOD), (GOOD, "flaky: a, 1 of 3"))

    def test_none_is_run_again_if_many_fail(self):
        with mock.patch.object(unit_tests, "run", side_effect=[[BAD] * 11]), \
                tempfile.NamedTemporaryFile() as result, \
                mock.patch.object(sys, "argv", ["unit-tests", "build", result.name]), \
                mock.patch("sys.stdout", io.StringIO()):
            unit_tests.main()
            self.assertEqual(result.read(), b"0 11 0\n")


if __name__ == "__main__":
    unittest.main()

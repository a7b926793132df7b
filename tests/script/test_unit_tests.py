"""script/unit-tests, on a small project of this test's own."""
import importlib.machinery
import importlib.util
import pathlib
import subprocess
import sys
import tempfile
import unittest

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
    "fails": "echo ok 1; echo not ok 2; exit 1",
    "is_skipped": "exit 77",
    "has_no_tap": "exit 0",
    "has_a_skipped_case": "echo ok 1; echo 'not ok 2 # SKIP b'",
    "crashes_once": "[ $turn -gt 1 ] || kill -SEGV $$",
    "reports_once": "[ $turn -gt 1 ] || { echo '==1==ERROR: AddressSanitizer: x' >&2; exit 1; }",
    "exits_as_a_sanitizer_once": "[ $turn -gt 1 ] || exit 86",
    "is_caught_by_cmocka_once":
        "[ $turn -gt 1 ] || { echo 'Test failed with exception: Segmentation fault(11)'; exit 1; }",
    "crashes_when_alone": "[ $turn -gt 1 ] && kill -ABRT $$; exit 1",
}


class UnitTests(unittest.TestCase):
    def result_of(self, *names, copies=1):
        """The counts and the lines about these programs."""
        room = tempfile.TemporaryDirectory()
        self.addCleanup(room.cleanup)
        folder = pathlib.Path(room.name)
        with open(folder / "meson.build", "w", encoding="utf-8") as project:
            print("project('x')", file=project)
            for i in range(copies):
                for name in names:
                    program = folder / f"{name}_{i}"
                    program.write_text(f"#!/bin/sh\necho >>$0.runs\nturn=$(wc -l <$0.runs)\n"
                                       f"{PROGRAMS[name]}\n")
                    program.chmod(0o755)
                    suffix = f"_{i}" if copies > 1 else ""
                    print(f"test('{name}{suffix}', find_program('{program}'))",
                          file=project)
        subprocess.run(["meson", "setup", folder / "build", folder], check=True, capture_output=True)
        subprocess.run([ROOT / "script/unit-tests", folder / "build", folder / "result"],
                       check=True, capture_output=True)
        counts, *lines = (folder / "result").read_text().splitlines()
        return counts, sorted(lines)

    def test_cases_are_counted(self):
        self.assertEqual(self.result_of("passes", "is_skipped", "has_no_tap", "has_a_skipped_case"),
                         ("4 0 2", []))

    def test_two_of_three_runs_decide(self):
        self.assertEqual(self.result_of("passes", "fails_once"),
                         ("3 0 0", ["flaky: fails_once, 1 of 3"]))
        self.assertEqual(self.result_of("fails_twice", "fails"),
                         ("1 2 0", ["failed: fails, 3 of 3", "flaky: fails_twice, 2 of 3"]))

    def test_a_crash_always_fails(self):
        names = ("crashes_once", "crashes_when_alone", "exits_as_a_sanitizer_once",
                 "is_caught_by_cmocka_once", "reports_once")
        self.assertEqual(self.result_of(*names), ("0 5 0", [f"crashed: {name}" for name in names]))

    def test_one_that_meson_ended_is_run_again_unless_it_crashed(self):
        late = {"name": "p:unit / a", "result": "TIMEOUT", "returncode": -9, "stdout": ""}
        good = {**late, "result": "OK", "returncode": 0}
        self.assertEqual(unit_tests.verdict(late, lambda: [good]), (good, "flaky: a, 1 of 3"))
        report = {**late, "stderr": "WARNING: ThreadSanitizer: data race (pid=1)"}
        self.assertEqual(unit_tests.verdict(report, lambda: [good]), (report, "crashed: a"))

    def test_none_is_run_again_if_more_than_ten_fail(self):
        self.assertEqual(self.result_of("fails_once", copies=10)[0], "10 0 0")
        self.assertEqual(self.result_of("fails_once", copies=11), ("0 11 0", []))


if __name__ == "__main__":
    unittest.main()

"""script/unit-set, on a small build of this test's own."""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

ALONE = "int main(void) { return 0; }\n"
THREADED = """#include <pthread.h>
static void *run(void *argument) { return argument; }
int main(void) { pthread_t thread; return pthread_create(&thread, 0, run, 0); }
"""


class UnitSet(unittest.TestCase):
    def setUp(self):
        room = tempfile.TemporaryDirectory()
        self.addCleanup(room.cleanup)
        self.build = pathlib.Path(room.name) / "build"
        (self.build / "meson-info").mkdir(parents=True)
        (self.build / "tests").mkdir()
        self.tests = []

    def add(self, name, source, *before, suite="net"):
        program = self.build / "tests" / name
        subprocess.run(["cc", "-x", "c", "-pthread", "-o", program, "-"],
                       input=source, text=True, check=True)
        self.tests.append({"name": name, "cmd": [*before, str(program)],
                           "suite": ["stockact:unit", f"stockact:{suite}"]})
        return self.tests[-1]

    def listed(self, name):
        (self.build / "meson-info/intro-tests.json").write_text(json.dumps(self.tests))
        done = subprocess.run([ROOT / "script/unit-set", name, self.build],
                              check=True, capture_output=True, text=True)
        return done.stdout.splitlines()

    def names(self, name):
        return [line.split()[0] for line in self.listed(name)]

    def test_only_those_that_can_start_a_thread_are_for_tsan(self):
        self.add("alone", ALONE)
        self.add("threaded", THREADED)
        self.assertEqual(self.listed("tsan"), ["threaded tests/threaded"])
        self.assertEqual(self.names("all"), ["alone", "threaded"])

    def test_a_test_that_a_script_starts_is_found_by_its_program(self):
        self.add("threaded", THREADED, "/usr/bin/env")
        self.tests[0]["cmd"][-1] = os.path.join("tests", "threaded")
        self.assertEqual(self.listed("tsan"), ["threaded tests/threaded"])

    def test_the_gate_has_parsers_and_what_is_pure_for_asan(self):
        self.add("test_core_a", ALONE, suite="pure")
        self.add("test_paper_b", ALONE, suite="process")
        self.add("test_mail_c", ALONE)
        self.assertEqual(self.names("asan-gate"), ["test_core_a", "test_paper_b"])
        self.assertEqual(self.names("asan"), ["test_core_a", "test_paper_b", "test_mail_c"])

    def test_only_the_driver_runs_on_postgresql_under_a_sanitizer(self):
        for name in ("test_store_job", "test_db_db", "test_paper_picture"):
            test = self.add(name, THREADED)
            self.tests.append({**test, "name": f"{name}_postgresql"})
        both = ["test_store_job", "test_db_db", "test_db_db_postgresql",
                "test_paper_picture"]
        self.assertEqual(self.names("asan"), both)
        self.assertEqual(self.names("tsan"), both)
        self.assertEqual(self.names("tsan-gate"),
                         ["test_store_job", "test_db_db", "test_paper_picture"])
        self.assertEqual(self.names("asan-gate"), ["test_paper_picture"])

    def test_the_gate_leaves_out_those_that_start_no_thread(self):
        for name in ("test_account_sign_in", "test_http_server"):
            self.add(name, THREADED)
        self.assertEqual(self.names("tsan"), ["test_account_sign_in", "test_http_server"])
        self.assertEqual(self.names("tsan-gate"), ["test_http_server"])

    @unittest.skipUnless((ROOT / "build/meson-info/intro-tests.json").exists(), "not configured")
    def test_all_that_are_left_out_exist(self):
        text = (ROOT / "script/unit-set").read_text()
        left_out = set(re.search(r'START_NONE = set\("""(.*?)"""', text, re.DOTALL)[1].split())
        tests = json.loads((ROOT / "build/meson-info/intro-tests.json").read_text())
        if tests:
            self.assertLess(left_out, {test["name"] for test in tests})

    def test_an_unknown_set_and_a_test_without_a_program_are_errors(self):
        with self.assertRaises(subprocess.CalledProcessError):
            self.listed("some")
        self.tests.append({"name": "strange", "cmd": ["/bin/true"], "suite": []})
        with self.assertRaises(subprocess.CalledProcessError):
            self.listed("tsan")


if __name__ == "__main__":
    unittest.main()

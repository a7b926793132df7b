"""script/threaded-tests, on a small build of this test's own."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

ALONE = "int main(void) { return 0; }\n"
THREADED = """#include <pthread.h>
static void *run(void *argument) { return argument; }
int main(void) { pthread_t thread; return pthread_create(&thread, 0, run, 0); }
"""


class ThreadedTests(unittest.TestCase):
    def setUp(self):
        room = tempfile.TemporaryDirectory()
        self.addCleanup(room.cleanup)
        self.build = pathlib.Path(room.name) / "build"
        (self.build / "meson-info").mkdir(parents=True)
        (self.build / "tests").mkdir()
        self.tests = []

    def add(self, name, source, *before):
        program = self.build / "tests" / name
        subprocess.run(["cc", "-x", "c", "-pthread", "-o", program, "-"],
                       input=source, text=True, check=True)
        self.tests.append({"name": name, "cmd": [*before, str(program)]})

    def listed(self):
        (self.build / "meson-info/intro-tests.json").write_text(json.dumps(self.tests))
        done = subprocess.run([ROOT / "script/threaded-tests", self.build],
                              check=True, capture_output=True, text=True)
        return done.stdout.splitlines()

    def test_only_those_that_can_start_a_thread_are_listed(self):
        self.add("alone", ALONE)
        self.add("threaded", THREADED)
        self.assertEqual(self.listed(), ["threaded tests/threaded"])

    def test_a_test_that_a_script_starts_is_found_by_its_program(self):
        self.add("threaded", THREADED, "/usr/bin/env")
        self.tests[0]["cmd"][-1] = os.path.join("tests", "threaded")
        self.assertEqual(self.listed(), ["threaded tests/threaded"])

    def test_a_test_without_a_program_of_the_build_is_an_error(self):
        self.tests.append({"name": "strange", "cmd": ["/bin/true"]})
        with self.assertRaises(subprocess.CalledProcessError):
            self.listed()


if __name__ == "__main__":
    unittest.main()

"""tests/fuzz/soak-fuzz runs every target, and names files that exist.

Run by script/check: python3 -m unittest discover tests/script
"""
import pathlib
import re
import unittest

from test_scripts import load

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class SoakFuzz(unittest.TestCase):
    soak = load("../tests/fuzz/soak-fuzz")

    def test_every_target_is_run(self):
        build = (ROOT / "tests/fuzz/meson.build").read_text()
        targets = re.findall(r"^    \['(fuzz_\w+)',", build, re.MULTILINE)
        self.assertEqual(targets, sorted(targets))
        self.assertEqual(targets, sorted(self.soak.PARSERS))
        self.assertEqual(targets, sorted(p.stem for p in ROOT.glob("tests/fuzz/fuzz_*.c")))
        self.assertLessEqual(set(self.soak.LENGTH_MAX), set(targets))

    def test_every_target_has_a_corpus(self):
        for target in self.soak.PARSERS:
            self.assertTrue(any((ROOT / "tests/fuzz/corpus" / target).iterdir()), target)

    def test_every_parser_is_there(self):
        for name in " ".join(self.soak.PARSERS.values()).split():
            self.assertTrue((ROOT / "src" / name).is_file(), name)


if __name__ == "__main__":
    unittest.main()

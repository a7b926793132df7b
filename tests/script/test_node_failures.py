"""docs/reliability.md must have a row for each failure that tests/e2e/nodes_*.test.mjs tests, and no
other one.

Run by script/check: python3 -m unittest discover tests/script
"""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def tested():
    files = sorted((ROOT / "tests/e2e").glob("nodes_*.test.mjs"))
    return [name for file in files
            for name in re.findall(r"^\s*test\('([^']+)'", file.read_text(), re.M)]


def listed():
    guide = (ROOT / "docs/reliability.md").read_text()
    table = guide.split("\n| failure |", 1)[1].split("\n\n", 1)[0]
    return [row.split("|")[1].strip() for row in table.split("\n")[2:]]


class NodeFailures(unittest.TestCase):
    def test_each_row_is_a_test_and_each_test_a_row(self):
        self.assertGreater(len(listed()), 15)
        self.assertEqual(sorted(listed()), sorted(tested()))


if __name__ == "__main__":
    unittest.main()

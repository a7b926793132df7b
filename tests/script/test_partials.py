"""docs/pages.md must list the partials of web/ that several templates use, and no others twice.

Run by script/check: python3 -m unittest discover tests/script
"""
import collections
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
USE = re.compile(r"\{\{[<>]\s*([a-z_]+)\s*\}\}")


def users(folder):
    """{name of a partial: the templates that use it}"""
    found = collections.defaultdict(set)
    for template in folder.glob("*.mustache"):
        for name in USE.findall(template.read_text()):
            found[name].add(template.stem)
    return found


def listed(guide):
    """The names in the first column of the table of partials, with repetitions."""
    table = guide.split("\n| partial |", 1)[1].split("\n\n", 1)[0]
    rows = table.split("\n")[2:]
    return [name for row in rows for name in re.findall(r"`([a-z_]+)`", row.split("|")[1])]


class Partials(unittest.TestCase):
    def setUp(self):
        self.listed = listed((ROOT / "docs/pages.md").read_text())

    def test_each_partial_of_several_templates_is_listed(self):
        shared = {name for name, by in users(ROOT / "web").items() if len(by) > 1}
        self.assertGreater(len(shared), 20)
        self.assertEqual(shared - set(self.listed), set())

    def test_each_row_names_a_template_and_none_is_repeated(self):
        self.assertEqual([one for one in self.listed if not (ROOT / f"web/{one}.mustache").exists()], [])
        self.assertEqual([one for one, n in collections.Counter(self.listed).items() if n > 1], [])


if __name__ == "__main__":
    unittest.main()

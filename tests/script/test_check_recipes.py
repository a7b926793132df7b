"""script/check-recipes must find a recipe that is no longer true, and lists that differ.

Run by script/check: python3 -m unittest discover tests/script
"""
import pathlib
import shutil
import tempfile
import unittest

from test_scripts import load

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

GUIDE = """# Contributing

## Read these ten files first

""" + "".join(f"{i}. `src/a.c`: why.\n" for i in range(1, 11)) + """
## Recipes

### A thing (2 files)

1. `src/a.c`: add a row to `things`.
2. `tests/<name>.c`: test `thing_<name>`, as
   `struct thing` says in `src/a.c`.

```c
{.name = THING_INIT("x")},
```

Pinned by `thing_one` in `tests/one.c`.

## English
"""

FILES = {
    "CONTRIBUTING.md": GUIDE,
    "src/a.c": "struct thing things[] = {{.name = THING_INIT(1)}};",
    "tests/one.c": "static void thing_one(void)",
}

# (file, text, its replacement, part of what must be reported)
FAULTS = [
    ("src/feed/trade_filter.c", '"owner",', '"holder",', "filter holder"),
    ("tests/e2e/filters.test.mjs", "    side: {", "    sides: {", "filter side"),
    ("docs/decisions.md", "`asset_type`, `party`", "`party`", "filter asset_type"),
    ("src/noun/trade.c", 'CSV("side")', 'CSV("way")', "column way"),
    ("docs/spec.md", "`side`, `amount_bucket`", "`amount_bucket`", "column side"),
    ("tests/e2e/pages.test.mjs", "  'side',\n", "", "COLUMNS"),
    ("src/edge/errors.h", '"gone",', '"lost",', "error lost"),
    ("src/cmd/term/command.h", "enum err cmd_check(", "enum err cmd_checks(", "command cmd_check "),
    ("src/config/settings_table.c", "SETTINGS_SERVE, mail_from,", "SETTINGS_SERVE, sender,",
     "setting sender"),
    ("docs/operate.md", "| `STOCKACT_LISTEN` |", "| `STOCKACT_LISTENS` |", "STOCKACT_LISTENS"),
    ("src/db/meson.build", "    '../store/schema/0002-review.sql',\n", "", "migration 0002-review.sql"),
    ("src/store/schema/0002-review.sql", "-- Step 2", "-- Step 3", "does not begin with"),
    ("src/api/web.h", "/* docs/mcp.md */", "/* docs/tools.md */", "page ('mcp'"),
    ("src/api/web.h", "WEB_FILE", "WEB_TEXT", "cannot read the list"),
    ("CONTRIBUTING.md", "(3 files)", "(4 files)", "its title says 4"),
]


class CheckRecipes(unittest.TestCase):
    check = load("check-recipes")

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def write(self, files):
        for name, text in files.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text)

    def guide_complaints(self, old="", new=""):
        text = GUIDE.replace(old, new) if old else GUIDE
        self.assertTrue(not old or text != GUIDE, old)
        self.write(FILES)
        tree = self.check.Tree(self.root)
        return [wrong for _, wrong in [*self.check.recipe_complaints(tree, text),
                                       *self.check.reading_complaints(tree, text)]]

    def assert_found(self, expected, old, new):
        found = self.guide_complaints(old, new)
        self.assertTrue(any(expected in wrong for wrong in found), (old, found))

    def test_a_true_recipe_passes(self):
        self.assertEqual(self.guide_complaints(), [])

    def test_a_missing_file_is_found(self):
        self.assert_found("there is no src/b.c", "`src/a.c`: add", "`src/b.c`: add")
        self.assert_found("there is no src/b.c", "3. `src/a.c`: why", "3. `src/b.c`: why")
        self.assert_found("there is no test/<name>.c", "`tests/<name>.c`", "`test/<name>.c`")

    def test_a_missing_name_is_found(self):
        self.assert_found("`row` is not in", "`things`", "`row`")
        self.assert_found("`thin` is not in", "`things`", "`thin`")
        self.assert_found("`item_<name>` is not in", "`thing_<name>`", "`item_<name>`")
        self.assert_found("`struct item` is not in", "`struct thing`", "`struct item`")
        self.assert_found("`thing_two` is not in", "`thing_one`", "`thing_two`")

    def test_an_example_that_does_not_compile_any_more_is_found(self):
        self.assert_found(".title of the example", ".name =", ".title =")
        self.assert_found("ITEM_INIT of the example", "THING_INIT(", "ITEM_INIT(")

    def test_a_wrong_count_is_found(self):
        self.assert_found("names 2 files", "(2 files)", "(3 files)")
        self.assert_found("names 2 files", " (2 files)", "")
        self.assert_found("has 6 steps", "\n```c", "3. a\n4. a\n5. a\n6. a\n\n```c")
        self.assert_found("reading list has 9", "10. `src/a.c`: why.\n", "")
        self.assert_found("no recipes", "## Recipes", "## Ways")

    def copy(self):
        ignored = shutil.ignore_patterns("node_modules", "__pycache__")
        for folder in ["docs", "script", "src", "tests", "web"]:
            shutil.copytree(ROOT / folder, self.root / folder, ignore=ignored)
        shutil.copy(ROOT / "CONTRIBUTING.md", self.root / "CONTRIBUTING.md")

    def test_each_planted_fault_is_found(self):
        self.copy()
        tree = self.check.Tree(self.root)
        self.assertEqual(list(self.check.complaints(tree)), [])
        for file, old, new, expected in FAULTS:
            text = tree.read(file)
            self.assertIn(old, text, file)
            self.write({file: text.replace(old, new)})
            found = list(self.check.complaints(tree))
            self.assertTrue(any(expected in wrong for wrong in found), (file, new, found))
            self.write({file: text})


if __name__ == "__main__":
    unittest.main()

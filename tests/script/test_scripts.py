"""Tests of the scripts that check the tree: a check must find each kind of fault.

Run by script/check: python3 -m unittest discover tests/script
"""
import collections
import importlib.machinery
import importlib.util
import pathlib
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent.parent / "script"
sys.path.insert(0, str(SCRIPTS))
from tap import count_cases  # noqa: E402, a module of script/


def load(name):
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), str(SCRIPTS / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


class CountCases(unittest.TestCase):
    def test_cases_are_counted(self):
        tap = "1..3\nok 1 - a\nnot ok 2 # SKIP b\nnot ok 3 - c\n"
        self.assertEqual(count_cases(tap, bad=True), [1, 1, 1])

    def test_a_crash_without_a_failed_case_is_a_failure(self):
        self.assertEqual(count_cases("1..2\nok 1 - a\n", bad=True), [1, 1, 0])
        self.assertEqual(count_cases("", bad=True), [0, 1, 0])


class CheckUnused(unittest.TestCase):
    unused = load("check-unused")

    def complaints(self, header, source, elsewhere="", tests=()):
        texts = {"src/a/x.h": header, "src/a/x.c": source, "src/b/y.c": elsewhere}
        texts = {pathlib.Path(name): text for name, text in texts.items()}
        return list(self.unused.complaints(texts, collections.Counter(tests)))

    def test_a_function_that_another_file_calls_passes(self):
        self.assertEqual(self.complaints("void f(int a);\n", "void f(int a)\n{\n}\n", "g(f);\n"), [])

    def test_a_function_that_only_tests_call_is_reported_unless_it_says_so(self):
        source = "void f(void)\n{\n    /* f */ g(\"f\");\n}\n"
        self.assertEqual(self.complaints("\nvoid f(void);\n", source, tests=["f"]),
                         ["src/a/x.h:2: f is not called in src/"])
        self.assertEqual(self.complaints("void f(void); /* for tests */\n", source), [])
        self.assertEqual(self.complaints("\n/* Does f. For tests. */\nvoid f(\n    int a);\n", source), [])

    def test_an_inline_function_without_callers_is_reported(self):
        self.assertEqual(len(self.complaints("static inline int f(void)\n{\n}\n", "")), 1)

    def test_a_function_of_one_file_ought_to_be_static(self):
        source = "int *f(void)\n{\n}\nint g = f();\n"
        self.assertEqual(self.complaints("int *f(void);\n", source),
                         ["src/a/x.h:1: f is called by its own file only: make it static"])
        self.assertEqual(self.complaints("int *f(void);\n", source, tests=["f"]), [])
        self.assertEqual(self.complaints("#define F f()\nint *f(void);\n", source), [])


class CheckLayers(unittest.TestCase):
    layers = load("check-layers")

    def complaint(self, line):
        return self.layers.complaint({"base": 0, "a": 1, "b": 2}, "a", line)

    def test_an_allowed_include_passes(self):
        for line in ('#include "base/str.h"', '#include "a/key.h"', "#include <string.h>"):
            self.assertIsNone(self.complaint(line))

    def test_a_forbidden_include_is_named(self):
        self.assertIn("may not include", self.complaint('#include "b/out.h"'))
        self.assertIn("lacks its folder", self.complaint('#include "key.h"'))
        self.assertIn("no known part", self.complaint('#  include "elsewhere/key.h"'))
        self.assertIn("belongs to", self.complaint("#include <sqlite3.h>"))

    def test_tables_of_the_documentation_are_read(self):
        order, circles, by_symbols = self.layers.read_architecture(
            "| part | what it is |\n|---|---|\n| `base` | basics |\n| `a/b` | drivers |\n\n"
            "| units | why |\n|---|---|\n| `db/db` `db/dialect` | why |\n\n"
            "| units, by symbols | why |\n| `a/x` `a/y` | why |\n\n"
            "| folder | content |\n|---|---|\n| `c` | no part |\n")
        self.assertEqual(order, {"base": 0, "a/b": 1})
        self.assertEqual(circles, {frozenset(["db/db", "db/dialect"])})
        self.assertEqual(by_symbols, {frozenset(["a/x", "a/y"])})

    def test_a_circle_is_reported_unless_the_table_allows_it(self):
        includes = {"a/x.c": {"a/y.h"}, "a/y.h": {"a/x.h"}, "a/z.c": {"a/x.h"}}
        circle = frozenset(["a/x", "a/y"])
        self.assertEqual(list(self.layers.circle_complaints(includes, set())),
                         ["circle of files: a/x a/y"])
        self.assertEqual(list(self.layers.circle_complaints(includes, {circle})), [])
        self.assertEqual(len(list(self.layers.circle_complaints({}, {circle}))), 1)

    def test_a_circle_by_symbols_is_reported_unless_the_table_allows_it(self):
        edges = {"a/x": {"a/y"}, "a/y": {"a/x"}, "b/z": {"a/x"}}
        order = {"a": 0, "b": 1}
        circle = frozenset(["a/x", "a/y"])
        self.assertEqual(list(self.layers.symbol_complaints(edges, order, set())),
                         ["circle by symbols: a/x a/y"])
        self.assertEqual(list(self.layers.symbol_complaints(edges, order, {circle})), [])
        self.assertEqual(len(list(self.layers.symbol_complaints({}, order, {circle}))), 1)
        edges["a/y"] = {"b/z"}
        self.assertIn("a/y uses b/z, whose part is below",
                      list(self.layers.symbol_complaints(edges, order, set())))

    def test_symbols_are_read_from_objects(self):
        line = "build/src/db/libstore_db.a.p/row.c.o:0000000000000010 T row_put"
        self.assertEqual(self.layers.SYMBOL.search(line).groups(), ("db", "row", "T", "row_put"))
        line = "build/src/a/liba.a.p/x.c.o:                 U row_put"
        self.assertEqual(self.layers.SYMBOL.search(line).groups(), ("a", "x", "U", "row_put"))

    def test_private_headers_belong_to_their_unit(self):
        includes = {"a/x.c": {"a/x_parts.h"}, "a/x_parts.h": {"a/x.h"}}
        self.assertEqual(list(self.layers.circle_complaints(includes, set())), [])

    def test_a_private_header_is_for_its_folder(self):
        private_folder = self.layers.private_folder
        self.assertEqual(private_folder("a/x_parts.h", "/* inside */"), "a")
        self.assertEqual(private_folder("a/b/x.h", "/* Private to src/a. */"), "a")
        self.assertIsNone(private_folder("a/x.h", "/* for all */"))
        includes = {"a/b/y.c": {"a/x.h"}, "ab/y.c": {"a/x.h"}}
        self.assertEqual(list(self.layers.private_complaints(includes, {"a/x.h": "a"})),
                         ["ab/y.c: a/x.h is private to src/a"])

    def test_a_type_in_two_files_is_reported(self):
        texts = {
            "a/x.h": "struct x;\nenum color {\n    RED };\ntypedef void done(int a);\n",
            "a/y.c": "struct x {\n    int n;\n};\n/* enum color { */\nstruct color c;\n",
        }
        self.assertEqual(list(self.layers.type_complaints(texts)), [])
        for again in ("union color { int n; };", "typedef int (*done)(void);"):
            self.assertEqual(len(list(self.layers.type_complaints(texts | {"b/z.c": again}))), 1)


class CheckWords(unittest.TestCase):
    words = load("check-words")

    def complaints(self, name, text):
        return [what for _, what in self.words.complaints(name, text)]

    def test_clean_code_passes(self):
        text = "/* what for */\nint n = snprintf(b, sizeof b, \"x\"); fgets(b, 1, f); p->gets(1);\n"
        self.assertEqual(self.complaints("src/core/a.c", text), [])

    def test_a_symbol_may_be_any_word(self):
        self.assertEqual(self.complaints("data/symbols.csv", "HA" + "CK,,,A fund\n"), [])

    def test_each_kind_of_fault_is_found(self):
        pieces = [
            ("src/core/a.c", "/* x */\nstr" + "cpy(a, b);\n", "banned function"),
            ("docs/a.md", "TO" + "DO later\n", "unfinished work"),
            ("README.md", "see /wo" + "rk/tree\n", "path of one machine"),
            ("tests/e2e/a.test.mjs", "test.on" + "ly('a', b);\n", "focused"),
            ("tests/unit/a.c", "/* x */\nusl" + "eep(1);\n", "sleeping"),
            ("tests/e2e/a.test.mjs", "new Database" + "Sync(file);\n", "busy timeout"),
            ("src/core/a.c", "/* x */\nclock_gettime(CLOCK_REALTIME, &t);\n", "wall clock"),
            ("src/core/a.c", "int a;\n", "does not begin"),
            ("src/core/a.c", "/* x */\n" + "a" * 101 + "\n", "101 columns"),
        ]
        for name, text, expected in pieces:
            found = self.complaints(name, text)
            self.assertEqual(len(found), 1, (name, text, found))
            self.assertIn(expected, found[0])


if __name__ == "__main__":
    unittest.main()

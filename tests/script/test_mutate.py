"""script/mutate: which mutants a text has, and that strings, comments and contracts have none.

Run by script/check: python3 -m unittest discover tests/script
"""
import unittest

from test_scripts import load


class Mutate(unittest.TestCase):
    mutate = load("mutate")

    def changes(self, text):
        return [(m.kind, m.change()) for m in self.mutate.mutants_of("a.c", text)]

    def test_each_kind_of_mutant_is_found(self):
        for text, expected in (
                ("a = b < c;", ("comparison", "< -> <=")),
                ("a = b != c;", ("comparison", "!= -> ==")),
                ("a = b && c;", ("and/or", "&& -> ||")),
                ("a = b + c;", ("plus/minus", "+ -> -")),
                ("a = !b;", ("negation", "! ->")),
                ("enum { A = 12 };", ("off by one", "12 -> 13")),
                ("return true;", ("return another value", "true -> false")),
                ("return a;", ("return another value", "a -> 0")),
                ("b; put(a);", ("leave out the call", "put(a); -> ;")),
                ("if (a) b;", ("drop the check", "(a) -> (0 && (a))")),
        ):
            found = [(kind, change.strip()) for kind, change in self.changes(text)]
            self.assertEqual(found, [expected], text)

    def test_a_bound_is_changed_both_ways(self):
        self.assertEqual([change for _, change in self.changes("enum { A_MAX = 4 * K, B = C };")],
                         ["4 * K -> (4 * K) + 1", "4 * K -> (4 * K) - 1"])

    def test_comments_strings_and_contracts_have_none(self):
        for text in ('/* a < b */ f = "1 && 2";', "#define A (B + 1)\n", "assert(a < b);",
                     "char text[12];", "a = {0};", "a->b = -c;", "return (struct a){b};"):
            self.assertEqual(self.changes(text), [], text)

    def test_a_key_survives_other_lines_and_not_its_own(self):
        def keys(text):
            return {m.key for m in self.mutate.mutants_of("a.c", text)}
        self.assertEqual(keys("x;\na = b < c;\n"), keys("x;\n\ny;\na = b < c;\n"))
        self.assertFalse(keys("a = b < c;\n") & keys("a = b < d;\n"))
        self.assertEqual(len(keys("a = b < c;\na = b < c;\n")), 2)

    def test_the_same_change_twice_in_a_line_has_two_names(self):
        self.assertEqual([change for _, change in self.changes("a = b < c || d < e;")],
                         ["< -> <=", "|| -> &&", "< -> <= #2"])

    def test_every_listed_file_and_equivalent_is_there(self):
        covering = [line.split()[0] for line in self.mutate.read_table("files")]
        for name in covering:
            self.assertTrue((self.mutate.ROOT / name).exists(), name)
        for name, source, _ in self.mutate.equivalent_changes():
            text = (self.mutate.ROOT / name).read_text()
            self.assertIn(source, text, f"tests/mutation/equivalent: {name}")


if __name__ == "__main__":
    unittest.main()

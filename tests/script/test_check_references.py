"""script/check-references must find each reference that does not resolve, and pass the rest.

Run by script/check: python3 -m unittest discover tests/script
"""
import pathlib
import unittest

from test_scripts import load

SPEC = """# Specification

## 2. Resources
### 2.1 Trade
1. one
2. two

```text
# 7. not a heading
9. not a rule
```

## 5. Keys
### Key lifecycle
1. minted
2. revoked
### Plan rules
1. access

## 8. Limits
1. draws
### Cursor rules
1. order

| RL-01 | a case |
"""

FILES = {
    "docs/spec.md": SPEC,
    "docs/decisions.md": "### Decision 1\n### Decision 2\n### Decision 3\n",
    "docs/guide.md": "# Guide\n## Change `notices`\n## Twice\n## Twice\n### Named {#own-name}\n",
    "docs/adr/0003-edge.md": "# 3. The edge\n",
    "src/rule/cursor.h": "/* a cursor */\n",
    "tests/e2e/keys.test.mjs": "test('a key works', async () => {\n  test(\n    \"a key's end\",\n  test(`all: ${x}`",
    "tests/unit/test_a.c": "static void key_is_random(void **state)\n",
    "tests/script/test_b.py": "    def test_of_script(self):\n",
}


class CheckReferences(unittest.TestCase):
    check = load("check-references")

    def complaints(self, text, name):
        tree = self.check.Tree(pathlib.Path("/nowhere"), {**FILES, name: text})
        return [(text.count("\n", 0, at) + 1, wrong) for at, wrong in tree.complaints(name, text)]

    def assert_passes(self, *texts, name="src/rule/a.c"):
        for text in texts:
            self.assertEqual(self.complaints(text, name), [], text)

    def assert_found(self, expected, *texts, name="src/rule/a.c"):
        for text in texts:
            found = self.complaints(text, name)
            self.assertEqual(len(found), 1, (text, found))
            self.assertIn(expected, found[0][1])

    def test_sections_and_rules_of_the_specification(self):
        self.assert_passes(
            "spec 2.1", "spec 2.1 rule 2", "spec 2.1.2", "spec 8.1", "spec 2, 5 and 8",
            "spec 5, key lifecycle 2", "spec 5, plan rule 1", "spec 8, cursor rule 1",
            'spec 5, "Plan rules"', "spec 2.1: 14 fields, 6 of them nullable", "the spec has 3")
        self.assert_found("has no section or rule 3", "spec 3", "spec 2, 3", "(spec 2 and 3)")
        self.assert_found("has no section or rule 7", "spec 7")
        self.assert_found("has no section or rule 8.2", "spec 8.2")
        self.assert_found("has no section or rule 2.1.3", "spec 2.1.3")
        self.assert_found("spec 2.1 has no rule 3", "spec 2.1 rule 3")
        self.assert_found("spec 5 has no rule 1", "spec 5, rule 1")
        self.assert_found("spec 5 has no key lifecycle 3", "spec 5, key lifecycle 3")
        self.assert_found("spec 8 has no cursor rules 2", "spec 8, cursor rules 1 and 2")
        self.assert_found('has no heading "Colors"', 'spec 5, "Colors"')

    def test_decisions(self):
        self.assert_passes(
            "decision 1", "Decisions 1 and 3", "decisions 1 to 3", "decisions 1, 2, 3")
        self.assert_found("no decision 4", "decision 4", "decisions 1, 4", "decisions 2 to 4")

    def test_references_that_wrap(self):
        for text, name in (
                ("/*\n * The form (spec 5; decisions 1,\n * 9).\n */\n", "src/rule/a.c"),
                ("// The form (spec 5; decisions 1,\n// 9).\n", "tests/e2e/a.mjs"),
                ("# The form (spec 5; decisions\n# 1, 9).\n", "script/a")):
            self.assert_found("no decision 9", text, name=name)

    def test_cases(self):
        self.assert_passes("/* RL-01 */", "RL-010", "SHA-25")
        self.assert_found("no case RL-02", "/* RL-02 */", "/* RL-01, RL-02 */")

    def test_records(self):
        self.assert_passes("ADR 3", "adr/0003", "docs/adr/0003-edge.md", "mode (0660)")
        self.assert_found("no record 4", "ADR 4")
        self.assert_found("no record 0004", "docs/adr/0004", "ADR 0004")
        self.assert_found("no record 0004", "as there (0004)", name="docs/adr/0005-a.md")

    def test_documents_and_their_sections(self):
        self.assert_passes(
            "docs/guide.md", "guide.md", 'docs/guide.md, "Change notices"', "spec.md 2.1",
            "https://a.example/b.md", '"%s/docs/guide.md"', "docs/*.md")
        self.assert_found("there is no design.md", "design.md", "(design.md section 5)")
        self.assert_found("docs/spec.md has no section 4", "spec.md 2 and 4")
        self.assert_found(
            'has no heading "Nothing"', 'guide.md, "Nothing"', "(guide.md, Nothing)")

    def test_source_files(self):
        self.assert_passes(
            "rule/cursor.h", "src/rule/cursor.h", "see cursor.h", "#include <rule/none.h>",
            "rule/cur*.h", "netinet/in.h", "none.h")
        self.assert_found("there is no rule/none.h", "as rule/none.h says", "`rule/none.h`")
        self.assert_found("there is no former/cursor.h", "former/cursor.h", "`former/cursor.h`")
        self.assert_found("there is no none.h", "/* Keys; see none.h. */")

    def test_links_and_anchors(self):
        name = "docs/here.md"
        self.assert_passes(
            "# Top\n[a](#top) [b](guide.md) [c](guide.md#change-notices)\n",
            "[a](guide.md#twice-1) [b](guide.md#own-name) [c](../src/rule) [d](spec.md#21-trade)",
            "[a](https://a.example/none) [b](/docs/none) [c]({{base_url}}/none)",
            "```\n[a](none)\n```\n", name=name)
        self.assert_found("no anchor #bottom", "# Top\n[a](#bottom)", name=name)
        self.assert_found("no anchor #twice-2", "[a](guide.md#twice-2)", name=name)
        self.assert_found("there is no none", "[a](none)", "[a](none#top)", name=name)

    def test_line_of_a_fault(self):
        self.assertEqual(
            self.complaints("/* decision 1 */\n\nint a; /* decision 8 */\n", "src/rule/a.c"),
            [(3, "docs/decisions.md has no decision 8")])

    def test_documents_of_this_tree(self):
        tree = self.check.Tree()
        self.assertLessEqual({str(n) for n in range(1, 49)}, tree.decisions)
        self.assertLessEqual({"1", "2.1", "6.4", "9"}, set(tree.spec.sections))
        self.assertLessEqual({"RL-01", "HT-07"}, tree.spec.cases)

    def test_tests_of_the_list_of_security_exist(self):
        self.assert_passes(
            '| x | `keys`: "a key works", `keys`: "a key\'s end", `keys`: "all" |',
            "| x | `test_a`: `key_is_random`; `test_b`: `test_of_script` |",
            "`STOCKACT_SIGNUP`: off", name="docs/security.md")
        self.assert_found(
            "keys has no test a key wor", '`keys`: "a key wor"', name="docs/security.md")
        self.assert_found(
            "test_a has no test key_is", "`test_a`: `key_is`", name="docs/security.md")
        self.assert_found(
            "no file of tests is called doors", '`doors`: "a"', name="docs/security.md")
        self.assert_passes('`keys`: "another"', name="docs/guide.md")


if __name__ == "__main__":
    unittest.main()

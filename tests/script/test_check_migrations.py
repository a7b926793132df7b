"""Tests of script/check-migrations: what a step after the newest release may do."""
import importlib.machinery
import importlib.util
import pathlib
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LOADER = importlib.machinery.SourceFileLoader("migrations", str(ROOT / "script/check-migrations"))
SPEC = importlib.util.spec_from_loader("migrations", LOADER)
migrations = importlib.util.module_from_spec(SPEC)
LOADER.exec_module(migrations)

HEAD = "-- Step 35 of the schema: usable from 33\n"


def complaints(text, head=HEAD, version="1.2.0"):
    """What the check says about a step 35 after the release 1.1.0 with step 34."""
    with tempfile.TemporaryDirectory() as folder:
        schema = pathlib.Path(folder) / migrations.FOLDER
        schema.mkdir(parents=True)
        (pathlib.Path(folder) / "VERSION").write_text(version + "\n")
        (schema / "releases").write_text("# comment\n1.0.0 30\n1.1.0 34\n")
        (schema / "0034-before.sql").write_text("DROP TABLE trade;\n")
        (schema / "0035-test.sql").write_text(head + text)
        return list(migrations.complaints(pathlib.Path(folder)))


class TheTree(unittest.TestCase):
    def test_follows_the_rule(self):
        self.assertEqual(list(migrations.complaints(ROOT)), [])


class Steps(unittest.TestCase):
    def test_that_expand_are_allowed(self):
        for text in (
            "CREATE TABLE a (no {id}) {strict};\nCREATE UNIQUE INDEX b ON a (no);\n",
            "CREATE TABLE a (\n    no {id}\n);\nINSERT INTO a SELECT no FROM trade;\n"
            "{append_only a};\n{next_number a};\nUPDATE a SET no = 1;\n",
            "ALTER TABLE trade ADD COLUMN a {text};\n",
            "ALTER TABLE trade ADD COLUMN a {int} NOT NULL DEFAULT 0;\n",
            "ALTER TABLE trade ADD COLUMN a {int} REFERENCES filing (no);\n",
            "DROP INDEX {online} IF EXISTS a;\nCREATE INDEX {online} a ON trade (no);\n",
            "UPDATE job SET name = 'a';\n",
        ):
            self.assertEqual(complaints(text), [], text)

    def test_that_lock_break_or_rewrite_are_reported(self):
        for text, wrong in (
            ("ALTER TABLE trade RENAME COLUMN a TO b;\n", "renamed"),
            ("ALTER TABLE trade RENAME TO b;\n", "renamed"),
            ("ALTER TABLE trade ALTER COLUMN a TYPE {text};\n", "no type"),
            ("ALTER TABLE trade ALTER COLUMN a SET NOT NULL;\n", "no type"),
            ("ALTER TABLE trade ADD CONSTRAINT a CHECK (b > 0);\n", "no type"),
            ("ALTER TABLE trade DROP COLUMN a;\n", "unused since"),
            ("DROP TABLE trade;\n", "unused since"),
            ("DROP INDEX trade_a;\n", "unused since"),
            ("ALTER TABLE trade ADD COLUMN a {int} NOT NULL;\n", "constant default"),
            ("ALTER TABLE trade ADD COLUMN a {int} DEFAULT (random());\n", "no constant"),
            ("ALTER TABLE trade ADD COLUMN a {int} UNIQUE;\n", "locks"),
            ("ALTER TABLE trade ADD COLUMN a {int} CHECK (a > 0);\n", "whole table"),
            ("CREATE INDEX a ON trade (no);\n", "{online}"),
            ("CREATE UNIQUE INDEX {online} a ON trade (no);\n", "refuses rows"),
            ("CREATE INDEX {online} a ON trade (no);\n", "DROP INDEX"),
            ("DROP INDEX {online} IF EXISTS a;\nCREATE TABLE b (no {id});\n", "no other"),
            ("UPDATE trade SET a = 1;\n", "rows of trade"),
            ("DELETE FROM trade;\n", "rows of trade"),
            ("{append_only trade};\n", "trigger"),
            ("VACUUM trade;\n", "does not know"),
        ):
            found = complaints(text)
            self.assertTrue(found and any(wrong in one for one in found), f"{text}: {found}")

    def test_that_shut_out_the_newest_release_are_reported(self):
        table = "CREATE TABLE a (no {id});\n"
        self.assertIn("at most 34", complaints(table, "-- Step 35 of the schema: a\n")[0])
        self.assertIn("shuts out", complaints(table, "-- Step 35: usable from 35\n")[0])
        self.assertEqual(complaints(table, "-- Step 35: usable from 34\n"), [])

    def test_after_a_release_need_a_new_version(self):
        found = complaints("CREATE TABLE a (no {id});\n", version="1.1.0")
        self.assertEqual(len(found), 1)
        self.assertIn("needs a new version", found[0])

    def test_that_contract_name_a_released_step(self):
        drop = "DROP TABLE trade;\nALTER TABLE filing DROP COLUMN a;\n"
        self.assertEqual(complaints(drop, "-- Step 35: usable from 34, unused since 34.\n"), [])
        late = complaints(drop, "-- Step 35: usable from 33, unused since 34.\n")
        self.assertIn("is after", late[0])


if __name__ == "__main__":
    unittest.main()

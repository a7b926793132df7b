"""Tests that tests/data/scans/house-scans.json agrees with itself, its README and the documents."""
import collections
import datetime
import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCANS = ROOT / "tests" / "data" / "scans"
SHARED = pathlib.Path(os.environ.get("STOCKACT_SHARED", ROOT.parent / "shared")) / "data"
PDF_FOLDERS = [SHARED / "house" / name for name in ("scanned-pdf", "scanned-pdf-more")]
FORMS = {"wide", "narrow", "ruled", "ruled-boxes", "list", "letter", "print"}
NO_ROW_KINDS = {"nothing", "attached", "heading", "continued", "filled"}
SIDES = {"purchase", "sale", "partial sale", "exchange", None}
DATE = re.compile(r"(\d{1,2})([/-])(\d{1,2})\2(\d{4}|\d{2})")
TOTAL = re.compile(r"(\d+) documents, (\d+) pages, (\d+) rows")


def is_date(text):
    """Whether the printed text is a day of 2019 to 2026."""
    match = DATE.fullmatch(text)
    if not match:
        return False
    year = int(match[4]) + (2000 if len(match[4]) == 2 else 0)
    try:
        return 2019 <= datetime.date(year, int(match[1]), int(match[3])).year <= 2026
    except ValueError:
        return False


class HouseScans(unittest.TestCase):
    documents = json.loads((SCANS / "house-scans.json").read_text(encoding="utf-8"))["documents"]

    def pages(self):
        for document in self.documents:
            for page in document["pages"]:
                yield f'{document["id"]} page {page["page"]}', page

    def test_documents_and_pages_are_listed_once_and_in_order(self):
        ids = [document["id"] for document in self.documents]
        self.assertEqual(ids, sorted(set(ids)))
        for document in self.documents:
            numbers = [page["page"] for page in document["pages"]]
            self.assertEqual(numbers, sorted(set(numbers)), document["id"])
            self.assertTrue(numbers, document["id"])
            self.assertLessEqual(numbers[-1], document["pages_in_document"], document["id"])

    def test_pages_have_known_values(self):
        for name, page in self.pages():
            with self.subTest(name):
                self.assertIn(page["turn"], {0, 90, 180, 270})
                self.assertIn(page["form"], FORMS)
                self.assertIn(page["how"], {"typed", "handwritten", None})
                self.assertEqual(page["how"] is None, not page["rows"] and not page["not_rows"])
                lines = [row[0] for row in page["rows"]]
                others = [line for line, _, _ in page["not_rows"]]
                self.assertEqual(lines, sorted(set(lines)))
                self.assertEqual(others, sorted(set(others)))
                self.assertFalse(set(lines) & set(others))
                self.assertTrue(all(1 <= line <= page["lines"] for line in lines + others))
                self.assertTrue(all(kind in NO_ROW_KINDS for _, kind, _ in page["not_rows"]))

    def test_rows_have_known_values(self):
        for name, page in self.pages():
            for line, owner, asset, side, bracket, traded, notified, doubt, note in page["rows"]:
                with self.subTest(f"{name} line {line}"):
                    self.assertTrue(owner in {None, "SP", "JT", "DC", "0"} or note or doubt)
                    self.assertEqual(asset, " ".join(asset.split()))
                    self.assertIn(side, SIDES)
                    self.assertTrue(bracket is None or bracket in "ABCDEFGHIJK")
                    for date in (traded, notified):
                        self.assertTrue(date is None or is_date(date) or note, date)
                    if page["form"].startswith("ruled"):
                        self.assertNotEqual(side, "partial sale")
                        self.assertNotEqual(bracket, "K")

    def test_the_readme_counts_what_is_there(self):
        pages = [page for _, page in self.pages()]
        counted = len(self.documents), len(pages), sum(len(page["rows"]) for page in pages)
        readme = (SCANS / "README.md").read_text(encoding="utf-8")
        self.assertEqual(TOTAL.search(readme).groups(), tuple(str(one) for one in counted))
        by_form = collections.Counter()
        for page in pages:
            by_form[page["form"], "pages"] += 1
            by_form[page["form"], "rows"] += len(page["rows"])
        for form in FORMS:
            line = f'| `{form}` | {by_form[form, "pages"]} | {by_form[form, "rows"]} |'
            self.assertIn(line, readme)

    @unittest.skipUnless(all(folder.is_dir() for folder in PDF_FOLDERS), "no ../shared/data")
    def test_the_documents_are_the_shared_ones(self):
        files = {path.stem: path for folder in PDF_FOLDERS for path in folder.glob("*.pdf")}
        self.assertLessEqual({document["id"] for document in self.documents}, set(files))
        if not shutil.which("pdfinfo"):
            self.skipTest("pdfinfo is not installed")
        for document in self.documents:
            told = subprocess.run(["pdfinfo", files[document["id"]]], capture_output=True,
                                  text=True, check=True).stdout
            count = int(re.search(r"^Pages:\s+(\d+)$", told, re.MULTILINE)[1])
            self.assertEqual(count, document["pages_in_document"], document["id"])


if __name__ == "__main__":
    unittest.main()

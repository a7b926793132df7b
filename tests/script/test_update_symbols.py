"""Tests of script/update-symbols with invented companies."""
import contextlib
import csv
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

SCRIPT = pathlib.Path(__file__).resolve().parent.parent.parent / "script" / "update-symbols"
FIRST, LAST, AS_OF = "2021-12-26", "2025-02-28", "2026-11-21"


def load():
    loader = importlib.machinery.SourceFileLoader("update_symbols", str(SCRIPT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


class UpdateSymbols(unittest.TestCase):
    update = load()

    def run_script(self, seen, sec, listed="", lines=""):
        """Returns the rows of both files, as `symbol,cik,from,to,company` and `symbol,from,to`."""
        with tempfile.TemporaryDirectory() as folder:
            into = pathlib.Path(folder)
            table = {"fields": ["cik", "name", "ticker", "exchange"],
                     "data": [[cik, name, ticker, None] for ticker, cik, name in sec]}
            (into / "sec.json").write_text(json.dumps(table))
            (into / "listed.csv").write_text("Symbol,Security Name\n" + listed)
            (into / "seen.csv").write_text("symbol,cik,first_seen,last_seen,name\n" + seen)
            (into / "symbol_industries.csv").write_text(
                "symbol,from,to,company,industry,business,source\n" + lines)
            arguments = ["update-symbols", "--seen", str(into / "seen.csv"), "--as-of", AS_OF,
                         "--into", folder, str(into / "listed.csv"), str(into / "sec.json")]
            with mock.patch.object(sys, "argv", arguments), \
                    contextlib.redirect_stdout(io.StringIO()):
                self.update.main()
            holders = (into / "symbol_holders.csv").read_text().splitlines()[1:]
            kept = [",".join(row[:3]) for row in csv.reader(
                (into / "symbol_industries.csv").read_text().splitlines()[1:])]
            return holders, kept

    def holders(self, seen, sec=(), listed="", lines=""):
        ends = f"QQZA,1,{FIRST},{LAST},Ends\n"  # the first and the last list
        found, _ = self.run_script(ends + seen, sec, listed, lines)
        return [row for row in found if not row.startswith("QQZA,")]

    def test_a_company_in_all_lists_has_no_days(self):
        self.assertEqual(self.holders(f"QQA,7,{FIRST},{LAST},Acorn Inc.\n", [("QQA", 7, "ACORN")]),
                         ["QQA,7,,,Acorn Inc."])

    def test_days_are_those_of_the_first_and_the_last_list(self):
        self.assertEqual(self.holders("QQA,7,2022-03-01,2023-04-05,Acorn Inc.\n"),
                         ["QQA,7,2022-03-01,2023-04-05,Acorn Inc."])

    def test_a_holder_after_another_begins_with_its_first_list(self):
        seen = f"QQA,7,{FIRST},2023-01-02,Acorn Inc.\nQQA,8,2024-01-02,{LAST},Bramble Ltd.\n"
        self.assertEqual(self.holders(seen, [("QQA", 8, "BRAMBLE LTD")]),
                         ["QQA,7,,2023-01-02,Acorn Inc.", "QQA,8,2024-01-02,,Bramble Ltd."])

    def test_a_new_holder_is_not_dated_back_to_the_last_list_of_another(self):
        self.assertEqual(self.holders(f"QQA,7,{FIRST},{LAST},Acorn\n", [("QQA", 8, "Bramble")]),
                         [f"QQA,7,,{LAST},Acorn", f"QQA,8,{AS_OF},,Bramble"])

    def test_a_new_holder_of_a_free_symbol_begins_after_the_last_list_without_it(self):
        self.assertEqual(self.holders("", [("QQA", 8, "Bramble")]), ["QQA,8,2025-03-01,,Bramble"])

    def test_a_fund_that_only_a_listing_has_can_be_of_any_age(self):
        self.assertEqual(self.holders("", listed="QQF,Bramble Fund\n"), ["QQF,,,,Bramble Fund"])

    def test_an_earlier_company_of_the_project_dates_the_holder(self):
        line = "QQA,,2019-05-06,Acorn Inc.,retail,shops,a list\n"
        seen = f"QQA,8,{FIRST},{LAST},Bramble\n"
        self.assertEqual(self.holders(seen, [("QQA", 8, "Bramble")], "", line),
                         [f"QQA,8,{FIRST},,Bramble"])
        self.assertEqual(self.holders("", (), "QQA,Bramble Fund\n", line),
                         [f"QQA,,{AS_OF},,Bramble Fund"])

    def test_an_error_of_one_list_is_left_out_and_does_not_part_a_holder(self):
        seen = (f"QQA,7,{FIRST},2023-01-02,Acorn\nQQA,8,2023-01-03,2023-01-03,Bramble\n"
                f"QQA,7,2023-01-04,{LAST},Acorn\n")
        self.assertEqual(self.holders(seen, [("QQA", 7, "Acorn")]), ["QQA,7,,,Acorn"])

    def test_a_company_with_a_new_number_and_the_same_name_stays_one_holder(self):
        seen = f"QQA,7,{FIRST},2023-01-02,Acorn Ltd\nQQA,8,2023-02-03,{LAST},Acorn plc\n"
        self.assertEqual(self.holders(seen, [("QQA", 8, "Acorn plc")]), ["QQA,8,,,Acorn plc"])

    def test_spellings_of_a_class_are_one_symbol_and_descriptions_of_shares_go(self):
        listed = "QQB/A,Bramble Inc. - Class A Common Stock\n"
        self.assertEqual(self.holders("", listed=listed), ["QQB.A,,,,Bramble Inc."])

    def test_an_open_line_without_a_present_holder_ends(self):
        lines = "".join(f"{symbol},,,Acorn Inc.,{industry},x,y\n" for symbol, industry in [
            ("BRKB", "banks"), ("QQA", "retail"), ("QQB", "retail"), ("QQC", "retail"),
            ("QQD", "retail"), ("QQF", "funds"), ("QQMUX", "funds"), ("QQO.SW", "retail")])
        seen = (f"QQA,7,{FIRST},2023-01-02,Acorn\nQQZZ,9,2023-01-09,{LAST},Other\n"
                f"QQC,7,{FIRST},{LAST},Acorn\nQQD,7,{FIRST},{LAST},Acorn\n")
        _, kept = self.run_script(seen, [("QQD", 7, "Acorn")], "", lines)
        self.assertEqual(kept, [
            "BRKB,,",  # a spelling of filers
            "QQA,,2023-01-08",  # the day before the first list without it
            "QQB,,2021-12-25",  # in none of the lists
            "QQC,,2026-11-20",  # in the last dated one, and not in the newest
            "QQD,,",
            "QQF,,2026-11-20",  # the dated lists have few funds
            "QQMUX,,",  # no list has mutual funds
            "QQO.SW,,",
        ])

    def test_running_again_changes_nothing(self):
        lines = "QQA,,,Acorn Inc.,retail,x,y\n"
        seen = f"QQZA,1,{FIRST},{LAST},Ends\nQQA,7,{FIRST},2023-01-02,Acorn\n"
        first = self.run_script(seen, [], "", lines)
        ended = first[1][0] + ",Acorn Inc.,retail,x,y\n"
        again = self.run_script(seen, [], "", ended)
        self.assertEqual(first, again)


if __name__ == "__main__":
    unittest.main()

"""Tests of bench/bench.py: what a smoke run calls a table without figures."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import bench

HEAD = "\n## Start, 1,000 trades\n\n| page 1 | p50 ms |\n|---|---|\n"


class Missing(unittest.TestCase):
    def test_each_row_needs_a_figure(self):
        self.assertEqual(bench.missing(HEAD + "| 304 | 0.12 |\n| page |  5 |\n"), "")
        self.assertEqual(bench.missing(HEAD + "| 304 | 0.12 |\n| 404 | not kept |\n"),
                         "no figure in | 404 | not kept |")

    def test_each_head_needs_a_row(self):
        self.assertEqual(bench.missing(HEAD + "\n5 rounds\n"), "no row under | page 1 | p50 ms |")

    def test_headings_are_no_figures(self):
        self.assertEqual(bench.missing(""), "no figures")
        self.assertEqual(bench.missing("\n## Start, 1,000 trades\n"), "no figures")

    def test_a_sentence_is_a_figure(self):
        self.assertEqual(bench.missing("\n## Start\n\nStart to first response: 2.78 s\n"), "")
        self.assertEqual(bench.missing("\n## Start\n\nStart to first response\n"), "no figures")


if __name__ == "__main__":
    unittest.main()

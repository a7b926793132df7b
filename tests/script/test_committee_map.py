"""Tests of data/committee_industries.csv: a committee oversees at least what its subcommittees do,
for as long as they do, except on Appropriations, and every line names its ground."""
import collections
import csv
import datetime
import pathlib
import re
import unittest

DATA = pathlib.Path(__file__).resolve().parent.parent.parent / "data"
APPROPRIATIONS = ("HSAP", "SSAP")
FIRST = 112  # the Congress in which the lists of seats begin


def rows(name):
    with open(DATA / f"{name}.csv", newline="") as file:
        return list(csv.DictReader(file))


def congress(day):
    year = int(day[:4])
    return (year - (1 if year % 2 and day[5:] < "01-03" else 0) - 1789) // 2 + 1


def normal(name):
    return " ".join(name.lower().split())


def named_congresses(newest):
    """The Congresses of each (id, name). A list of the first eight months of a Congress can still
    show the panel of the one before, so it does not prolong a name that begins earlier."""
    named = collections.defaultdict(set)
    for row in rows("committees"):
        first, last = congress(row["seen_from"]), newest
        if row["seen_to"]:
            end = datetime.date.fromisoformat(row["seen_to"]) - datetime.timedelta(days=1)
            last = congress(end.isoformat())
            if last > first and end.year % 2 and end.month <= 8:
                last -= 1
        named[row["committee"], normal(row["name"])].update(range(first, last + 1))
    return named


def seated_congresses(newest):
    """The Congresses in which a panel has seats after the first five months: names can outlive it.
    A House panel in which no seat begins was not made again."""
    seated = collections.defaultdict(set)
    for row in rows("seats"):
        for number in range(FIRST, newest + 1):
            year = 1789 + 2 * (number - 1)
            begins = f"{year}-06-01" if number > FIRST else "2012-11-01"
            held_over = row["committee"][0] == "H" and row["seen_from"] < f"{year}-01-03"
            if number > FIRST and held_over:
                continue
            if row["seen_from"] <= f"{year + 2}-01-02" and (row["seen_to"] or "9999") > begins:
                seated[row["committee"]].add(number)
    return seated


class CommitteeMap(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.newest = congress(max(row["seen_from"] for row in rows("seats")))
        cls.named = named_congresses(cls.newest)
        cls.seated = seated_congresses(cls.newest)
        cls.lines = rows("committee_industries")

    def covered(self, lines, committee, industry):
        congresses = set()
        for line in lines:
            if line["committee"] == committee and line["industry"] == industry:
                first = congress(line["from"]) if line["from"] else FIRST
                last = congress(line["to"]) if line["to"] else self.newest
                congresses.update(range(first, last + 1))
        return congresses

    def missing(self, lines):
        """(committee, industry) of each panel whose committee lacks it in some Congress."""
        found = set()
        for line in lines:
            panel, industry = line["committee"], line["industry"]
            if len(panel) == 4 or panel[:4] in APPROPRIATIONS or industry == "-":
                continue
            held = self.named[panel, normal(line["name"])] & self.seated[panel]
            if held - self.covered(lines, panel[:4], industry):
                found.add((panel[:4], industry))
        return found

    def test_committee_oversees_what_its_panels_do(self):
        self.assertEqual(self.missing(self.lines), set())

    def test_a_missing_pair_is_found(self):
        without = [
            line
            for line in self.lines
            if (line["committee"], line["industry"]) != ("HSPW", "aerospace_defense")
        ]
        self.assertLess(len(without), len(self.lines))
        self.assertEqual(self.missing(without), {("HSPW", "aerospace_defense")})

    def test_every_line_names_its_ground(self):
        panels = {
            (line["committee"][:4], line["industry"], line["name"])
            for line in self.lines
            if len(line["committee"]) == 6 and line["ground"] == "panel"
        }
        for line in self.lines:
            committee, ground, source = line["committee"], line["ground"], line["source"]
            with self.subTest(committee=committee, name=line["name"], industry=line["industry"]):
                self.assertIn(ground, ("rule", "panel", "part", "appropriations"))
                self.assertEqual(ground == "appropriations", committee[:4] in APPROPRIATIONS)
                if len(committee) == 6:
                    self.assertNotEqual(ground, "rule")
                elif ground == "rule":
                    self.assertRegex(source, "Rule X|[Rr]esolution|statute|Act|Code")
                elif ground == "panel":
                    cited = re.match(r"jurisdiction of its subcommittee (.+?)(; .* Rule .*)?$", source)
                    self.assertIsNotNone(cited)
                    self.assertIn((committee, line["industry"], cited[1]), panels)


if __name__ == "__main__":
    unittest.main()

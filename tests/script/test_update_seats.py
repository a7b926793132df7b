"""script/update-seats on a small invented repository: emptied lists, committees that are left out,
renamed panels, odd entries, and the change from YAML to JSON. The shipped files have its form."""
import csv
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPT = ROOT / "script" / "update-seats"

INDEX = """
- name: House Committee on Farms
  thomas_id: HSFA
  subcommittees:
  - name: {panel}
    thomas_id: '07'
  - name: Odd
    thomas_id: 7x
- name: Senate Committee on Weevils
  thomas_id: SSWE
"""


def seats(**lists):
    """A membership file: HSFA=["A000001", ("B000002", "Chair")]."""
    entries = {code: [{"bioguide": seat} if isinstance(seat, str)
                      else {"bioguide": seat[0], "title": seat[1]} for seat in members]
               for code, members in lists.items()}
    return json.dumps(entries)  # JSON is YAML too


VERSIONS = [
    ("2012-10-01", '{"HSFA": [{"name": "Ada Vale"}]}', "Orchards"),  # before ids were listed
    ("2018-06-01", seats(HSFA=["A000001", ("B000002", "Chair")], HSFA07=["A000001"],
                         SSWE=["C000003"]), "Orchards"),
    ("2018-07-01", seats(HSFA=["A000001", ("B000002", "Chair"), "A000001", "nobody"],
                         HSFA7x=["A000001"], SSWE=["C000003"]), "Orchards"),  # 07 left out
    ("2018-08-01", seats(HSFA=["A000001", "B000002"], HSFA07=["A000001"], SSWE=["C000003"]),
     "Vineyards"),
    ("2019-01-03", "{}", "Vineyards"),  # emptied
    ("2019-01-20", "a: [", "Vineyards"),  # not YAML
    ("2019-02-11", seats(SSWE=["C000003"]), "Vineyards"),  # one chamber only
    ("2019-03-01", seats(HSFA=[("A000001", "Chair")], SSWE=["C000003"]), "Vineyards"),
]

EXPECTED_SEATS = [
    ["HSFA", "A000001", "2018-06-01", "2019-02-11", ""],
    ["HSFA", "A000001", "2019-03-01", "", "Chair"],
    ["HSFA", "B000002", "2018-06-01", "2018-08-01", "Chair"],
    ["HSFA", "B000002", "2018-08-01", "2019-02-11", ""],
    ["HSFA07", "A000001", "2018-06-01", "2019-02-11", ""],
    ["SSWE", "C000003", "2018-06-01", "", ""],
]
EXPECTED_NAMES = [
    ["HSFA", "House Committee on Farms", "2012-10-01", ""],
    ["HSFA07", "Orchards", "2012-10-01", "2018-08-01"],
    ["HSFA07", "Vineyards", "2018-08-01", ""],
    ["SSWE", "Senate Committee on Weevils", "2012-10-01", ""],
]
EXPECTED_LISTS = [["2018-06-01", "4"], ["2018-07-01", "3"], ["2018-08-01", "4"],
                  ["2019-02-11", "1"], ["2019-03-01", "2"]]


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def make_repository(folder):
    def git(*arguments, day="2012-01-01"):
        moment = f"{day}T12:00:00Z"
        subprocess.run(["git", "-C", folder, "-c", "user.name=Ann", "-c",
                        "user.email=ann@example.org", *arguments], check=True,
                       stdout=subprocess.DEVNULL,
                       env=os.environ | {"GIT_AUTHOR_DATE": moment, "GIT_COMMITTER_DATE": moment})

    git("init", "--quiet")
    for number, (day, membership, panel) in enumerate(VERSIONS):
        last = number + 1 == len(VERSIONS)
        yaml_file = folder / "committee-membership-current.yaml"
        if last:
            yaml_file.unlink()
        file = folder / "committee-membership-current.json" if last else yaml_file
        file.write_text(membership, encoding="utf-8")
        (folder / "committees-current.yaml").write_text(INDEX.format(panel=panel),
                                                        encoding="utf-8")
        git("add", "--all", day=day)
        git("commit", "--quiet", "--message", day, day=day)


@unittest.skipUnless(importlib.util.find_spec("yaml"), "python3-yaml is not installed")
class UpdateSeats(unittest.TestCase):
    def test_spans_come_from_the_versions_of_a_clone(self):
        with tempfile.TemporaryDirectory() as name:
            clone, output = pathlib.Path(name) / "clone", pathlib.Path(name) / "data"
            clone.mkdir()
            output.mkdir()
            make_repository(clone)
            done = subprocess.run([sys.executable, SCRIPT, clone, "--output", output], check=True,
                                  stderr=subprocess.PIPE, text=True)
            self.assertEqual(rows(output / "seats.csv")[1:], EXPECTED_SEATS)
            self.assertEqual(rows(output / "committees.csv")[1:], EXPECTED_NAMES)
            self.assertEqual(rows(output / "seat_lists.csv")[1:], EXPECTED_LISTS)
            for text in ("2018-07-01: left out: HSFA: A000001 is listed twice",
                         "2018-07-01: left out: HSFA: an entry without a bioguide id",
                         "2018-07-01: left out: HSFA7x: not the id of a committee",
                         "2019-01-03: the list is empty: skipped",
                         "2019-01-20: committee-membership-current.yaml of "):
                self.assertIn(text, done.stderr)
            for file in ("seats.csv", "committees.csv", "seat_lists.csv"):
                self.assertEqual(rows(output / file)[0], rows(ROOT / "data" / file)[0])

    def test_shipped_files_are_sorted_as_the_script_sorts_them(self):
        for file in ("seats.csv", "committees.csv"):
            shipped = rows(ROOT / "data" / file)[1:]
            self.assertEqual(shipped, sorted(shipped, key=lambda row: row[:3]))
            self.assertEqual(len({tuple(row[:3]) for row in shipped}), len(shipped))


if __name__ == "__main__":
    unittest.main()

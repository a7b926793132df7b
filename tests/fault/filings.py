"""The way from document to publication and correction, killed at the n-th call of one kind in each of its
commands. The same command, run again, must finish the work. At the end the database must equal one
without kills. The documents and people are invented.
"""
import dataclasses
import json
import pathlib
import random

from checker import Damaged
from database import Sqlite
from service import Fault, Site
from sweep import Counting

BY = "editor@example.org"
ORIGINAL = "aaaaaaaa-2222-3333-4444-555555555555"
AMENDMENT = "bbbbbbbb-2222-3333-4444-555555555555"
CALLS = ("pwrite64", "fdatasync", "write", "sendto", "recvfrom", "clone", "close")

STEPS = (
    ("ingest", "first"),
    ("review", "accept", f"senate-{ORIGINAL}", "--by", BY),
    ("publish", f"senate-{ORIGINAL}", "--by", BY),
    ("ingest", "later"),
    ("review", "accept", f"senate-{AMENDMENT}", "--by", BY),
    ("publish", f"senate-{AMENDMENT}", "--by", BY),
    ("reread", "--by", BY),
)

# What an older reader would have read, for `reread` to correct in both filings. A published row
# cannot be changed with SQL: it has a digest.
OLDER = "UPDATE draft_row SET asset_name = upper(asset_name) WHERE asset_name IN ('Abacus', 'Dovetail')"

FACTS = {
    "documents": "SELECT kind, source_id, state, reason FROM document ORDER BY kind, source_id",
    "drafts": "SELECT filing_id, state FROM draft WHERE state <> 'superseded' ORDER BY filing_id",
    "filings": "SELECT f.id, f.state, a.id AS amends FROM filing f"
               " LEFT JOIN filing a ON a.no = f.amends_no ORDER BY f.id",
    "trades": "SELECT id, asset_name, side, withdrawn_reason FROM trade ORDER BY id",
    "corrections": "SELECT kind, trade_id, field, old_value, new_value FROM correction"
                   " ORDER BY trade_id, field",
    "rereadings": "SELECT d.filing_id, h.position, h.old_value, h.new_value FROM draft_history h"
                  " JOIN draft d ON d.no = h.draft_no WHERE h.action = 'reread'"
                  " ORDER BY d.filing_id, h.position",
    "events": "SELECT count(*) AS n FROM event WHERE type = 'trade.published'",
    "publications": "SELECT count(*) AS n FROM publication",
}


def _page(rows, heading, filed):
    cells = "".join(
        f"<tr><td>{number}</td><td>01/10/2024</td><td>Self</td><td>--</td><td>{asset}</td>"
        f"<td>Stock</td><td>{kind}</td><td>$1,001 - $15,000</td><td>--</td></tr>"
        for number, (asset, kind) in reversed(list(enumerate(rows, 1))))
    heads = "".join(f"<th>{title}</th>" for title in (
        "#", "Transaction Date", "Owner", "Ticker", "Asset Name", "Asset Type", "Type", "Amount",
        "Comment"))
    return (f"<html><body><h1>Periodic Transaction Report for 01/29/2024{heading}</h1>"
            '<h2 class="filedReport">The Honorable Dana Hollis (Hollis, Dana)</h2>'
            f"<p><strong>Filed {filed}</strong></p><ul><li>({len(rows)} transactions total)</li></ul>"
            f"<table><thead><tr>{heads}</tr></thead><tbody>{cells}</tbody></table></body></html>")


def _write_papers(folder):
    first, later = folder / "first", folder / "later"
    first.mkdir()
    later.mkdir()
    (first / f"{ORIGINAL}.html").write_text(_page(
        [("Abacus", "Purchase"), ("Bellows", "Purchase"), ("Cinder", "Purchase")], "",
        "01/29/2024 @ 6:23 PM"))
    (later / f"{AMENDMENT}.html").write_text(_page(
        [("Abacus", "Purchase"), ("Bellows", "Exchange"), ("Dovetail", "Purchase")],
        " (Amendment 1)", "02/20/2024 @ 9:05 AM"))
    members = "".join(f"<Member><Prefix /><Last>Vale</Last><First>Robin</First><Suffix />"
                      f"<FilingType>P</FilingType><StateDst>CA07</StateDst><Year>2024</Year>"
                      f"<FilingDate>1/1{n}/2024</FilingDate><DocID>2099000{n}</DocID></Member>"
                      for n in range(1, 5))
    (first / "2024FD.xml").write_text(
        f'<?xml version="1.0" encoding="utf-8"?><FinancialDisclosure>{members}'
        "</FinancialDisclosure>")
    person = {"id": {"bioguide": "H000902"},
              "name": {"first": "Dana", "last": "Hollis", "official_full": "Dana Hollis"},
              "bio": {"birthday": "1960-02-03", "gender": "F"},
              "terms": [{"type": "sen", "start": "2011-01-03", "end": "2031-01-03", "state": "OR",
                         "party": "Independent"}]}
    (folder / "members.json").write_text(json.dumps([person]))


@dataclasses.dataclass(frozen=True)
class Point:
    step: int
    call: str
    n: int

    def __str__(self):
        return f"{' '.join(STEPS[self.step][:2])} ({self.step + 1}), {self.call} {self.n}"


class Story:
    """The sites before each step, made once, and the expected result."""

    def __init__(self, folder):
        self.folder, self._made = pathlib.Path(folder), 0
        self.before = []
        site = self._site(None)
        site.must("members", "import", "members.json")
        for step in STEPS:
            self._spoil(site, step)
            self.before.append(site)
            site = self._site(site)
            site.must(*step)
        self.facts = site.database.read(FACTS)
        if len(self.facts["trades"]) != 4 or len(self.facts["corrections"]) != 4:
            raise RuntimeError(f"unexpected result of the story: {self.facts}")

    def _site(self, like):
        self._made += 1
        folder = self.folder / f"story-{self._made}"
        folder.mkdir()
        _write_papers(folder)
        database = like.database.copy_to(folder) if like else Sqlite(folder)
        return Site(folder, database)

    @staticmethod
    def _spoil(site, step):
        if step[0] == "review":
            site.database.write(OLDER)

    def points(self):
        found = []
        for step, arguments in enumerate(STEPS):
            counting = Counting(str(self.folder / f"step-{step}.calls"))
            self._site(self.before[step]).run(*arguments, fault=counting)
            most = counting.most()
            found += [Point(step, call, n) for call in CALLS
                      for n in range(1, most.get(call, 0) + 1)]
        return found

    def run(self, point):
        """Returns True if a program was killed; raises Damaged."""
        site = self._site(self.before[point.step])
        first = site.run(*STEPS[point.step], fault=Fault(point.call, str(point.n)))
        again = site.run(*STEPS[point.step])
        for step in STEPS[point.step + 1:]:
            self._spoil(site, step)
            site.must(*step)
        facts = site.database.read(FACTS)
        findings = site.must("check")[0]["findings"]
        wrong = {name: (facts[name], self.facts[name]) for name in FACTS
                 if facts[name] != self.facts[name]}
        if findings or wrong:
            raise Damaged(f"{findings} findings; {wrong}; {first.errors} {again.errors}")
        site.close()
        return first.killed


def some(story, count, seed):
    """Returns that many points, the same number from each step, and the same points each time."""
    dice, found = random.Random(seed), story.points()
    by_step = [[point for point in found if point.step == step] for step in range(len(STEPS))]
    return [point for points in by_step
            for point in dice.sample(points, min(len(points), count // len(STEPS)))]

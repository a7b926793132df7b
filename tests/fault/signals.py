"""A sweep of the conflict signals, killed at the n-th call of one kind. Every trade then has its
old signal or its new one, together with its line of the history and its notice, and the next sweep
finishes the work. The people, the coin and the roster are invented.
"""
import dataclasses
import json
import pathlib

from checker import Damaged
from database import Sqlite
from service import Fault, Site
from sweep import Counting

BY = "editor@example.org"
FILINGS, ROWS = 3, 800  # three batches, of which one begins inside a filing
CALLS = {"sqlite": ("pwrite64", "fdatasync", "fcntl"), "postgresql": ("sendto", "recvfrom")}
IMPORT = ("committees", "import", "committees.json", "membership.json", "--as-of", "2015-01-05")

# The result of a complete sweep, however often it was killed before.
FACTS = {
    "signals": "SELECT t.id, d.reason FROM trade t JOIN trade_finding s ON s.trade_no = t.no"
               " JOIN finding d ON d.no = s.finding_no ORDER BY t.id",
    "lines": "SELECT t.id, count(*) AS n FROM finding_history h JOIN trade t ON t.no = h.trade_no"
             " GROUP BY t.id ORDER BY t.id",
}
STATE = {
    "has": "SELECT trade_no, finding_no FROM trade_finding",
    "told": "SELECT trade_no, new_no, no FROM finding_history",
    "notices": "SELECT key FROM change WHERE noun = 'findings'",
}


def _filing(number):
    return {
        "first_name": "Dana", "last_name": "Hollis", "office": "Hollis, Dana",
        "date_recieved": "07/04/2015",
        "ptr_link": "https://efdsearch.senate.gov/search/view/ptr/"
                    f"00000000-0000-4000-8000-{number:012}/",
        "transactions": [{
            "transaction_date": f"06/{i % 28 + 1:02}/2015", "owner": "Self", "ticker": "--",
            "asset_description": "Quince Coin", "asset_type": "Cryptocurrency", "type": "Purchase",
            "amount": "$15,001 - $50,000", "comment": "--"} for i in range(ROWS)]}


def _write_files(folder):
    person = {"id": {"bioguide": "H000902"},
              "name": {"first": "Dana", "last": "Hollis", "official_full": "Dana Hollis"},
              "bio": {"birthday": "1960-02-03", "gender": "F"},
              "terms": [{"type": "sen", "start": "2011-01-03", "end": "2031-01-03", "state": "OR",
                         "party": "Independent"}]}
    committee = {"type": "senate", "name": "Senate Committee on Banking", "thomas_id": "SSBK",
                 "url": "https://ssbk.example.gov/", "subcommittees": []}
    seat = {"name": "Dana Hollis", "party": "majority", "rank": 1, "bioguide": "H000902"}
    files = {"members.json": [person], "dump.json": [_filing(n) for n in range(FILINGS)],
             "committees.json": [committee], "membership.json": {"SSBK": [seat]}}
    for name, content in files.items():
        (folder / name).write_text(json.dumps(content))


@dataclasses.dataclass(frozen=True)
class Point:
    call: str
    n: int

    def __str__(self):
        return f"sweep, {self.call} {self.n}"


def _damages(state):
    """The rules that must hold wherever a sweep was killed: trades had no signals before."""
    has, told = dict(state["has"]), {trade: new for trade, new, _ in state["told"]}
    if len(told) != len(state["told"]):
        yield "a trade changed twice"
    if has != told:
        yield f"{len(set(has.items()) ^ set(told.items()))} signals and lines of the history differ"
    ranges = [tuple(map(int, key.split("-"))) for key, in state["notices"]]
    silent = [no for _, _, no in state["told"] if not any(a <= no <= b for a, b in ranges)]
    if silent:
        yield f"{len(silent)} changes without a notice"


class Story:
    """The site before the sweep, made once for each kind of database, and the rules after it."""

    def __init__(self, workshop, kind):
        self.folder, self.kind, self._made = pathlib.Path(workshop.folder), kind, 0
        create = workshop.cluster.create if kind == "postgresql" else None
        self.before = self._site(create)
        self.before.must("migrate")
        self.before.must("members", "import", "members.json")
        self.before.must("backfill", "senate-stock-watcher", "dump.json", "--by", BY)
        self.before.must(*IMPORT)
        site = self._copy()
        site.must("sweep")
        self.facts = site.database.read(FACTS)
        site.close()
        site.database.drop()
        if len(self.facts["signals"]) != FILINGS * ROWS:
            raise RuntimeError(f"unexpected number of signals: {len(self.facts['signals'])}")

    def _folder(self):
        self._made += 1
        folder = self.folder / f"signals-{self.kind}-{self._made}"
        folder.mkdir()
        _write_files(folder)
        return folder

    def _site(self, create):
        folder = self._folder()
        return Site(folder, create("signals_before") if create else Sqlite(folder))

    def _copy(self):
        folder = self._folder()
        return Site(folder, self.before.database.copy_to(folder))

    def points(self):
        counting = Counting(str(self.folder / f"signals-{self.kind}.calls"))
        site = self._copy()
        site.run("sweep", fault=counting)
        site.close()
        site.database.drop()
        most = counting.most()
        return [Point(call, n) for call in CALLS[self.kind]
                for n in range(1, most.get(call, 0) + 1)]

    def run(self, point):
        """Returns the number of trades with a new signal at the kill, or None if nothing was
        killed; raises Damaged."""
        site = self._copy()
        first = site.run("sweep", fault=Fault(point.call, str(point.n)))
        state = site.database.read(STATE)
        wrong = list(_damages(state))
        again = site.must("sweep")[0]
        if len(state["has"]) + again["set"] != FILINGS * ROWS or again["changed"] or again["cleared"]:
            wrong.append(f"{len(state['has'])} were there, and then {again}")
        if site.must("sweep")[0]["set"]:
            wrong.append("a third sweep found something")
        if site.database.read(FACTS) != self.facts:
            wrong.append("the signals are others than without a kill")
        if site.must("check")[0]["findings"]:
            wrong.append("check finds damage")
        site.close()
        site.database.drop()
        if wrong:
            raise Damaged(f"{'; '.join(wrong)}; {first.errors}")
        return len(state["has"]) if first.killed else None


def some(story, each):
    """Returns that many points of each call, evenly distributed, and the same points each time."""
    by_call = [[point for point in story.points() if point.call == call]
               for call in CALLS[story.kind]]
    return [points[(2 * i + 1) * len(points) // (2 * each)] for points in by_call
            for i in range(each)]

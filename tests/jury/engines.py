#!/usr/bin/env python3
"""tests/jury/engines.py DATABASE: the flags of the public engines of engines.csv beside those of
the program, for each trade of 2019 or later in a swept SQLite database of real trades whose symbol
has an industry. Writes engine_differences.csv, with one word for each kind of difference."""
import collections
import csv
import datetime
import json
import pathlib
import sqlite3
import sys

DATA, JURY = pathlib.Path("data"), pathlib.Path("tests/jury")
NEWEST = {"capitoltraders", "uniquetrades"}  # they judge by the member's newest committees
HEAD = ("engine,difference,rows,share_percent,example_bioguide,example_symbol,example_day,industry,"
        "their_committees,our_grade,our_committees,document,row").split(",")
TRADES = """
SELECT m.id, fi.chamber, fi.source_doc_id, t.position, t.ticker, t.trade_day, e.evidence
FROM trade t JOIN filing fi ON fi.no = t.filing_no JOIN member m ON m.no = fi.member_no
    LEFT JOIN trade_finding x ON x.trade_no = t.no LEFT JOIN finding e ON e.no = x.finding_no
WHERE t.withdrawn_at IS NULL AND t.ticker IS NOT NULL AND t.trade_day IS NOT NULL ORDER BY t.id"""


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def industry_of():
    lines = collections.defaultdict(list)
    for line in rows(DATA / "symbol_industries.csv"):
        lines[line["symbol"]].append(line)

    def find(symbol, day):
        for line in lines[symbol.replace("-", ".").replace("/", ".")]:
            if line["from"] <= day and (not line["to"] or day <= line["to"]):
                return line["industry"]
        return None
    return find


def congress(day):
    return (int(day[:4]) - (day[5:] < "01-03") - 1789) // 2 + 1


def seats():
    """The full committees of each member in each Congress; a subcommittee counts as its parent. A
    list of January or February may still show the Congress before."""
    held = collections.defaultdict(lambda: collections.defaultdict(set))
    for line in rows(DATA / "seats.csv"):
        end = line["seen_to"] or "9999-12-31"
        last = min(congress(end), 119) - (end[5:] < "03-01" and int(end[:4]) % 2)
        for n in range(congress(line["seen_from"]), last + 1):
            held[line["bioguide"]][n].add(line["committee"][:4])
    return held


class Engine:
    def __init__(self, line, rules, sectors):
        self.name, self.chambers, self.sectors = line["engine"], line["chambers"], sectors
        self.rules = [rule for rule in rules if rule["engine"] == self.name]
        self.taxonomy = self.rules[0]["taxonomy"]

    def place(self, industry):
        line = self.sectors[industry]
        return line[f"{self.taxonomy}_sector"], line.get(f"{self.taxonomy}_industry", "")

    def hits(self, rule, industry):
        """uniquetrades asks for the sector or the industry, the others for what the rule has."""
        ours, theirs = self.place(industry), (rule["sector"], rule["industry"])
        same = [a == b for a, b in zip(theirs, ours) if a]
        return any(same) if self.name == "uniquetrades" else bool(same) and all(same)

    def flags(self, industry, committees):
        return {rule["committee"] for rule in self.rules
                if rule["committee"] in committees and self.hits(rule, industry)}

    def missed(self, evidence, theirs):
        """Why the engine has no flag where the program has one."""
        best = [line for line, seat in zip(evidence["mapEntry"]["committees"],
                                           evidence["committees"])
                if seat["grade"] == evidence["grade"]]
        grounds, kind = {line["ground"] for line in best}, evidence["industries"][0]["kind"]
        parents = {line["id"][:4] for line in best}
        if kind in ("sector", "asset"):
            return "fund"
        for ground in ("act", "appropriations", "part"):
            if grounds == {ground}:
                return ground
        if kind == "secondary":
            return "secondary"
        if grounds == {"panel"}:
            return "panel_only" if all(len(line["id"]) > 4 for line in best) else "panel"
        if not parents & theirs:
            return "dates"
        mapped = parents & {rule["committee"] for rule in self.rules}
        return "industry_not_mapped" if mapped else "committee_not_mapped"

    def added(self, flagged, industry, overseen):
        """Why the engine has a flag where the program has none."""
        if not flagged:
            return "dates"
        near = {i for i in self.sectors if self.place(i)[0] == self.place(industry)[0]}
        return "coarse_sector" if any(overseen[c] & near for c in flagged) else "wider_mandate"


def compare(database, engines, overseen):
    """Gives engine, word and the columns of an example, for each trade and engine."""
    find, held = industry_of(), seats()
    for member, chamber, document, row, symbol, day, evidence in database.execute(TRADES):
        day = str(datetime.date(1970, 1, 1) + datetime.timedelta(day))
        industry = find(symbol, day)
        if not industry or day < "2019-01-03":
            continue
        ours = json.loads(evidence) if evidence else None
        today, newest = held[member][congress(day)], held[member][max(held[member])]
        for engine in engines:
            if chamber.capitalize() not in engine.chambers:
                continue
            theirs = newest if engine.name in NEWEST else today
            flagged = engine.flags(industry, theirs)
            if ours:
                word = "agree_flag" if flagged else engine.missed(ours, theirs)
            else:
                word = (engine.added(flagged & today, industry, overseen) if flagged
                        else "agree_none")
            seat_ids = " ".join(sorted(seat["id"] for seat in ours["committees"])) if ours else ""
            yield engine.name, word, [
                member, symbol, day, industry, " ".join(sorted(flagged)),
                ours["grade"] if ours else "none", seat_ids, document, row]


def main(path):
    sectors = {line["industry"]: line for line in rows(JURY / "engine_industries.csv")}
    rules = rows(JURY / "engine_rules.csv")
    engines = [Engine(line, rules, sectors) for line in rows(JURY / "engines.csv")]
    overseen = collections.defaultdict(set)
    for line in rows(DATA / "committee_industries.csv"):
        overseen[line["committee"][:4]].add(line["industry"])
    counts, totals, examples = collections.Counter(), collections.Counter(), {}
    for name, word, example in compare(sqlite3.connect(path), engines, overseen):
        counts[name, word] += 1
        totals[name] += 1
        examples.setdefault((name, word), example)
    with open(JURY / "engine_differences.csv", "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(HEAD)
        for (name, word), n in sorted(counts.items()):
            out.writerow([name, word, n, f"{100 * n / totals[name]:.1f}", *examples[name, word]])
    for name, n in totals.items():
        agreed = counts[name, "agree_flag"] + counts[name, "agree_none"]
        print(f"{name}: {n} trades, {100 * agreed / n:.1f} % agree")


if __name__ == "__main__":
    main(sys.argv[1])

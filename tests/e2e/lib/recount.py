#!/usr/bin/env python3
"""recount.py DATA ANSWERS: counts again, from the official documents of the folder DATA, what a server
said in the file ANSWERS, and prints {"counts", "findings"} as JSON.

It shares no code and no rule with the program: what it knows of lateness, seats and indexes is written
here again, in another language. ANSWERS is JSON: day (of the server's clock), ingested (ids of all
reports that were imported), history (whether the bulk history was) and the API's lists trades (with
fields=dates), filings and politicians.
"""
import collections
import datetime
import glob
import html
import json
import os
import re
import sys
import unicodedata
import zipfile


def day_of(text):
    """Of "1/31/2024", or None for what is no day."""
    found = re.match(r"\s*(\d+)/(\d+)/(\d{4})", text or "")
    try:
        return datetime.date(int(found[3]), int(found[1]), int(found[2])) if found else None
    except ValueError:
        return None


def folded(text):
    plain = unicodedata.normalize("NFKD", text)
    plain = "".join(c for c in plain if not unicodedata.combining(c)).lower()
    return re.sub(r"[^a-z]+", " ", plain).strip()


def text_of(markup):
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", markup)).split())


# --- what the documents say: filing -> {filed, amendment, rows: number -> (traded, notified)}


def senate_page(page):
    def first(pattern):
        found = re.search(pattern, page, re.DOTALL)
        return text_of(found[0]) if found else ""

    rows = re.findall(r"<tr.*?</tr>", page[page.find("<tbody") :], re.DOTALL)
    cells = [[text_of(c) for c in re.findall(r"<td.*?</td>", row, re.DOTALL)] for row in rows]
    return {
        "filed": day_of(re.search(r"Filed\s+([\d/]+)", page)[1]),
        "amendment": "Amendment" in first(r"<h1.*?</h1>"),
        "filer": first(r'<h2 class="filedReport".*?</h2>'),
        "rows": {int(row[0]): (day_of(row[1]), None) for row in cells if len(row) == 9},
    }


def read_reports(data):
    reports = {}
    pages = glob.glob(f"{data}/senate/ptr-html/*.html") + glob.glob(f"{data}/failing/*.html")
    for name in pages:
        with open(name, encoding="utf-8", errors="replace") as file:
            reports["senate-" + os.path.basename(name)[: -len(".html")]] = senate_page(file.read())
    with open(f"{data}/house/ptr-rows.json", encoding="utf-8") as file:
        for report in json.load(file):
            rows = [(day_of(row["date"]), day_of(row["notified"])) for row in report["rows"]]
            reports["house-" + report["doc_id"]] = {
                "filed": day_of(report["filed"]),
                "amendment": False,
                "rows": dict(enumerate(rows, 1)),
            }
    return reports


def read_history(data):
    """Filing -> {filed, name, paper}; the rows of the bulk history are not used."""
    filings = {}
    with open(f"{data}/senate/stock-watcher/all_daily_summaries.json", encoding="utf-8") as file:
        for report in json.load(file):
            found = re.search(r"/(ptr|paper)/([0-9a-f]{8}-[0-9a-f-]{27})/", report["ptr_link"].lower())
            if found:
                filings["senate-" + found[2]] = {
                    "filed": day_of(report["date_recieved"]),
                    "name": (report["last_name"], report["first_name"]),
                    "paper": found[1] == "paper",
                }
    return filings


def check_lateness(reports, history, trades, tell):
    counts = collections.Counter()
    for trade in trades:
        filing, number = trade["id"][:-5], int(trade["id"][-4:])
        dates, report = trade["dates"], reports.get(filing)
        filed = (report or history[filing])["filed"]
        status = dates["lateStatus"]
        counts[status] += 1
        if dates["filedOn"] != str(filed):
            tell("filed", trade["id"], dates["filedOn"], str(filed))
        if report and report["amendment"]:
            counts["of amendments " + status] += 1
            if dates["lateReason"] == "original_missing" and dates["daysLate"] is not None:
                tell("days late of a row without its original", trade["id"])
            continue
        traded = trade["tradeDate"] and datetime.date.fromisoformat(trade["tradeDate"])
        _, notified = report["rows"].get(number, (None, None)) if report else (None, None)
        doubted = not traded or traded > filed or (filed - traded).days > 3650
        if notified:
            doubted = doubted or notified < traded or notified > filed
        if doubted:
            if status != "unknown" or dates["dueDate"] and traded:
                tell("derived from a doubted date", trade["id"], dates)
            continue
        limits = [traded + datetime.timedelta(45)]
        limits += [notified + datetime.timedelta(30)] if notified else []
        due = min(limits)
        right = {
            "lateStatus": "late" if filed > due else "on_time",
            "dueDate": str(due),
            "daysLate": max(0, (filed - due).days),
            "daysToReport": (filed - traded).days,
        }
        said = {name: dates[name] for name in right}
        counts["known"] += 1
        if said != right:
            tell("lateness", trade["id"], said, right)
    return counts


# --- who sits


def read_people(data):
    """The lists of sitting and of former members; each person has the folded last names too."""
    names = ["legislators-current.json", "history/former-members-since-2012.json"]
    people = []
    for name in names:
        with open(f"{data}/congress-legislators/{name}", encoding="utf-8") as file:
            people.append(json.load(file))
        for p in people[-1]:
            p["names"] = [p["name"]] + p.get("other_names", [])
            p["lasts"] = {folded(n["last"]) for n in p["names"] if "last" in n}
    return people


def check_office(sitting, politicians, today, tell):
    right = {p["id"]["bioguide"] for p in sitting if p["terms"][-1]["end"] > today}
    said = {p["id"] for p in politicians if p["inOffice"]}
    for one in right ^ said:
        tell("in office", one, one in said, one in right)
    seats = collections.defaultdict(list)
    for p in politicians:
        if not p["inOffice"] and p["committees"]:
            tell("seats of today of a member who left", p["id"])
        for stretch in p["service"]:
            if stretch["chamber"] == "senate":
                end = stretch["to"] or "9999-12-31"
                seats[p["state"]].append((stretch["from"], end, p["id"]))
    day, days = datetime.date(2012, 11, 9), 0
    while str(day) <= today:
        for state, stretches in seats.items():
            holders = [who for start, end, who in stretches if start <= str(day) < end]
            if len(holders) > 2:
                tell("more than two senators", state, str(day), holders)
        day += datetime.timedelta(1)
        days += 1
    return {"inOffice": len(said), "days": days, "states": len(seats)}


# --- what is known and not published


def index_rows(data):
    for name in sorted(glob.glob(f"{data}/house/index/*FD.zip")):
        with zipfile.ZipFile(name) as file:
            text = file.read(os.path.basename(name).replace(".zip", ".txt")).decode("utf-8-sig")
        for line in text.split("\r\n")[1:]:
            cells = line.split("\t")
            if len(cells) > 8 and cells[4] == "P":
                yield cells[1], cells[2], cells[5], day_of(cells[7]), cells[8]
    for name in glob.glob(f"{data}/house/index/*FD.xml"):
        with open(name, encoding="utf-8-sig") as file:
            for element in file.read().split("<Member>")[1:]:
                cell = dict(re.findall(r"<(\w+)>([^<]*)</", element))
                if cell["FilingType"] == "P":
                    first = html.unescape(cell.get("First", ""))
                    last = html.unescape(cell["Last"])
                    day = day_of(cell["FilingDate"])
                    yield last, first, cell["StateDst"], day, cell["DocID"]


def filer_name(heading):
    """Last and first name of "The Honorable Dana Hollis (Hollis, Dana)" or "Mrs. Dana Hollis"."""
    found = re.search(r"\(([^,]+), ([^)]+)", heading)
    words = re.sub(r"\(.*|^The Honorable|^M\w+\.", "", heading).split()
    return (found[1], found[2]) if found else (words[-1], words[0])


def members_named(people, kind, place, last, first, day):
    """Those of the last name who served then, or until a year before; if there are more, those of the
    first name, else of the district."""
    found, last = {}, folded(last)
    for p in people:
        if not any(last == n or last in n.split() or n in last for n in p["lasts"]):
            continue
        for term in p["terms"]:
            end = datetime.date.fromisoformat(term["end"]) + datetime.timedelta(366)
            in_place = not place or term["state"] == place[:2]
            if term["type"] == kind and in_place and term["start"] <= str(day) <= str(end):
                given = [n.get(part) for n in p["names"] for part in ("first", "nickname", "middle")]
                seat = f"{term['state']}{term.get('district', 0):02}"
                found[p["id"]["bioguide"]] = {folded(g)[:3] for g in given if g} | {seat}
    for word in (folded(first)[:3], place):
        fitting = [who for who, words in found.items() if word in words]
        if len(found) > 1 and len(fitting) == 1:
            return fitting
    return list(found)


def check_waiting(data, people, reports, history, answers, tell):
    published = {f["id"] for f in answers["filings"]}
    indexed, waiting = collections.defaultdict(set), collections.defaultdict(set)
    unmatched = 0
    seen = set()
    for last, first, place, day, number in index_rows(data):
        if number in seen:
            continue
        seen.add(number)
        who = members_named(people, "rep", place, last, first, day)
        unmatched += len(who) != 1
        if len(who) == 1:
            indexed[who[0]].add("house-" + number)
    senate = {}  # what was imported: the name of the filer, and the day
    for filing in answers["ingested"]:
        if filing.startswith("senate-") and filing in reports:
            senate[filing] = *filer_name(reports[filing]["filer"]), reports[filing]["filed"]
    for filing, report in history.items():
        if answers["history"] and report["paper"]:
            senate[filing] = *report["name"], report["filed"]
    for filing, (last, first, day) in senate.items():
        who = members_named(people, "sen", None, last, first, day)
        if len(who) == 1:
            waiting[who[0]].add(filing)
    for p in answers["politicians"]:
        right = len(indexed[p["id"]])
        if (p["counts"]["indexed"] or 0) != right:
            tell("indexed", p["id"], p["counts"]["indexed"], right)
        known = (indexed[p["id"]] | waiting[p["id"]]) - published
        if p["counts"]["waiting"] != len(known):
            tell("waiting", p["id"], p["counts"]["waiting"], len(known))
    return {
        "indexed": len(seen),
        "unmatched": unmatched,
        "waitingSenate": sum(len(w - published) for w in waiting.values()),
    }


def main():
    data, name = sys.argv[1:]
    findings = []
    with open(name, encoding="utf-8") as file:
        answers = json.load(file)
    reports, people = read_reports(data), read_people(data)

    def tell(*what):
        findings.append([str(one) for one in what])

    history = read_history(data)
    counts = dict(check_lateness(reports, history, answers["trades"], tell))
    counts |= check_office(people[0], answers["politicians"], answers["day"], tell)
    counts |= check_waiting(data, people[0] + people[1], reports, history, answers, tell)
    json.dump({"counts": counts, "findings": findings}, sys.stdout)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""bench/scans.py: how well scans are read, on the shared scans and their transcribed rows.

usage: scans.py SCAN_PAGE [--only ID] [--turn N] [--skew DEGREES] [--worse NAME]
                [--ways [--way NAME]] [--senate] [--no-text] [--show] [--jobs N] [--every N]
                [--keep FOLDER]

SCAN_PAGE is bench/scan_page of a build. Needs pdftoppm and tesseract, ../shared/data (or
STOCKACT_SHARED), and tests/data/scans/house-scans.json. Prints, by kind of form: rows, rows that
were found, rows that are not there, and for each field how many were read right, wrong and not at
all. --show names every difference. --ways turns, skews and spoils the pages in every way, and prints
a line for each, with typed and handwritten dates apart. "told" are pages that say that a line was
left out.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHARED = pathlib.Path(os.environ.get("STOCKACT_SHARED", ROOT.parent / "shared"))
TRUTH = ROOT / "tests/data/scans/house-scans.json"
AMOUNTS = {
    "A": "$1,001 - $15,000",
    "B": "$15,001 - $50,000",
    "C": "$50,001 - $100,000",
    "D": "$100,001 - $250,000",
    "E": "$250,001 - $500,000",
    "F": "$500,001 - $1,000,000",
    "G": "$1,000,001 - $5,000,000",
    "H": "$5,000,001 - $25,000,000",
    "I": "$25,000,001 - $50,000,000",
    "J": "Over $50,000,000",
    "K": "Spouse/DC Over $1,000,000",
}
SIDES = {"purchase": "P", "sale": "S", "partial sale": "S (partial)", "exchange": "E"}
TESSERACT = ["--dpi", "300", "--psm", "6", "-c", "tessedit_create_tsv=1"]
FIELDS = ["type", "amount", "date", "notified", "owner", "asset", "unsure"]
UNSURE = "unsure"  # assets that were read with a doubt; the others are "asset"
WITHOUT_FORM = {"letter", "print"}  # lines of text, which are counted apart


def day(text):
    """ "4/7/21" as "04/07/2021"; None: it is no date."""
    m = re.fullmatch(r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{2}|\d{4})", (text or "").replace(" ", ""))
    return m and f"{int(m[1]):02}/{int(m[2]):02}/{int(m[3]) % 100 + 2000:04}"


def plain(text):
    """Letters and digits only, for names that differ in blanks and points."""
    return re.sub(r"[^a-z0-9]", "", (text or "").lower())


def house_pages():
    for document in json.loads(TRUTH.read_text())["documents"]:
        pdf = next((SHARED / "data/house").glob(f"scanned-pdf*/{document['id']}.pdf"), None)
        for page in document["pages"]:
            rows = [
                {
                    "owner": r[1],
                    "asset": r[2],
                    "type": SIDES.get(r[3]),
                    "amount": AMOUNTS.get(r[4]),
                    "date": day(r[5]),
                    "notified": day(r[6]),
                }
                for r in page["rows"]
            ]
            kind = f"{page['form']}, {page['how']}" if page["rows"] else page["form"]
            yield {
                "pdf": pdf,
                "id": document["id"],
                "page": page["page"],
                "turn": page["turn"],
                "kind": kind,
                "rows": rows,
            }


def senate_pages():
    folder = SHARED / "data/senate"
    owners = {"Spouse": "Spouse", "Joint": "Joint", "Dependent child": "Child"}
    for filing in json.loads((folder / "paper-rows.json").read_text()):
        rows = [
            {
                "owner": owners.get(r["owner"]),
                "asset": r["asset"],
                "type": r["type"],
                "amount": r["amount"],
                "date": "{1}/{2}/{0}".format(*r["date"].split("-")) if r["date"] else None,
                "notified": None,
            }
            for r in filing["rows"]
        ]
        yield {
            "pdf": folder / f"paper-pdf/{filing['id']}.pdf",
            "id": filing["id"][:8],
            "page": None,
            "turn": None,
            "kind": "senate",
            "rows": rows,
        }


def table_of(options, sheet):
    """What tesseract reads on the sheet: a file. The same sheet is read once per kept folder."""
    digest = hashlib.sha256(sheet.read_bytes()).hexdigest()
    table = pathlib.Path(options.keep or sheet.parent) / f"{digest[:32]}.tsv"
    if not table.exists():
        part = sheet.with_suffix(".part")
        with part.open("wb") as out:
            subprocess.run(
                ["tesseract", sheet, "-", *TESSERACT],
                stdout=out,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "OMP_THREAD_LIMIT": "1"},
                check=True,
            )
        shutil.move(part, table)
    return table


def read_page(options, folder, pdf, page):
    base = folder / f"{pdf.stem}-{page}"
    picture = pathlib.Path(options.keep or folder) / f"{pdf.stem}-{page}.pgm"
    size = ["-r", "200"] if not options.senate else ["-scale-to", "2200"]
    number = ["-f", str(page), "-l", str(page), "-singlefile"]
    if not picture.exists():
        out = picture.with_suffix("")
        subprocess.run(["pdftoppm", "-q", "-gray", *size, *number, pdf, out], check=True)
    worse = [a for name in ("turn", "skew", "worse") if getattr(options, name)
             for a in (f"--{name}", str(getattr(options, name)))]
    command = [options.scan_page, picture, *worse]
    tsv = []
    if not options.no_text:
        sheet = base.with_suffix(".sheet.pgm")
        subprocess.run([*command, "--sheet", sheet], check=True, capture_output=True)
        if sheet.stat().st_size:
            tsv = ["--tsv", table_of(options, sheet)]
    answer = subprocess.run([*command, *tsv], check=True, capture_output=True, text=True)
    if not options.keep:
        picture.unlink()
    return [json.loads(line) for line in answer.stdout.splitlines()]


def unlike(want, got):
    """How unlike two rows are, for the alignment."""
    cost = 0
    for field, weight in (("type", 1), ("amount", 1), ("date", 2), ("notified", 1)):
        value = got[field][0]
        cost += weight if value is not None and value != want[field] else 0
    name = plain(got["asset"][0])[:6]
    return cost + (2 if name and name != plain(want["asset"])[:6] else 0)


def align(want, got):
    """Pairs of (row, row found); None stands for a row that the other side lacks."""
    skip = 2.6
    n, m = len(want), len(got)
    best = [[(0, None)] * (m + 1) for _ in range(n + 1)]
    for i in range(n + 1):
        for j in range(m + 1):
            if i == j == 0:
                continue
            ways = []
            if i:
                ways.append((best[i - 1][j][0] + skip, "missed"))
            if j:
                ways.append((best[i][j - 1][0] + skip, "made up"))
            if i and j:
                ways.append((best[i - 1][j - 1][0] + unlike(want[i - 1], got[j - 1]), "pair"))
            best[i][j] = min(ways)
    pairs, i, j = [], n, m
    while i or j:
        way = best[i][j][1]
        i, j = i - (way != "made up"), j - (way != "missed")
        pairs.append((want[i] if way != "made up" else None, got[j] if way != "missed" else None))
    return pairs[::-1]


def judge(field, want, got):
    value = got[field][0]
    if value is None:
        return "none" if want[field] is None else "not read"
    if field == "asset":
        return "right" if plain(value) == plain(want["asset"]).removesuffix("…") else "wrong"
    return "right" if value == want[field] else "wrong"


def run(options, page, folder):
    pages = [page["page"]]
    if page["page"] is None:
        info = subprocess.run(["pdfinfo", page["pdf"]], capture_output=True, text=True).stdout
        pages = range(1, int(re.search(r"Pages:\s+(\d+)", info)[1]) + 1)
    head, rows = None, []
    for number in pages:
        answer = read_page(options, folder, page["pdf"], number)
        head = answer[0] if head is None or answer[0]["form"] else head
        rows += answer[1:]
    return page, head, rows


NUMBERS = ["pages", "form", "turn", "rows", "found", "extra", "told"]
RESULTS = ("right", "wrong", "not read", "none")

# What is done to the pages: name in the table, options.
WAYS = [
    ("as scanned", {}),
    *[(f"turned by {turn} degrees", {"turn": turn}) for turn in (90, 180, 270)],
    *[(f"skewed by {skew:+d} degrees", {"skew": skew}) for skew in (1, -1, 3, -3)],
    ("2 of 100 dots inverted", {"worse": "noise"}),
    ("out of focus", {"worse": "blur"}),
    ("JPEG of low quality", {"worse": "jpeg"}),
    ("100 dots per inch", {"worse": "half"}),
    ("fax of 100 dots per inch", {"worse": "fax"}),
    ("pale photocopy", {"worse": "light"}),
    ("dark photocopy", {"worse": "dark"}),
]


def count_page(options, page, head, rows, total, notes):
    name = f"{page['id']} page {page['page']}"
    total["pages"] += 1
    total["form"] += 1 if head["form"] else 0
    turn = None if page["turn"] is None else (page["turn"] - (options.turn or 0)) % 360
    total["turn"] += 1 if head["form"] and turn in (None, head["turn"]) else 0
    if head["form"] and head["reason"]:
        total["told"] += 1
        notes.append(f"{name} ({page['kind']}): {head['reason']}")
    if not head["form"] and page["rows"]:
        notes.append(f"{name} ({page['kind']}): no form, {len(page['rows'])} rows")
    for want, got in align(page["rows"], rows):
        if want is None:
            total["extra"] += 1
            notes.append(f"{name} ({page['kind']}): made up {json.dumps(got)}")
            continue
        total["rows"] += 1
        if got is None:
            notes.append(f"{name} ({page['kind']}): missed {json.dumps(want)}")
            continue
        total["found"] += 1
        for field in FIELDS[:-1]:
            result = judge(field, want, got)
            unsure = field == "asset" and got[field][0] is not None and got[field][2]
            total[f"{UNSURE if unsure else field} {result}"] += 1
            if result == "wrong" or (result == "not read" and field in ("type", "amount")):
                notes.append(
                    f"{name} ({page['kind']}): {field} {result}: {got[field]}, "
                    f"not {want[field]!r}; {want['asset']}"
                )


def measure(options, pages):
    """Totals by kind of form, and a line for each difference."""
    totals, notes = {}, []
    with (
        tempfile.TemporaryDirectory() as folder,
        concurrent.futures.ThreadPoolExecutor(options.jobs) as pool,
    ):
        for page, head, rows in pool.map(lambda p: run(options, p, pathlib.Path(folder)), pages):
            empty = dict.fromkeys(NUMBERS + [f"{f} {k}" for f in FIELDS for k in RESULTS], 0)
            total = totals.setdefault(page["kind"], empty)
            count_page(options, page, head, rows, total, notes)
    read = [t for n, t in totals.items() if n.split(",")[0] not in WITHOUT_FORM]
    totals["all forms"] = {k: sum(t[k] for t in read) for k in read[0]}
    return totals, notes


def marks_of(t):
    return [f"{t[f + ' right']}/{t[f + ' wrong']}/{t[f + ' not read']}" for f in FIELDS]


def print_kinds(totals):
    heads = [f"{n:>7}" for n in NUMBERS] + [f"{f + ' r/w/-':>15}" for f in FIELDS]
    print(f"{'form':20}" + "".join(heads))
    for kind, t in sorted(totals.items(), key=lambda item: (item[0] == "all forms", item[0])):
        counts = [f"{t[n]:7}" for n in NUMBERS]
        print(f"{kind:20}" + "".join(counts) + "".join(f"{m:>15}" for m in marks_of(t)))


def dates_of(totals, how):
    """Dates of all forms that are typed, or handwritten: right/wrong/not read."""
    read = [t for n, t in totals.items() if n.split(",")[0] not in WITHOUT_FORM and how in n]
    return "/".join(
        str(sum(t[f"{f} {result}"] for t in read for f in ("date", "notified")))
        for result in RESULTS[:3]
    )


def print_ways(options, pages):
    """A table in Markdown, a line for each way in which the pages are worse."""
    heads = ["rows found", "too many", "told", "types", "amounts", "typed dates"]
    heads += ["handwritten dates", "owners", "names", "names not sure"]
    print("| pages | " + " | ".join(heads) + " |")
    print("|---" * (1 + len(heads)) + "|")
    for name, way in WAYS:
        if options.way and options.way not in name:
            continue
        totals = measure(argparse.Namespace(**{**vars(options), **way}), pages)[0]
        total = totals["all forms"]
        marks = dict(zip(FIELDS, marks_of(total)))
        cells = [f"{total['found']} of {total['rows']}", str(total["extra"]), str(total["told"])]
        cells += [marks["type"], marks["amount"], dates_of(totals, "typed")]
        cells += [dates_of(totals, "handwritten")]
        cells += [marks["owner"], marks["asset"], marks[UNSURE]]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("scan_page")
    parser.add_argument("--only")
    parser.add_argument("--turn", type=int)
    parser.add_argument("--skew", type=float)
    parser.add_argument("--worse", help="a kind of tests/unit/worse_page.h")
    parser.add_argument("--ways", action="store_true", help="all of them, as a table")
    parser.add_argument("--way", help="with --ways: only those with this in their name")
    parser.add_argument("--senate", action="store_true")
    parser.add_argument("--no-text", action="store_true")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", help="a folder that keeps pictures and texts for the next run")
    parser.add_argument("--every", type=int, default=1, help="each so many pages only")
    options = parser.parse_args()
    pages = list(senate_pages() if options.senate else house_pages())
    only = options.only.split(",") if options.only else None
    pages = [p for p in pages if p["pdf"] and (not only or p["id"] in only)][:: options.every]
    if options.ways:
        print_ways(options, pages)
        return 0
    totals, notes = measure(options, pages)
    if options.show:
        print("\n".join(notes))
    print_kinds(totals)
    return 0


sys.exit(main())

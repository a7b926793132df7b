"""readers.py FOLDER: opens the files of a snapshot as researchers do, and prints as JSON what each
reader got: Python's own gzip, csv, json and sqlite3, and pandas if it is installed. It shares no
code with the program."""
import csv
import gzip
import json
import pathlib
import sqlite3
import sys

folder = pathlib.Path(sys.argv[1])
package = json.loads((folder / "datapackage.json").read_text())
resources = {resource["name"]: resource for resource in package["resources"]}
fields = {field["name"]: field for field in resources["trades-csv"]["schema"]["fields"]}
texts = [name for name, field in fields.items() if field["type"] == "string"]


def of_csv():
    with gzip.open(folder / "trades.csv.gz", "rt", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, restkey="more", strict=True))
    assert all("more" not in row and None not in row.values() for row in rows)
    for row in rows:
        for name, value in row.items():
            field = fields[name]
            assert value or not field["constraints"]["required"], (name, "is empty")
            assert not value or field["type"] != "integer" or str(int(value)) == value, (name, value)
            allowed = field["constraints"].get("enum")
            assert not value or not allowed or value in allowed, (name, value)
    return [[row[name] for name in texts] for row in rows]


def of_json():
    with gzip.open(folder / "trades.jsonl.gz", "rt", encoding="utf-8") as file:
        return [json.loads(line)["id"] for line in file]


def of_sqlite():
    """As Datasette shows it: facets and descriptions by its metadata, labels through foreign keys."""
    about = json.loads((folder / "datasette.json").read_text())["databases"]["stockact"]["tables"]
    db = sqlite3.connect(f"file:{folder / 'stockact.sqlite'}?mode=ro&immutable=1", uri=True)
    facets = {}
    for name in about["trades"]["facets"]:
        counts = f'select "{name}", count(*) from trades group by 1 order by 1'
        facets[name] = dict(row for row in db.execute(counts))
    joins = "select count(*) from trades t"
    for key in db.execute("pragma foreign_key_list(trades)").fetchall():
        joins += f' join "{key[2]}" k{key[0]} on k{key[0]}."{key[4] or "id"}" = t."{key[3]}"'
    missing = {
        table: [
            column
            for column in about[table]["columns"]
            if column not in [row[1] for row in db.execute(f'pragma table_info("{table}")')]
        ]
        for table in about
    }
    names = ", ".join(f'coalesce("{name}", \'\')' for name in texts)
    return {
        "rows": [list(row) for row in db.execute(f"select {names} from trades order by rowid")],
        "joined": db.execute(joins).fetchone()[0],
        "facets": {name: sum(counts.values()) for name, counts in facets.items()},
        "values": {name: len(counts) for name, counts in facets.items()},
        "missing": {table: names for table, names in missing.items() if names},
    }


def of_pandas():
    import pandas

    # texts as the dictionary has them: "4.750" is no number, and "NA" no missing value
    types = {name: str for name in texts}
    flat = pandas.read_csv(
        folder / "trades.csv.gz", dtype=types, keep_default_na=False, na_values=[""]
    )
    for name, field in fields.items():
        if field["type"] in ("integer", "number") and flat[name].notna().any():
            assert pandas.api.types.is_numeric_dtype(flat[name]), name
        if field["type"] in ("date", "datetime"):
            pandas.to_datetime(flat[name])
    lines = pandas.read_json(folder / "trades.jsonl.gz", lines=True)
    assert list(lines["id"]) == list(flat["id"])
    return [["" if value != value else str(value) for value in row] for row in flat[texts].values]


answer = {"csv": of_csv(), "json": of_json(), "sqlite": of_sqlite()}
if "--pandas" in sys.argv:
    answer["pandas"] = of_pandas()
print(json.dumps({"texts": texts, **answer}))

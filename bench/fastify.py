"""The same API in Fastify on PostgreSQL, with our server's trades. Both run on the server's core."""
import csv
import hashlib
import json
import pathlib
import shutil
import subprocess

import companions
import machine

SOURCE = pathlib.Path(__file__).with_name("fastify")
UNLIMITED = 2_000_000_000
TRADE = ("id", "ticker", "assetName", "assetType", "side", "amountBucket", "tradeDate",
         "disclosedAt", "filingUrl", "ownerType", "conflictSignal", "conflictReason")


def write_rows(folder, server):
    """Writes our server's whole feed to the files that schema.sql loads."""
    members = {}
    with open(folder / "trades.csv", "w", newline="") as file:
        rows = csv.writer(file)
        cursor = ""
        while cursor is not None:
            query = f"&cursor={cursor}" if cursor else ""
            page = json.loads(server.get(f"/api/v1/trades?limit=100{query}", server.keyed())[1])
            for trade in page["data"]:
                member = trade["politician"]
                members[member["slug"]] = [member[f] for f in ("slug", "name", "chamber", "party",
                                                               "state")]
                values = [trade[field] for field in TRADE]
                rows.writerow([values[0], member["slug"], *values[1:]])
            cursor = page["nextCursor"]
    with open(folder / "politicians.csv", "w", newline="") as file:
        csv.writer(file).writerows(members.values())


class Fastify:
    """.server is the argument for a load; its CPU time is that of Node and all of PostgreSQL."""

    def __init__(self, postgres, node, server):
        write_rows(postgres.folder, server)
        postgres.psql("-f", str(SOURCE / "schema.sql"))
        digest = hashlib.sha256(server.key.encode()).hexdigest()
        postgres.psql("-c", f"INSERT INTO api_keys VALUES ('\\x{digest}', {UNLIMITED}, "
                      f"{UNLIMITED})")
        self.process = machine.spawn(
            [node, SOURCE / "server.mjs"], stdout=subprocess.PIPE, text=True,
            env={**postgres.env, "NODE_ENV": "production"})
        self.target = "/api/v1/trades"
        port = self.process.stdout.readline()
        if not port:
            raise machine.Failed("Fastify did not start")
        self.server = companions.Companion("Fastify + PostgreSQL", int(port), self.process.pid,
                                           postgres.process.pid)
        _, body = companions.exchange(self.server.port, self.target, server.keyed())
        ours = json.loads(server.get(self.target, server.keyed())[1])
        if json.loads(body)["data"] != ours["data"]:
            raise machine.Failed("Fastify sends another page")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        machine.stop(self.process)


def find_node():
    """The tests' pinned Node if it is installed, otherwise the machine's."""
    pinned = sorted(SOURCE.parent.parent.glob("tests/e2e/node_modules/node-linux-*/bin/node"))
    return pinned[0] if pinned else shutil.which("node")

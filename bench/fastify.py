"""The same API in Fastify on PostgreSQL: a cluster in a temporary folder with our server's trades.
Both run on the server's core."""
import csv
import glob
import hashlib
import json
import os
import pathlib
import pwd
import shutil
import subprocess
import time

import companions
import machine

SOURCE = pathlib.Path(__file__).with_name("fastify")
START_SECONDS = 30
UNLIMITED = 2_000_000_000
TRADE = ("id", "ticker", "assetName", "assetType", "side", "amountBucket", "tradeDate",
         "disclosedAt", "filingUrl", "ownerType", "conflictSignal", "conflictReason")


def programs():
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
    if not found:
        raise machine.Failed("PostgreSQL is not installed")
    return pathlib.Path(found[-1])


def owner():
    """PostgreSQL does not run as root: use its own user instead."""
    return {"user": "postgres", "group": "postgres"} if os.geteuid() == 0 else {}


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


class Postgres:
    def __init__(self, folder):
        self.folder = folder
        self.env = {**os.environ, "PGHOST": str(folder), "PGDATABASE": "postgres",
                    "PGUSER": "bench"}
        if owner():
            user = pwd.getpwnam("postgres")
            os.chown(folder, user.pw_uid, user.pw_gid)
            os.chmod(folder.parent, 0o711)
        subprocess.run([programs() / "initdb", "-D", folder / "data", "-U", "bench", "-A", "trust",
                        "-E", "UTF8", "--locale=C", "-N"], check=True, capture_output=True,
                       cwd=folder, **owner())
        self.process = machine.spawn(
            [programs() / "postgres", "-D", folder / "data", "-k", folder, "-h", "",
             "-c", "shared_buffers=512MB", "-c", "logging_collector=off"],
            stderr=subprocess.DEVNULL, cwd=folder, **owner())
        deadline = time.monotonic() + START_SECONDS
        while subprocess.run([programs() / "pg_isready", "-q"], env=self.env).returncode:
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise machine.Failed("PostgreSQL did not start")
            time.sleep(0.1)

    def psql(self, *arguments):
        subprocess.run([programs() / "psql", "-qX", "-v", "ON_ERROR_STOP=1", *arguments],
                       env=self.env, cwd=self.folder, check=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        machine.stop(self.process)


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

"""A backlog of webhook deliveries in PostgreSQL, made with SQL, and claims of it."""
import json
import pathlib
import subprocess

import machine
import service
import sizes

ENDPOINTS = sizes.of(500, smoke=50)
CLAIMS = sizes.of(30, smoke=2)  # of 256 deliveries: a cap of 16 for each endpoint ends none of them early
BLOCK_BYTES = 8192

ENDPOINT_ROWS = f"""
INSERT INTO stockact.endpoint (id, account_no, url, secret_sealed, state, failures, created_at,
        changed_at)
    SELECT 'bench-' || n, (SELECT min(no) FROM stockact.account), 'http://127.0.0.1:9/', '\\x00',
        'enabled', 0, 0, 0
    FROM generate_series(1, {ENDPOINTS}) n"""

# Every second event waits for its next attempt tomorrow. The indexes are made again afterwards.
DELIVERY_ROWS = """
SET session_replication_role = replica;
SET search_path = stockact;
CREATE TEMP TABLE made AS SELECT indexdef FROM pg_indexes
    WHERE schemaname = 'stockact' AND tablename = 'delivery'
    AND indexname NOT IN (SELECT conname FROM pg_constraint);
DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT indexname FROM pg_indexes WHERE schemaname = 'stockact'
        AND tablename = 'delivery' AND indexname NOT IN (SELECT conname FROM pg_constraint)
    LOOP EXECUTE 'DROP INDEX ' || name; END LOOP; END $$;
INSERT INTO event (id, type, created_at, body)
    SELECT 'bench-' || n, 'trade.published', 0, '{{}}'
    FROM generate_series({first}, {last}) n;
INSERT INTO delivery (id, event_no, endpoint_no, state, attempts, due_at, created_at)
    SELECT e.id || '-' || p.no, e.no, p.no, 'pending', e.no % 2,
        CAST(extract(epoch FROM now()) * 1000 AS bigint)
            + CASE e.no % 2 WHEN 1 THEN 86400000 ELSE e.no - 10000000 END, 0
    FROM event e, endpoint p
    WHERE p.id LIKE 'bench-%' AND e.id LIKE 'bench-%'
        AND CAST(substr(e.id, 7) AS bigint) BETWEEN {first} AND {last};
DO $$ DECLARE sql text; BEGIN
    FOR sql IN SELECT indexdef FROM made LOOP EXECUTE sql; END LOOP; END $$"""

RELEASE = ("UPDATE stockact.delivery SET due_at = lease_until - 100000000, lease_node = NULL,"
           " lease_until = NULL, attempts = attempts - 1 WHERE lease_node IS NOT NULL")


class Backlog:
    def __init__(self, site):
        self.site, self.events = site, 0
        site.postgres.psql("-c", ENDPOINT_ROWS)

    def grow(self, deliveries):
        first, self.events = self.events + 1, deliveries // ENDPOINTS
        script = pathlib.Path(self.site.folder) / "backlog.sql"
        script.write_text(DELIVERY_ROWS.format(first=first, last=self.events) + ";\n")
        self.site.postgres.psql("-f", str(script))

    def analyze(self):
        self.site.postgres.psql("-c", "VACUUM ANALYZE stockact.delivery")

    def _blocks(self):
        """Blocks of tables and indexes that were looked at, by sessions that have ended."""
        return int(self.site.postgres.value(
            "SELECT blks_hit + blks_read FROM pg_stat_database WHERE datname = 'postgres'"))

    def claim(self):
        """{claimed, p50_ns, blocks, cpu_us}: the last two for each claim."""
        command = [self.site.stand.tool("claims"), self.site.url, str(CLAIMS)]
        blocks, used = self._blocks(), self.site.postgres.ended_cpu_seconds()
        run = machine.spawn(command, core=machine.LOAD_CORE, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)
        told = json.loads(service.finish(run, command))
        told["cpu_us"] = (self.site.postgres.ended_cpu_seconds() - used) * 1e6 / CLAIMS
        told["blocks"] = (self._blocks() - blocks) / CLAIMS
        self.site.postgres.psql("-c", RELEASE)
        return told

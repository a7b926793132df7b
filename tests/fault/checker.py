"""The checker: the rules that a database must satisfy after any fault.

- Nothing acknowledged is lost. Every other operation is there completely or not at all.
- A server starts on the database, responds, and accepts every minted key and no revoked key.
- `stockact check` finds nothing (structure of the file, foreign keys, rules between rows), and the
  rules below find nothing.

A finding is a line of text. A check without findings has passed.
"""
import datetime
import hashlib
import http.client
import json
import os
import time

LOST_SECONDS = 1.0      # of month counts, after a kill (decision 26)
LOST_SECONDS_BUSY = 5.0  # the same, if programs wait for a processor
TAKEN_IN_SECONDS = 60  # no promise: for a running server to apply the change of a killed command
KEYS_ASKED_MAX = 12    # the newest keys, over HTTP; SQL checks all

# Each row is a finding. `stockact check` has more rules.
RULES = {
    "a live publication has not exactly one event":
        "SELECT p.no FROM publication p LEFT JOIN event e ON e.publication_no = p.no"
        " AND e.type = 'trade.published' WHERE p.kind = 'live' GROUP BY p.no, p.trades"
        " HAVING count(e.no) <> CASE WHEN p.trades > 0 THEN 1 ELSE 0 END",
    "an event of a publication has no live publication":
        "SELECT e.id FROM event e LEFT JOIN publication p ON p.no = e.publication_no"
        " WHERE e.type = 'trade.published' AND (p.no IS NULL OR p.kind <> 'live')",
    "an event has no filing":
        "SELECT e.id FROM event e LEFT JOIN filing f ON f.no = e.filing_no WHERE f.no IS NULL",
    "a live publication has no filing":
        "SELECT p.no FROM publication p WHERE p.kind = 'live' AND NOT EXISTS"
        " (SELECT 1 FROM filing f WHERE f.publication_no = p.no)",
    "a publication has no change notice":
        "SELECT p.no FROM publication p WHERE p.kind = 'live' AND NOT EXISTS"
        " (SELECT 1 FROM change c WHERE c.noun = 'trades' AND c.key = CAST(p.no AS TEXT))",
    "a change notice has no publication":
        "SELECT c.seq FROM change c WHERE c.noun = 'trades' AND NOT EXISTS"
        " (SELECT 1 FROM publication p WHERE CAST(p.no AS TEXT) = c.key)",
    "publications are not numbered without a gap":
        "SELECT value FROM counter WHERE name = 'publication'"
        " AND value <> (SELECT count(*) FROM publication)",
    "change notices are not numbered without a gap":
        "SELECT value FROM counter WHERE name = 'change'"
        " AND value <> (SELECT count(*) FROM change)",
    "a filing that is out has no reviewer, time, document or content":
        "SELECT f.id FROM filing f LEFT JOIN document_version v ON v.no = f.document_version_no"
        " WHERE f.state IN ('published', 'amended') AND (f.reviewed_by IS NULL"
        " OR f.reviewed_at IS NULL OR f.published_at IS NULL OR v.no IS NULL)",
    "a trade does not say where it was read":
        "SELECT t.id FROM trade t WHERE t.document_version_no IS NULL OR t.printed IS NULL",
    "a trade is not as its entries in the log say":
        "SELECT t.id FROM trade t LEFT JOIN correction c ON c.trade_id = t.id"
        " AND c.kind IN ('withdrawn', 'reinstated') GROUP BY t.id, t.withdrawn_at"
        " HAVING coalesce(sum(CASE c.kind WHEN 'withdrawn' THEN 1 WHEN 'reinstated' THEN -1 END), 0)"
        " <> CASE WHEN t.withdrawn_at IS NULL THEN 0 ELSE 1 END",
    "a filing is not as its entries in the log say":
        "SELECT f.id FROM filing f LEFT JOIN correction c ON c.filing_id = f.id"
        " AND c.trade_id IS NULL AND c.kind IN ('withdrawn', 'reinstated')"
        " GROUP BY f.id, f.state"
        " HAVING coalesce(sum(CASE c.kind WHEN 'withdrawn' THEN 1 WHEN 'reinstated' THEN -1 END), 0)"
        " <> CASE f.state WHEN 'withdrawn' THEN 1 ELSE 0 END",
    "a trade was withdrawn with a filing that is public":
        "SELECT t.id FROM trade t JOIN filing f ON f.no = t.filing_no"
        " WHERE t.withdrawn_with_filing = 1 AND f.state <> 'withdrawn'",
    "the member of a filing is not the one of its last entry in the log":
        "SELECT f.id FROM filing f JOIN member m ON m.no = f.member_no JOIN correction c"
        " ON c.no = (SELECT max(l.no) FROM correction l WHERE l.filing_id = f.id"
        " AND l.trade_id IS NULL AND l.field = 'politicianId')"
        " WHERE c.new_value <> m.id OR f.member_name <> m.name",
    "the slug of a trade is not the one of its last entry in the log":
        "SELECT t.id FROM trade t JOIN filing f ON f.no = t.filing_no"
        " JOIN member m ON m.no = f.member_no JOIN correction c ON c.no ="
        " (SELECT max(l.no) FROM correction l WHERE l.trade_id = t.id"
        " AND l.field = 'politician.slug') WHERE c.new_value <> m.slug",
    "a filing changed hands and one of its trades did not, or the other way round":
        "SELECT f.id FROM filing f JOIN trade t ON t.filing_no = f.no"
        " WHERE (SELECT count(*) FROM correction c WHERE c.filing_id = f.id"
        " AND c.field = 'politicianId') <> (SELECT count(*) FROM correction c"
        " WHERE c.trade_id = t.id AND c.field = 'politician.slug')",
    "a reinstated or reassigned filing has no change notice":
        "SELECT c.filing_id FROM correction c WHERE c.trade_id IS NULL"
        " AND (c.kind = 'reinstated' OR c.field = 'politicianId') AND NOT EXISTS"
        " (SELECT 1 FROM change n WHERE n.noun = 'filing' AND n.key = c.filing_id)",
    "an entry of the log names a trade or filing that does not exist":
        "SELECT c.no FROM correction c LEFT JOIN trade t ON t.id = c.trade_id"
        " LEFT JOIN filing f ON f.id = c.filing_id WHERE c.kind <> 'backfill'"
        " AND (f.no IS NULL OR (c.trade_id IS NOT NULL AND t.no IS NULL))",
    "a withdrawn trade has no change notice":
        "SELECT t.id FROM trade t JOIN filing f ON f.no = t.filing_no"
        " WHERE t.withdrawn_at IS NOT NULL AND f.state <> 'withdrawn' AND NOT EXISTS"
        " (SELECT 1 FROM change c WHERE c.noun = 'trade' AND c.key = t.id)",
    "a withdrawn filing has public trades":
        "SELECT f.id FROM filing f JOIN trade t ON t.filing_no = f.no"
        " WHERE f.state = 'withdrawn' AND t.withdrawn_at IS NULL",
    "a key has no change notice":
        "SELECT k.id FROM api_key k WHERE NOT EXISTS"
        " (SELECT 1 FROM change c WHERE c.noun = 'key' AND c.key = k.id)",
}

FACTS = {
    "publications": "SELECT no, kind, at, trades FROM publication ORDER BY no",
    "events": "SELECT publication_no, body FROM event WHERE type = 'trade.published'"
              " ORDER BY no",
    "live_trades": "SELECT t.id, t.publication_no, t.disclosed_at, t.withdrawn_at FROM trade t"
                   " JOIN publication p ON p.no = t.publication_no WHERE p.kind = 'live'"
                   " ORDER BY t.id",
    "withdrawn": "SELECT id FROM trade WHERE withdrawn_at IS NOT NULL UNION ALL"
                 " SELECT id FROM filing WHERE state = 'withdrawn'",
    "filers": "SELECT f.id, m.slug FROM filing f JOIN member m ON m.no = f.member_no",
    "accounts": "SELECT email, plan FROM account",
    "keys": "SELECT k.id, k.name, {hex}k.sha256{/hex} AS hash, k.revoked_at, a.email AS email,"
            " k.last_used_at, k.no FROM api_key k JOIN account a ON a.no = k.account_no"
            " ORDER BY k.no",
    "draws": "SELECT {hex}caller{/hex} AS caller, sum(used) AS used FROM month_count"
             " WHERE kind = 'key' GROUP BY caller",
}


class Damaged(Exception):
    """The findings; the text lists them."""


class Checker:
    def __init__(self, site, ledger):
        self.site, self.ledger = site, ledger
        self.findings = []

    def found(self, what, *things):
        self.findings.append(f"{what}: {', '.join(map(str, things))}" if things else what)

    def check(self, server=None):
        """Raises Damaged if there are findings. Sends requests to `server` if given, which keeps
        running. Without it, starts and stops a server, runs `stockact check`, and settles the month
        counts."""
        self.findings = []
        before = self._read()
        self._look(before)
        if server:
            self._wait_until_taken_in(server)
            self._ask(server, before)
        else:
            self._start_and_ask(before)
        if self.findings:
            raise Damaged("\n".join(self.findings))

    # The rows

    def _read(self):
        return self.site.database.read({**RULES, **FACTS})

    def _look(self, facts):
        for rule in RULES:
            if facts[rule]:
                self.found(rule, *(row[0] for row in facts[rule]))
        self._look_at_publications(facts)
        self._look_at_events(facts)
        self._look_at_withdrawals(facts)
        self._look_at_filers(facts)
        self._look_at_plans(facts)
        self._look_at_keys(facts)

    def _look_at_publications(self, facts):
        rows = {no: (at, trades) for no, kind, at, trades in facts["publications"]
                if kind == "live"}
        instants = [rows[no][0] for no in sorted(rows)]
        if any(b <= a for a, b in zip(instants, instants[1:])):
            self.found("disclosedAt of publications does not increase")
        asked = may_be = 0
        for one in self.ledger.of("publish"):
            asked += len(one.answers)
            may_be += one.facts["count"] - len(one.answers)
            for told in one.answers:
                at, trades = rows.get(told["publication"], (None, None))
                if at is None or instant(at) != told["disclosedAt"] or trades != told["trades"]:
                    self.found("an acknowledged publication is lost or altered", told)
        if not asked <= len(rows) <= asked + may_be:
            self.found(f"{len(rows)} publications, {asked} acknowledged, {may_be} unanswered")

    def _look_at_events(self, facts):
        trades = {}
        for trade_id, publication, disclosed_at, _ in facts["live_trades"]:
            trades.setdefault(publication, []).append((trade_id, instant(disclosed_at)))
        for publication, body in facts["events"]:
            told = [(one["id"], one["disclosedAt"]) for one in json.loads(body)["trades"]]
            if sorted(told) != sorted(trades.get(publication, [])):
                self.found("an event does not have the trades of its publication", publication)

    def _look_at_withdrawals(self, facts):
        there = {row[0] for row in facts["withdrawn"]}
        asked = self.ledger.of("withdraw")
        may_be = {}
        for one in self.ledger.of("withdraw", "reinstate"):
            before = may_be.setdefault(one.facts["what"], {False})
            new = {one.name == "withdraw"}
            may_be[one.facts["what"]] = new if one.acknowledged else before | new
        for thing, allowed in may_be.items():
            with_filing = thing[:-5] in there  # a trade of a withdrawn filing
            if (thing in there) not in allowed and not with_filing:
                self.found("an acknowledged withdrawal or reinstatement is lost", thing)
        named = {one.facts["what"] for one in asked}
        for thing in there - named:
            if not any(thing.startswith(filing + "-") for filing in named):
                self.found("withdrawn without a request", thing)

    def _look_at_filers(self, facts):
        filers, may_be = dict(facts["filers"]), {}
        for one in self.ledger.of("set_filer"):
            new = {one.facts["member"]}
            before = may_be.get(one.facts["what"], {filers[one.facts["what"]]})
            may_be[one.facts["what"]] = new if one.acknowledged else before | new
        for filing, allowed in may_be.items():
            if filers[filing] not in allowed:
                self.found("an acknowledged change of the filer is lost", filing)

    def _look_at_plans(self, facts):
        plans = dict(facts["accounts"])
        may_be = {}
        for one in self.ledger.of("account", "plan"):
            before = may_be.setdefault(one.facts["email"], {None})
            new = {one.facts["plan"]}
            may_be[one.facts["email"]] = new if one.acknowledged else before | new
        for email, allowed in may_be.items():
            if plans.get(email) not in allowed:
                self.found(f"{email} has plan {plans.get(email)}, not one of {allowed}")

    def _look_at_keys(self, facts):
        rows = {row[0]: row for row in facts["keys"]}
        names = {}
        for row in facts["keys"]:
            names.setdefault(row[1], []).append(row)
        revoked = {one.facts["key_id"] for one in self.ledger.of("revoke") if one.acknowledged}
        asked = {one.facts["key_id"] for one in self.ledger.of("revoke")}
        for one in self.ledger.of("mint"):
            found = names.pop(one.facts["key_name"], [])
            if len(found) > 1 or any(row[4] != one.facts["email"] for row in found):
                self.found("a key exists twice or belongs to another account", one.facts)
            for told in one.answers:
                row = rows.get(told["id"])
                if not row or row[2] != hashlib.sha256(told["key"].encode()).hexdigest():
                    self.found("an acknowledged key is lost or altered", told["id"])
        if names:
            self.found("keys without a request", *names)
        for key_id in revoked:
            if key_id in rows and rows[key_id][3] is None:
                self.found("an acknowledged revocation is lost", key_id)
        for key_id, row in rows.items():
            if row[3] is not None and key_id not in asked:
                self.found("revoked without a request", key_id)

    def _look_at_draws(self, facts):
        """Runs only without a server: a running server has counts that are not written yet."""
        draws = draws_of(facts)
        uses = {row[0]: row[5] for row in facts["keys"]}
        for key_id, (least, most) in self.ledger.draws(lost_seconds()).items():
            used = draws.get(key_id, 0)
            if not least <= used <= most:
                self.found(f"{key_id} has {used} counted requests, not {least} to {most}")
            if least > 0 and uses.get(key_id) is None:
                self.found("a key was used, but has no last use", key_id)
        return draws

    # The server

    def _start_and_ask(self, before):
        drawn_before = self._look_at_draws(before)
        server = self.site.serve()
        try:
            if not server.wait_ready():
                self.found("a server does not start on the database", server.log_tail())
                return
            asked = self._ask(server, before, settle=True)
            status = server.stop()
            if status != 0:
                self.found(f"the server exited with {status}", server.log_tail())
        finally:
            if server.running:
                server.kill()
            self.site.servers.remove(server)
        done = self.site.run("check")
        if done.status or done.lines[-1].get("findings") != 0:
            self.found("stockact check", done.errors.strip(), *done.lines)
        after = draws_of(self._read())
        for key_id, drawn in asked.items():
            expected = drawn_before.get(key_id, 0) + drawn
            if after.get(key_id, 0) != expected:
                self.found(f"{key_id} has {after.get(key_id, 0)} requests after a clean stop,"
                           f" not {expected}")
        if not self.findings:
            self.ledger.settle(after)

    def _wait_until_taken_in(self, server):
        """Waits until the server has applied all changes. A killed command did not wait for
        that."""
        ends = time.monotonic() + TAKEN_IN_SECONDS
        while server.running and time.monotonic() < ends:
            seqs = self.site.database.read({
                "written": "SELECT value FROM counter WHERE name = 'change'",
                "taken": "SELECT seq FROM node ORDER BY beat_at DESC LIMIT 1"})
            if seqs["taken"] and seqs["taken"][0][0] >= seqs["written"][0][0]:
                return
            time.sleep(0.01)
        self.found("the server does not apply a change that was written", server.log_tail())

    def _ask(self, server, facts, settle=False):
        """Returns {key id: granted requests}. If the counts are not settled afterwards, the
        requests go into the ledger like any others."""
        granted = {}
        server.close()  # the server closes a connection that is idle for a minute
        for key_id, key, allowed in self._keys_to_ask(facts):
            operation = None if settle else self.ledger.intend(
                "request", key_id=key_id, target="/api/v1/trades?limit=3")
            try:
                status, _, body = server.request("/api/v1/trades?limit=3", key)
            except (OSError, http.client.HTTPException) as broken:
                self.found("the server does not respond", repr(broken), server.log_tail())
                return granted
            if operation:
                self.ledger.acknowledge(operation, status)
            if status not in allowed:
                self.found(f"a request with {key_id} got {status}, not {allowed}")
            if status == 200:
                granted[key_id] = granted.get(key_id, 0) + 1
                self._look_at_page(facts, json.loads(body)["data"])
        status, _, _ = server.request("/readyz")
        if status != 200:
            self.found(f"/readyz is {status}")
        return granted

    def _keys_to_ask(self, facts):
        asked = {one.facts["key_id"]: one.acknowledged for one in self.ledger.of("revoke")}
        plans = dict(facts["accounts"])
        for one in self.ledger.of("mint")[-KEYS_ASKED_MAX:]:
            for told in one.answers:
                served = plans.get(one.facts["email"]) in ("pack", "den")
                ends = asked.get(told["id"])
                allowed = {401} if ends else {200 if served else 403}
                yield told["id"], told["key"], allowed | ({401} if ends is False else set())

    def _look_at_page(self, facts, page):
        newest = sorted(((at, trade_id) for trade_id, _, at, gone in facts["live_trades"]
                         if gone is None), reverse=True)[:3]
        if [trade_id for _, trade_id in newest] != [one["id"] for one in page][:len(newest)]:
            self.found("the first page does not begin with the newest trades",
                       *(one["id"] for one in page))


def lost_seconds():
    is_busy = os.getloadavg()[0] > os.cpu_count()
    return LOST_SECONDS_BUSY if is_busy else LOST_SECONDS


def draws_of(facts):
    """Returns {key id: requests in all months}. The store identifies a key's caller by its number,
    in decimal."""
    ids = {str(row[6]).encode().hex(): row[0] for row in facts["keys"]}
    return {ids.get(caller, caller): used for caller, used in facts["draws"]}


def instant(ms):
    """Formats a time like the API."""
    at = datetime.datetime.fromtimestamp(ms // 1000, datetime.timezone.utc)
    return f"{at:%Y-%m-%dT%H:%M:%S}.{ms % 1000:03d}Z"

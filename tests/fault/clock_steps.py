"""A wall clock that steps under load: windows and months are counted, commands publish.

Threads send requests as fast as they can, with one key and as one caller without a key, while the
clock moves at random: by seconds and hours, back by a little and by a lot, by months, over the ends
of months and years, past 2038-01-19 and to 2100, and back. These rules must hold:

- No window grants more than its limit, however often the clock returns to it.
- No month grants an anonymous caller more than its quota. At the end the store holds exactly the
  requests that the key was granted in each month.
- disclosedAt of publications only increases, and the latest publication comes first.
- Every response is 200 or 429, without a negative number.
"""
import collections
import dataclasses
import datetime
import http.client
import json
import os
import threading
import time

from checker import Damaged

HOME = "2026-07-31T23:40:00Z"
ANONYMOUS = "100.64.0.1"
ANONYMOUS_MONTH = 1000
DRAWERS = 2           # threads per caller
DWELL_SECONDS = 0.12  # between steps; the server reads the clock again after 25 ms
PUBLISH_EVERY = 12
SECOND, MINUTE, HOUR, DAY = 1000, 60_000, 3_600_000, 86_400_000

EDGES = ("2026-02-28T23:59:59.999Z", "2026-12-31T23:59:59.999Z", "2028-02-29T23:59:59.999Z",
         "2038-01-19T03:14:07.999Z", "2038-01-19T03:14:08Z", "2038-01-31T23:59:59.999Z",
         "2100-02-28T23:59:59.999Z", "2106-02-07T06:28:15.999Z")


def milliseconds(text):
    return round(datetime.datetime.fromisoformat(text).timestamp() * 1000)


def month_of(second):
    at = datetime.datetime.fromtimestamp(second, datetime.timezone.utc)
    return at.year * 12 + at.month - 1


def end_of_month(ms):
    at = datetime.datetime.fromtimestamp(ms / 1000, datetime.timezone.utc)
    following = datetime.datetime(at.year + at.month // 12, at.month % 12 + 1, 1,
                                  tzinfo=datetime.timezone.utc)
    return round(following.timestamp() * 1000)


def step(rng, now):
    """Returns the next position of the clock."""
    kind = rng.choices(("on", "hour", "back", "far", "edge", "named", "home"),
                       (40, 10, 16, 8, 8, 8, 10))[0]
    if kind == "on":
        return now + rng.randint(1, 90) * SECOND
    if kind == "hour":
        return now + rng.choice((-1, 1)) * HOUR
    if kind == "back":
        return now - rng.choice((SECOND, 11 * SECOND, 4 * MINUTE, 5 * MINUTE, 6 * MINUTE, DAY))
    if kind == "far":
        return now + rng.choice((-30, 30, 31, 365)) * DAY
    if kind == "edge":
        return end_of_month(now) + rng.choice((-1, 0, 1, -SECOND))
    if kind == "named":
        return milliseconds(rng.choice(EDGES)) + rng.choice((0, 1, SECOND))
    return milliseconds(HOME) + rng.randint(0, 30) * MINUTE


class Clock:
    """The file from which the programs read their clock."""

    def __init__(self, folder):
        self.file, self.now = folder / "clock", 0
        self.env = {
            "STOCKACT_TEST_CLOCK": str(self.file),
            "STOCKACT_TEST_DATABASE_CLOCK": str(self.file),  # it jumps, and is believed
            "STOCKACT_ALLOW_TEST_CLOCK": "1",
        }

    def set(self, ms):
        self.now = ms
        at = datetime.datetime.fromtimestamp(ms // 1000, datetime.timezone.utc)
        new = self.file.with_suffix(".new")
        new.write_text(f"{at:%Y-%m-%dT%H:%M:%S}.{ms % 1000:03d}Z\n")
        os.replace(new, self.file)


@dataclasses.dataclass
class Caller:
    """One caller's granted requests, by the window and month that the responses name."""
    headers: dict
    windows: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    limits: dict = dataclasses.field(default_factory=dict)
    denied: int = 0
    wrong: list = dataclasses.field(default_factory=list)
    lock: threading.Lock = dataclasses.field(default_factory=threading.Lock)

    def take(self, status, headers):
        limit, remaining, reset = (int(headers[f"X-RateLimit-{name}"])
                                   for name in ("Limit", "Remaining", "Reset"))
        with self.lock:
            self.limits[reset] = limit
            if status == 200:
                self.windows[reset] += 1
            elif status == 429 and int(headers["Retry-After"]) >= 1:
                self.denied += 1
            else:
                self.wrong.append(f"{status} {dict(headers)}")
            if not 0 <= remaining <= limit:
                self.wrong.append(f"remaining {remaining} of {limit}")

    @property
    def months(self):
        months = collections.Counter()
        for reset, granted in self.windows.items():
            months[month_of(reset - 60)] += granted
        return months

    def findings(self, who):
        yield from (f"{who}: {wrong}" for wrong in self.wrong[:3])
        for reset, granted in self.windows.items():
            if granted > self.limits[reset]:
                yield f"{who}: the window that ends at {reset} granted {granted}"


class Walk:
    def __init__(self, workshop, rng):
        folder = workshop.folder / "clock"
        folder.mkdir()
        self.clock, self.rng = Clock(folder), rng
        self.clock.set(milliseconds(HOME))
        self.stand = workshop.stand("sqlite")
        self.stand.site.env.update(self.clock.env)
        self.stand.driver.account("clock@example.org", "pack")
        self.minted = self.stand.driver.mint("clock@example.org", "clock").answers[0]
        self.keyed = Caller({"Authorization": f"Bearer {self.minted['key']}"})
        self.anonymous = Caller({"X-Forwarded-For": ANONYMOUS})
        self.server = self.stand.serve(threads=2)
        self.over, self.broken, self.published = threading.Event(), [], []
        if not self.server.wait_ready():
            raise Damaged(f"the server does not start: {self.server.log_tail()}")

    def _draw(self, caller):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=15)
        try:
            while not self.over.is_set():
                connection.request("GET", "/api/v1/trades?limit=1", headers=caller.headers)
                response = connection.getresponse()
                response.read()
                caller.take(response.status, response.headers)
        except (OSError, http.client.HTTPException) as broken:
            self.broken.append(f"no answer: {broken!r}")
        finally:
            connection.close()

    def _publish(self):
        operation = self.stand.driver.publish(1, 2)
        if not operation.acknowledged:
            raise Damaged(f"a publication failed: {operation.reason}")
        told = operation.answers[0]
        if self.published and told["disclosedAt"] <= self.published[-1]:
            raise Damaged(f"disclosedAt {told['disclosedAt']} after {self.published[-1]}")
        self.published.append(told["disclosedAt"])
        status, _, body = self.server.request("/api/v1/trades?limit=1")
        if status == 200 and json.loads(body)["data"][0]["disclosedAt"] != told["disclosedAt"]:
            raise Damaged("the latest publication is not first in the feed")

    def run(self, steps, count):
        threads = [threading.Thread(target=self._draw, args=[caller])
                   for caller in (self.keyed, self.anonymous) for _ in range(DRAWERS)]
        for thread in threads:
            thread.start()
        try:
            for number in range(steps):
                self.clock.set(step(self.rng, self.clock.now))
                if number % PUBLISH_EVERY == 0:
                    self._publish()
                time.sleep(DWELL_SECONDS)
                count("steps")
                if self.broken:
                    break
            self.clock.set(milliseconds(HOME))  # so that no month is too old to keep
            time.sleep(DWELL_SECONDS)
        finally:
            self.over.set()
            for thread in threads:
                thread.join()

    def finish(self):
        if self.server.stop() != 0:
            raise Damaged(f"the server did not stop cleanly: {self.server.log_tail()}")
        findings = [*self.broken, *self.keyed.findings("key"),
                    *self.anonymous.findings("no key")]
        findings += [f"no key: {granted} in month {month}" for month, granted
                     in self.anonymous.months.items() if granted > ANONYMOUS_MONTH]
        written = self._written()
        if written != dict(self.keyed.months):
            findings.append(f"the store has {written}, granted was {dict(self.keyed.months)}")
        if findings:
            raise Damaged("\n".join(findings))
        self.stand.checker.check()

    def _written(self):
        rows = self.stand.site.database.read({"months": (
            "SELECT month, used FROM month_count WHERE kind = 'key' AND {hex}caller{/hex} ="
            f" (SELECT {{hex}}CAST(CAST(no AS TEXT) AS BLOB){{/hex}} FROM api_key"
            f" WHERE id = '{self.minted['id']}')")})["months"]
        return dict(rows)

    def close(self):
        self.stand.close()


def run(workshop, steps, rng, count=lambda *_: None):
    """Returns the numbers of granted and denied requests as text."""
    walk = Walk(workshop, rng)
    try:
        walk.run(steps, count)
        walk.finish()
        granted = sum(walk.keyed.windows.values()) + sum(walk.anonymous.windows.values())
        windows = len(walk.keyed.windows) + len(walk.anonymous.windows)
        return (f"{granted} requests granted in {windows} windows and"
                f" {len(walk.keyed.months)} months, {walk.keyed.denied + walk.anonymous.denied}"
                f" denied, {len(walk.published)} publications")
    finally:
        walk.close()

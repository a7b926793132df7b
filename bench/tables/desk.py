"""The review desk with 10,000 drafts, on SQLite and on PostgreSQL: its pages, what a reviewer does,
and the API beside ten reviewers."""
import http.client
import itertools
import os
import threading
import time

import drafts
import forms
import machine
import person
import postgres
import service
import sizes
from figures import header, of, rank, ratios, row, spread
from stand import PAGE

ENV = {"STOCKACT_SWEEP_AT": "off"}
LOOKS, ACTS = sizes.of((40, 40), smoke=(2, 2))  # requests for each row of the table
RATE, CONNECTIONS = sizes.of(2_000, smoke=200), 16
PAUSE = 0.1            # seconds between two actions: as of ten reviewers who act once a second
QUEUE_PAGE = 50         # drafts
PAGES = {
    **{f"queue, {sort}": f"/desk?sort={sort}"
       for sort in ("clean", "oldest", "newest", "due", "doubts", "checks", "rows")},
    "queue, last page": f"/desk?page={drafts.DRAFTS // QUEUE_PAGE}",
    "queue, clean drafts only": "/desk?clean=yes",
    "queue, paper": "/desk?kind=paper",
    "queue, Senate (none)": "/desk?chamber=senate",
    "queue, part of a name": "/desk?q=har",
    "queue, a text that nothing has": "/desk?q=zzzzzz",
    "a draft": f"/desk/house-{drafts.FIRST + 21}",
    "a draft of 40 rows": f"/desk/house-{drafts.FIRST + 27}",
    "a draft, in the order of due days": f"/desk/house-{drafts.FIRST + 21}?sort=due",
    "a row's form": f"/desk/house-{drafts.FIRST + 27}/rows/3",
    "its page as a picture": f"/desk/house-{drafts.FIRST + 27}/pages/1.png",
    "members and symbols found": "/desk/find?member=har&symbol=har",
}


class Reviewer:
    """A browser without scripts, on one connection."""

    def __init__(self, server, who):
        self.server = server
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port)
        self.headers = {"Accept": "text/html", **person.cookie(who["session"]),
                        "Sec-Fetch-Site": "same-origin"}

    def _exchange(self, method, target, body=None):
        """(seconds, response, text); the CPU time of the server is added to .cpu"""
        headers = self.headers
        if body is not None:
            headers = {**headers, "Content-Type": "application/x-www-form-urlencoded"}
        began = time.monotonic()
        self.connection.request(method, target, body, headers)
        response = self.connection.getresponse()
        text = response.read()
        return time.monotonic() - began, response, text

    def get(self, target):
        seconds, response, text = self._exchange("GET", target)
        if response.status != 200:
            raise machine.Failed(f"{target}: {response.status}: {text[:300]}")
        return seconds, text

    def press(self, target, page, button, **values):
        """(seconds, the address that the server names next)"""
        action, body = forms.filled(page.decode(), button, **values)
        seconds, response, text = self._exchange("POST", action or target, body)
        if response.status != 303:
            raise machine.Failed(f"{target} {button}: {response.status}: {text[:300]}")
        return seconds, response.getheader("Location")


def run(stand):
    database = drafts.Database(stand.program, stand.options.data)
    kinds = {}
    with service.Copy(database) as copy:
        copy.person = database.person
        with service.Server(copy, env=ENV) as server:
            kinds["SQLite"] = _measure(stand, server, database.person)
    folder = stand.folder / "postgres"
    folder.mkdir()
    cluster = stand.enter(postgres.Postgres(folder, "fsync=off"))
    copy = postgres.Copy(cluster, database)
    with service.Server(copy, env={**ENV, **copy.env}) as server:
        server.pids.append(cluster.process.pid)
        kinds["PostgreSQL"] = _measure(stand, server, database.person)
    print(f"\n## The review desk, {drafts.DRAFTS:,} drafts, {drafts.TRADES:,} trades, one request "
          "at a time\n")
    header("", *(f"{kind}, {unit}" for kind in kinds for unit in ("p50 ms", "p99 ms", "CPU ms")))
    for name in kinds["SQLite"][0]:
        row(name, *(cell for times, _ in kinds.values() for cell in _cells(times[name])))
    print(f"\n### The API beside reviewers, {RATE:,} requests/s\n")
    header("database", "beside it", "p50 us", "p99 us", "p99 to alone")
    for kind, (_, beside) in kinds.items():
        for name, runs in beside.items():
            row(kind, name, f"{of(runs, 'p50_us'):,.0f}", f"{of(runs, 'p99_us'):,.0f}",
                spread(ratios(runs, beside["nothing"], "p99_us")))


def _cells(measured):
    seconds, cpu = measured
    ordered = sorted(seconds)
    return [f"{rank(ordered, 0.5) * 1000:.1f}", f"{rank(ordered, 0.99) * 1000:.1f}",
            f"{cpu / len(seconds) * 1000:.1f}"]


def _measure(stand, server, who):
    """{name: (seconds of each request, CPU seconds of all)}, {what is beside the API: runs}"""
    reviewer, times = Reviewer(server, who), {}

    def take(name, requests):
        before = machine.cpu_seconds(server.pids)
        seconds = list(requests)
        times[name] = seconds, machine.cpu_seconds(server.pids) - before

    reviewer.get("/desk")
    picture = PAGES["its page as a picture"]
    take("a page is drawn", [reviewer.get(picture)[0]])
    for name, target in PAGES.items():
        take(name, (reviewer.get(target)[0] for _ in range(LOOKS)))
    fresh = itertools.count(drafts.FIRST + drafts.DRAFTS // 10)
    take("a save of a row", (_save(reviewer, next(fresh)) for _ in range(ACTS)))
    shown = []
    take("accept and publish", _publish(reviewer, ACTS, shown))
    times["then the next filing"] = shown, 0.0  # the row above has its CPU time
    return times, _beside(stand, server, reviewer, fresh)


def _save(reviewer, number):
    target = f"/desk/house-{number}/rows/1"
    _, page = reviewer.get(target)
    seconds, _ = reviewer.press(target, page, "save", assetName=f"Harbor Tools {number}")
    return seconds


def _publish(reviewer, times, shown):
    """Seconds to publish, as often as asked; adds those that the next draft takes to `shown`."""
    target = "/desk/house-" + str(drafts.FIRST + drafts.DRAFTS // 2)
    _, page = reviewer.get(target)
    for _ in range(times):
        took, target = reviewer.press(target, page, "accept-publish")
        seconds, page = reviewer.get(target)
        shown.append(seconds)
        yield took


def _beside(stand, server, reviewer, fresh):
    runs = {"nothing": [], "ten reviewers": []}
    for _ in range(stand.options.rounds):
        for name, its in runs.items():
            stop = threading.Event()
            worker = threading.Thread(target=_work, args=(reviewer, fresh, stop))
            if name != "nothing":
                worker.start()
            its.append(stand.open_loop(server, PAGE, server.keyed(), rate=RATE,
                                       connections=CONNECTIONS))
            stop.set()
            if name != "nothing":
                worker.join()
    return runs


def _work(reviewer, fresh, stop):
    # The load generator has the same core and must not wait for this client.
    os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 19)
    while not stop.wait(PAUSE):
        reviewer.get("/desk?sort=due")
        _save(reviewer, next(fresh))

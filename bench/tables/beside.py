"""The API's page in an open loop, alone, beside people who read the pages of their account or the
pages of data, and beside a storm of sign-ins. The server has one core for all of it."""
import collections
import re

import open_loop
import person
import service
import sizes
from figures import header, of, ratios, row, spread
from stand import PAGE
from tables.data import BROWSER, targets_of

TRADES = sizes.trades(1_000_000)
CONNECTIONS = 64
SHARES = sizes.of((0.2, 0.5), smoke=(0.01,))  # of saturation
PAGES, PAGE_CONNECTIONS = 50, 16          # a second: a thousand people who click every 20 s
SIGN_INS, SIGN_IN_CONNECTIONS = 500, 256  # a second, each of another person from another address
ENV = {"STOCKACT_SWEEP_AT": "off", "STOCKACT_TRUSTED_PROXIES": "127.0.0.0/8"}
TOKEN = re.compile(r'name="csrf" value="([^"]+)"')


def run(stand):
    database = person.Database(stand.program, stand.options.data, TRADES)
    server = stand.enter(service.Server(database, env=ENV))
    most = of([stand.load(server, PAGE, server.keyed(), connections=CONNECTIONS)
               for _ in range(stand.options.rounds)], "rps")
    pages = (PAGES, PAGE_CONNECTIONS, stand.write("\0".join(_pages(database.person))))
    data = (PAGES, PAGE_CONNECTIONS, stand.write("\0".join(_data_pages(server))))
    storm = (SIGN_INS, SIGN_IN_CONNECTIONS, stand.write("\0".join(_sign_ins(stand, server))))
    kinds = {"nothing": (), f"{PAGES} pages/s": pages, f"{PAGES} pages of data/s": data,
             f"{SIGN_INS} sign-ins/s": storm}
    print(f"\n## The API beside pages and sign-ins, open loop, {database.trades:,} trades, "
          f"{CONNECTIONS} connections\n")
    header("API requests/s", "beside it", "p50 us", "p50 to alone", "p99 us", "p99 to alone",
           "p99.9 us", "its p50 ms", "its p99 ms", "its statuses")
    for share in SHARES:
        runs = {name: [] for name in kinds}
        for _ in range(stand.options.rounds):
            for name, beside in kinds.items():
                runs[name].append(stand.open_loop(server, PAGE, server.keyed(), rate=share * most,
                                                  connections=CONNECTIONS, beside=beside))
        for name, its in runs.items():
            _show(share * most, name, its, runs["nothing"])


def _pages(who):
    """Every page that needs a session, in turn."""
    for name, target in person.pages(who).items():
        if name not in person.FIXED:
            yield open_loop.request(target, person.headers(who, name))


def _data_pages(server):
    """Each kind of page of data in turn, for a visitor without an account."""
    for target in targets_of(server).values():
        yield open_loop.request(target, BROWSER)


def _sign_ins(stand, server):
    """Wrong passwords, which cost as much as right ones. Limits do not stop them: there are as many
    people and addresses as attempts."""
    response, body = server.get("/sign-in", {})
    visitor = re.match(r"visitor=[^;]+", response.getheader("Set-Cookie"))[0]
    token = TOKEN.search(body.decode())[1]
    for number in range(round(SIGN_INS * (stand.options.seconds + 1))):
        form = f"csrf={token}&email=nobody{number}%40example.org&password=wrong-{number}"
        yield open_loop.request("/sign-in", {
            "Cookie": visitor,
            "Accept": "text/html",
            "Sec-Fetch-Site": "same-origin",
            "X-Forwarded-For": f"11.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}",
        }, form)


def _show(rate, name, runs, alone):
    beside = [side for run_ in runs for side in run_["beside"]]
    its = ["", "", ""]
    if beside:
        statuses = collections.Counter()
        for side in beside:
            statuses.update(side["statuses"])
        its = [*(f"{of(beside, field) / 1000:,.1f}" for field in ("p50_us", "p99_us")),
               ", ".join(f"{count / len(runs):,.0f} x {status}"
                         for status, count in sorted(statuses.items()))]
    ours = [cell for field in ("p50_us", "p99_us")
            for cell in (f"{of(runs, field):,.0f}",
                         spread(ratios(runs, alone, field)) if beside else "")]
    row(f"{rate:,.0f}", name, *ours, f"{of(runs, 'p999_us'):,.0f}", *its)

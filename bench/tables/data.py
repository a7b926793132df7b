"""The pages of data for a visitor without an account: what each kind costs next to the API's page,
and Varnish in front of it (deploy/varnish.vcl)."""
import http.client
import json

import machine
import service
import sizes
import varnish
from figures import header, of, ratios, row, spread
from stand import PAGE

TRADES = sizes.trades(1_000_000)
WARM_UP = sizes.of(20, smoke=1)  # requests for each page
CONNECTIONS = 16                 # of wrk, for the rates of Varnish
API = "first page of the API"
BROWSER = {"Accept": "text/html", "Accept-Encoding": "gzip"}
SECOND_US = 1_000_000
LOOKS = 4  # at most, until a copy comes from the cache


def run(stand):
    front = varnish.Varnish(stand.folder)
    server = stand.enter(service.Server(
        stand.database(TRADES),
        env={"STOCKACT_SWEEP_AT": "off", "STOCKACT_PURGE_URL": front.purge_url}))
    front.start(server)
    stand.enter(front)
    targets = targets_of(server)
    _show_costs(stand, server, targets)
    _show_cache(stand, server, front, targets)


def targets_of(server):
    """{name: target} of the kinds of pages, about a trade of the first page."""
    _, body = server.get(f"{PAGE}?limit=100", server.keyed())
    trade = next(trade for trade in json.loads(body)["data"] if trade["ticker"])
    filing = trade["id"].rpartition("-")[0]
    return {
        "/": "/",
        "/trades": "/trades",
        "/trades, bought by the Senate": "/trades?chamber=senate&side=buy",
        "/trades/{id}": f"/trades/{trade['id']}",
        "/politicians": "/politicians",
        "/politicians/{slug}": f"/politicians/{trade['politician']['slug']}",
        "/tickers": "/tickers",
        "/tickers/{symbol}": f"/tickers/{trade['ticker']}",
        "/conflicts": "/conflicts",
        "/filings": "/filings",
        "/filings/{id}": f"/filings/{filing}",
        "/corrections": "/corrections",
        "/coverage": "/coverage",
        "/search": "/search?q=" + trade["ticker"],
        "/trades.atom": "/trades.atom",
    }


def _load(stand, server, target, headers, **how):
    result = stand.load(server, target, headers, **how)
    if result["refused"]:
        raise machine.Failed(f"{target}: {result}")
    return result


def _show_costs(stand, server, targets):
    cases = {API: (PAGE, server.keyed()),
             **{name: (target, BROWSER) for name, target in targets.items()}}
    runs = {name: [] for name in cases}
    for target, headers in cases.values():
        for _ in range(WARM_UP):
            server.get(target, headers)
    for _ in range(stand.options.rounds):
        for name, (target, headers) in cases.items():
            runs[name].append(_load(stand, server, target, headers, connections=1))
    print(f"\n## Pages of data, {TRADES:,} trades, no account, one request at a time\n")
    header("page", "bytes", "CPU us", "per second of one core", "to the API's page", "p50 ms",
           "p99 ms")
    for name, its in runs.items():
        row(name, f"{of(its, 'bytes'):,.0f}", f"{of(its, 'cpu_us'):,.0f}",
            f"{SECOND_US / of(its, 'cpu_us'):,.0f}", spread(ratios(its, runs[API], "cpu_us")),
            f"{of(its, 'p50_us') / 1000:.2f}", f"{of(its, 'p99_us') / 1000:.2f}")


def _is_hit(front, target):
    connection = http.client.HTTPConnection("127.0.0.1", front.port)
    connection.request("GET", target, headers=BROWSER)
    response = connection.getresponse()
    response.read()
    connection.close()
    return response.getheader("X-Cache") == "hit"


def _show_cache(stand, server, front, targets):
    print(f"\n## Varnish in front, copies of pages, {CONNECTIONS} connections\n")
    header("page", "requests/s, Varnish", "requests/s, stockact", "ratio", "CPU us, Varnish",
           "CPU us, stockact")
    for name, target in targets.items():
        # The server's purge at its start, tried again once Varnish runs, may empty the cache between.
        if not any(_is_hit(front, target) for _ in range(LOOKS)):
            row(name, "not kept", "", "", "", "")
            continue
        sides = {front: [], server: []}
        for _ in range(stand.options.rounds):
            for side, runs in sides.items():
                runs.append(_load(stand, side, target, BROWSER, connections=CONNECTIONS))
        its, ours = sides[front], sides[server]
        row(name, f"{of(its, 'rps'):,.0f}", f"{of(ours, 'rps'):,.0f}",
            spread(ratios(its, ours, "rps")), f"{of(its, 'cpu_us'):,.0f}",
            f"{of(ours, 'cpu_us'):,.0f}")

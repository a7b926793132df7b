"""The tool server compared with the same tools on the official TypeScript SDK: calls a second, CPU
time of a call, time from start to first response, memory. The tool server has the servers' core to
itself; its host and the API server share the other core. The same calls over HTTP, of the server
itself: it has a core, and the client the other."""
import machine
import mcp
import service
import sizes
from figures import header, median, of, ratios, row, spread
from pages import turned

TRADES = sizes.trades(10_000)
WIDTHS = sizes.of((1, 16), smoke=(4,))
STARTS = sizes.of(5, smoke=1)             # per round and side
CALLS_MANY = sizes.of(10_000, smoke=32)  # before memory is read again


def run(stand):
    print(f"\n## Tools for language models, {TRADES:,} trades\n")
    _print_http(stand)
    server = stand.server(TRADES, core=machine.LOAD_CORE)
    slug = service.facts(stand.database(TRADES), server)["slug"]
    requests = {
        "list_trades": mcp.call("list_trades", {}),
        "get_politician": mcp.call("get_politician", {"slug": slug}),
        "get_conflicted_trades": mcp.call("get_conflicted_trades", {"max_pages": 3}),
        "tools/list": mcp.LIST_TOOLS,
    }
    sides = mcp.sides(stand, server)
    for request in requests.values():
        _check_same(sides, request)
    print(f"\nCompared with `@modelcontextprotocol/server` {mcp.sdk_version()}\n")
    _print_loads(stand, sides, requests)
    _print_starts(stand, sides, requests["list_trades"])


def _print_http(stand):
    """Calls by POST /mcp. The bar is 1,000 a second on two cores, of which the client has one."""
    calls = {
        "list_trades": {}, "count_trades": {"group_by": "party,year"}, "get_coverage": {},
        "find_politician": {"name": "Smith"}, "get_conflicted_trades": {"everywhere": True},
    }
    with service.Server(stand.database(TRADES)) as server:
        headers = {"Authorization": f"Bearer {server.key}"}
        print("\nOver HTTP (`POST /mcp`)\n")
        header("call", "at once", "calls/s", "CPU us", "busy", "p50 us", "p99 us", "bytes")
        for name, arguments in calls.items():
            posted = stand.write(mcp.message(mcp.call(name, arguments)))
            runs = [stand.load(server, "/mcp", headers, connections=max(WIDTHS), posted=posted)
                    for _ in range(stand.options.rounds)]
            if of(runs, "refused"):
                raise machine.Failed(f"POST /mcp refused {name}")
            row(name, max(WIDTHS), f"{of(runs, 'rps'):,.0f}", f"{of(runs, 'cpu_us'):,.1f}",
                f"{of(runs, 'busy'):.0%}", f"{of(runs, 'p50_us'):,.0f}",
                f"{of(runs, 'p99_us'):,.0f}", f"{of(runs, 'bytes'):,.0f}")


def _check_same(sides, request):
    """Compares all responses except tools/list, which mcp.sides compares."""
    ours, its = (side.ask(request) for side in sides)
    if any(ours.get(name) != its.get(name) for name in ("structuredContent", "content")):
        raise machine.Failed(f"the companion answers otherwise: {request}")


def _alternating(stand, sides, measure):
    """Returns (runs of ours, runs of the SDK's). The sides take turns at being first in a round."""
    runs = {side.name: [] for side in sides}
    for turn in range(stand.options.rounds):
        for side in turned(sides, turn):
            runs[side.name].append(measure(side))
    return [runs[side.name] for side in sides]


def _print_loads(stand, sides, requests):
    length = sizes.of(f"{stand.options.seconds}s", smoke="32")
    header("call", "at once", "server", "CPU us", "ours / its CPU", "calls/s", "ours / its", "busy",
           "host", "p50 us", "p99 us", "bytes")
    for name, request in requests.items():
        for wide in WIDTHS:
            both = _alternating(stand, sides, lambda side: side.load(
                stand, request, wide=wide, warm=length, limit=length))
            for side, runs in zip(sides, both):
                ratio = {field: "" if runs is both[0] else spread(ratios(*both, field))
                         for field in ("cpu_us", "rate")}
                row(name, wide, side.name, f"{of(runs, 'cpu_us'):,.1f}", ratio["cpu_us"],
                    f"{of(runs, 'rate'):,.0f}", ratio["rate"], f"{of(runs, 'busy'):.0%}",
                    f"{of(runs, 'host_busy'):.0%}", f"{of(runs, 'p50_us'):,.0f}",
                    f"{of(runs, 'p99_us'):,.0f}", f"{runs[0]['bytes']:,}")


def _print_starts(stand, sides, request):
    listing, calling = (_alternating(stand, sides, lambda side: _start(stand, side, first))
                        for first in (mcp.LIST_TOOLS, request))
    kept = _alternating(stand, sides, lambda side: side.load(
        stand, request, wide=max(WIDTHS), limit=CALLS_MANY))
    print(f"\nStart to the response, and MiB of memory after it and after {CALLS_MANY:,} calls\n")
    header("server", "tools/list ms", "ours / its", "list_trades ms", "ours / its", "CPU ms",
           "PSS, RSS at first", "after", "ours / its PSS")
    for at, side in enumerate(sides):
        row(side.name, f"{of(listing[at], 'ms'):.1f}", _ratio(at, listing, "ms"),
            f"{of(calling[at], 'ms'):.1f}", _ratio(at, calling, "ms"),
            f"{of(calling[at], 'cpu_ms'):.1f}", _mib(kept[at], "start_pss", "start_rss"),
            _mib(kept[at], "end_pss", "end_rss"), _ratio(at, kept, "end_pss"))


def _start(stand, side, request):
    """Returns medians of several starts, since a start takes only milliseconds."""
    runs = [side.load(stand, request) for _ in range(STARTS)]
    return {"ms": median([one["first_ms"] for one in runs]),
            "cpu_ms": median([one["first_cpu_ms"] for one in runs])}


def _ratio(at, both, field):
    return spread(ratios(*both, field)) if at else ""


def _mib(runs, *fields):
    return ", ".join(f"{of(runs, field) / 2**20:.1f}" for field in fields)

"""The keyed first page of this program and of an older one (--before), in turn: what a change on the
way of each request costs."""
import machine
import service
import sizes
from figures import header, of, ratios, row, spread
from stand import PAGE

TRADES = sizes.trades(10_000)
CONNECTIONS = 64
ROUNDS_MIN = sizes.of(9, smoke=1)  # the differences are small


def run(stand):
    if not stand.options.before:
        raise machine.Failed("name the older program with --before")
    folder = stand.options.data / "before"
    folder.mkdir(exist_ok=True)
    older = stand.enter(service.Server(_database(stand.options.before, folder)))
    now = stand.enter(service.Server(stand.database(TRADES)))
    kinds = {"page": {}, "304": {"If-None-Match": None}}
    print(f"\n## Before and after, {TRADES:,} trades, {CONNECTIONS} connections\n")
    header("request", "CPU us before", "CPU us now", "now / before", "bytes before", "bytes now")
    for name, headers in kinds.items():
        runs = {older: [], now: []}
        for turn in range(max(ROUNDS_MIN, stand.options.rounds)):
            for server in (older, now) if turn % 2 else (now, older):
                runs[server].append(stand.load(server, PAGE, _headers(server, headers),
                                               connections=CONNECTIONS))
        row(name, f"{of(runs[older], 'cpu_us'):.2f}", f"{of(runs[now], 'cpu_us'):.2f}",
            spread(ratios(runs[now], runs[older], "cpu_us")),
            f"{of(runs[older], 'bytes'):,.0f}", f"{of(runs[now], 'bytes'):,.0f}")


def _database(program, folder):
    """Made by the older program, whose schema may be older too."""
    marker = folder / "program"
    known = f"{program} {program.stat().st_mtime_ns}"
    if not marker.exists() or marker.read_text() != known:
        for old in folder.iterdir():
            old.unlink()
    database = service.Database(program, folder, TRADES)
    marker.write_text(known)
    return database


def _headers(server, headers):
    """With the entity tag of the server's own page."""
    tag = server.get(PAGE, server.keyed())[0].getheader("ETag")
    return server.keyed(**{name: tag for name in headers})

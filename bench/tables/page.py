"""The keyed first page compared with nginx and the bare loop, by number of connections; and the
compressed page compared with nginx, which compresses similar pages for each request."""
import cases
import service
import sizes
from figures import header, of, ratios, row, spread
from pages import TRADES, Pages, turned
from stand import PAGE

CONNECTIONS = sizes.of((64, 128, 256), smoke=(64,))
GZIP_CONNECTIONS = 64
GZIP_FILES = sizes.of(500, smoke=5)


def run(stand):
    pages = Pages(stand)
    print(f"\n## The page: 25 trades, keyed, JSON, {TRADES:,} trades\n")
    print(f"{len(pages.head)} bytes of head and {len(pages.body)} of body.\n")
    header("connections", "server", "CPU us", "ours / its CPU", "requests/s", "ours / its", "busy",
           "p99 ms")
    for connections in CONNECTIONS:
        _page_at(stand, pages, connections)
    _gzip(stand, pages)


def _page_at(stand, pages, connections):
    runs = {side: [] for side, _ in pages.sides}
    for turn in range(stand.options.rounds):
        for side, target in turned(pages.sides, turn):
            runs[side].append(stand.load(side, target, pages.headers, connections=connections))
    ours = runs[pages.server]
    for side, its in runs.items():
        stand.note_saturation(side, connections, its)
        against = its is not ours
        row(connections, side.name, f"{of(its, 'cpu_us'):.2f}",
            spread(ratios(ours, its, "cpu_us")) if against else "", f"{of(its, 'rps'):,.0f}",
            spread(ratios(ours, its, "rps")) if against else "", f"{of(its, 'busy'):.0%}",
            f"{of(its, 'p99_us') / 1000:.2f}")


def _gzip(stand, pages):
    server, nginx = pages.server, pages.nginx
    headers = server.keyed(**{"Accept-Encoding": "gzip"})
    many = cases.many_pages(service.facts(stand.database(TRADES), server))
    files = nginx.add_pages(server.get(target, server.keyed())[1]
                            for target in many[::len(many) // GZIP_FILES])
    for name, our_targets, its_targets in (("hit", [PAGE], [nginx.target]), ("miss", many, files)):
        our_file, its_file = stand.write_targets(our_targets), stand.write_targets(its_targets)
        ours, its = [], []
        for _ in range(stand.options.rounds):
            for side, target, file, runs in ((server, PAGE, our_file, ours),
                                             (nginx.gzip, nginx.target, its_file, its)):
                runs.append(stand.load(side, target, headers, targets=file,
                                       connections=GZIP_CONNECTIONS))
        print(f"\nGzip {name}: compressing such pages costs nginx "
              f"{spread(ratios(its, ours, 'cpu_us'))} times ours ({of(its, 'cpu_us'):.1f} against "
              f"{of(ours, 'cpu_us'):.1f} us)", flush=True)

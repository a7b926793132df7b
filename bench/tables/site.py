"""The pages, one request at a time: what each kind costs and how long it takes, on SQLite and on
PostgreSQL with the same rows (bulk.sql)."""
import machine
import person
import postgres
import service
import sizes
from figures import header, of, ratios, row, spread
from stand import PAGE

TRADES = sizes.trades(1_000_000)
ENV = {"STOCKACT_SWEEP_AT": "off"}
WARM_UP = sizes.of(20, smoke=1)  # requests for each page
API = "first page of the API"


def run(stand):
    database = person.Database(stand.program, stand.options.data, TRADES)
    with service.Server(database, env=ENV) as server:
        sqlite = _measure(stand, server, database.person)
    folder = stand.folder / "postgres"
    folder.mkdir()
    cluster = stand.enter(postgres.Postgres(folder, "fsync=off"))
    copy = postgres.Copy(cluster, database)
    with service.Server(copy, env={**ENV, **copy.env}) as server:
        server.pids.append(cluster.process.pid)
        both = _measure(stand, server, database.person)
    print(f"\n## Pages, {database.trades:,} trades, {person.DELIVERIES:,} deliveries of one "
          "endpoint, one request at a time\n")
    header("page", "bytes", "CPU us, SQLite", "to the API's page", "p50 ms", "p99 ms",
           "CPU us, PostgreSQL", "to SQLite", "p50 ms", "p99 ms")
    for name, ours in sqlite.items():
        its = both[name]
        row(name, f"{of(ours, 'bytes'):,.0f}", f"{of(ours, 'cpu_us'):,.0f}",
            spread(ratios(ours, sqlite[API], "cpu_us")), *_times(ours),
            f"{of(its, 'cpu_us'):,.0f}", spread(ratios(its, ours, "cpu_us")), *_times(its))
    print("\nCPU of PostgreSQL's column: the server and PostgreSQL together.", flush=True)


def _times(runs):
    return [f"{of(runs, field) / 1000:.2f}" for field in ("p50_us", "p99_us")]


def _measure(stand, server, who):
    """{name: a run for each round}"""
    cases = {API: (PAGE, server.keyed()),
             **{name: (target, person.headers(who, name))
                for name, target in person.pages(who).items()}}
    for target, headers in cases.values():
        for _ in range(WARM_UP):
            server.get(target, headers)
    runs = {name: [] for name in cases}
    for _ in range(stand.options.rounds):
        for name, (target, headers) in cases.items():
            result = stand.load(server, target, headers, connections=1)
            if result["refused"]:
                raise machine.Failed(f"{target}: {result}")
            runs[name].append(result)
    return runs

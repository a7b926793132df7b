"""The same page from Fastify on PostgreSQL: requests per second, each on one core."""
import fastify
import postgres
from figures import of, ratios, spread
from pages import TRADES
from stand import PAGE

CONNECTIONS = 64


def run(stand):
    server = stand.server(TRADES)
    folder = stand.folder / "postgres"
    folder.mkdir()
    cluster = stand.enter(postgres.Postgres(folder))
    companion = stand.enter(fastify.Fastify(cluster, fastify.find_node(), server))
    ours, its = [], []
    for _ in range(stand.options.rounds):
        for side, runs in ((server, ours), (companion.server, its)):
            runs.append(stand.load(side, PAGE, server.keyed(), connections=CONNECTIONS))
    print(f"\n## Fastify on PostgreSQL, {TRADES:,} trades, {CONNECTIONS} connections\n")
    print(f"{of(ours, 'rps'):,.0f} requests/s against {of(its, 'rps'):,.0f}: "
          f"{spread(ratios(ours, its, 'rps'))} times; CPU {of(ours, 'cpu_us'):.2f} against "
          f"{of(its, 'cpu_us'):.0f} us (Node and PostgreSQL)", flush=True)

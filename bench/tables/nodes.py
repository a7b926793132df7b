"""What several servers cost: Redis, two and three servers instead of one on the same core, until a
publication is visible on all of them, and claims of webhooks with a long backlog."""
import datetime
import http.client
import json
import time

import backlog
import machine
import nodes
import sizes
from figures import header, of, rank, ratios, row, spread
from stand import PAGE

TRADES = sizes.trades(10_000)
CONNECTIONS = 60  # of all servers together
COUNTED = "/api/v1/filings?limit=1"
SECOND_US = 1_000_000
PUBLICATIONS = sizes.of(100, quick=40, smoke=2)
EVERY_MS = 100
COSTED = sizes.of(200, smoke=3)
ROWS = 5
LOOK_SECONDS = 0.0005
CALLERS, ADDRESSES = sizes.of(4_000, smoke=50), 250  # the callers are 127.1.0.1 and so on, so many of each /24
FORGOTTEN_MAX = 40  # a table of fixed size forgets a few callers (src/limits/shard.h)
BACKLOGS = sizes.of((5_000, 50_000, 500_000, 5_000_000), smoke=(2_000,))


def run(stand):
    site = nodes.Site(stand, TRADES)
    alone = stand.enter(site.server(redis=False))
    three = [stand.enter(site.server()) for _ in range(3)]
    _show_redis(site, alone, three[0])
    _show_more(site, three)
    machine.stop(alone.process)
    _show_callers(site, three[0])
    _show_visible(stand, site, three)
    for server in three:
        machine.stop(server.process)
    _show_claims(site)


def _rounds(site, sides, target, headers, targets=None):
    """{name: runs}: each side is loaded once in a round, and another one first each time."""
    runs = {name: [] for name, _ in sides}
    for number in range(site.stand.options.rounds):
        turn = number % len(sides)
        for name, servers in sides[turn:] + sides[:turn]:
            runs[name].append(nodes.load(site, servers, target, headers, connections=CONNECTIONS,
                                         targets=targets))
    return runs


def _show_redis(site, without, with_redis):
    headers = without.keyed()
    print(f"\n## One server on PostgreSQL, with Redis and without, {CONNECTIONS} connections\n")
    header("request", "CPU us, without", "CPU us, with Redis", "ratio", "CPU us of Redis",
           "decisions a second of one core of Redis")
    many = site.stand.write_targets(f"{PAGE} {key}" for key in site.keys)
    cases = {"page": (PAGE, {}, None), f"page, {len(site.keys)} callers": (PAGE, {}, many),
             "304 of a list": (COUNTED, {"If-None-Match": "*"}, None)}
    for name, (target, more, targets) in cases.items():
        runs = _rounds(site, [("without", [without]), ("with", [with_redis])], target,
                       {**headers, **more}, targets)
        redis_us = of(runs["with"], "redis_us")
        row(name, f"{of(runs['without'], 'cpu_us'):.1f}", f"{of(runs['with'], 'cpu_us'):.1f}",
            spread(ratios(runs["with"], runs["without"], "cpu_us")), f"{redis_us:.1f}",
            f"{SECOND_US / redis_us:,.0f}")
    print("\nA decision is the look at a caller's windows that all servers share: one for each "
          "request.", flush=True)


def _show_more(site, servers):
    sides = [(count, servers[:count]) for count in (1, 2, 3)]
    runs = _rounds(site, sides, PAGE, servers[0].keyed())
    print(f"\n## Two and three servers on one core, with Redis, {CONNECTIONS} connections\n")
    header("servers", "CPU us of a page", "to one server", "requests/s", "to one server",
           "CPU us of Redis")
    for count, its in runs.items():
        row(count, f"{of(its, 'cpu_us'):.1f}", spread(ratios(its, runs[1], "cpu_us")),
            f"{of(its, 'rps'):,.0f}", spread(ratios(its, runs[1], "rps")),
            f"{of(its, 'redis_us'):.1f}")


def _ask_from(server, number):
    address = f"127.1.{number // ADDRESSES}.{1 + number % ADDRESSES}"
    connection = http.client.HTTPConnection("127.0.0.1", server.port, source_address=(address, 0))
    connection.request("GET", COUNTED)
    response = connection.getresponse()
    response.read()
    connection.close()
    if response.status != 200:
        raise machine.Failed(f"{COUNTED} from {address}: {response.status}")


def _counted(site):
    return int(site.postgres.value("SELECT count(*) FROM stockact.month_count"))


def _show_callers(site, server):
    """One request of each of many callers: what the counts of their months cost."""
    before, began = _counted(site), site.postgres.sessions()
    with site.watched([server]):
        for number in range(CALLERS):
            _ask_from(server, number)
        deadline = time.monotonic() + machine.PATIENCE_SECONDS
        while _counted(site) < before + CALLERS - FORGOTTEN_MAX:
            if time.monotonic() > deadline:
                raise machine.Failed("the counts of months are not written")
            time.sleep(LOOK_SECONDS)
    now = site.postgres.sessions()
    used = sum(now[pid] - was for pid, was in began.items() if pid in now)
    print(f"\nThe count of a caller's month, {CALLERS:,} callers: {used * SECOND_US / CALLERS:.0f} us "
          "of CPU of PostgreSQL for each write", flush=True)


def _newest(server):
    page = json.loads(server.get(f"{PAGE}?limit=1", server.keyed())[1])
    return page["data"][0]["disclosedAt"]


def _publish_all(site, servers, count):
    """Milliseconds from the instant of each publication until every server has shown it."""
    publishing = site.start("demo", "--publish", count, "--rows", ROWS, "--every",
                            f"{EVERY_MS}ms")
    took = []
    for line in publishing.stdout:
        at = json.loads(line)["disclosedAt"]
        deadline = time.monotonic() + machine.PATIENCE_SECONDS
        for server in servers:
            while _newest(server) < at:
                if time.monotonic() > deadline:
                    raise machine.Failed("a publication does not become visible")
                time.sleep(LOOK_SECONDS)
        instant = datetime.datetime.fromisoformat(at.replace("Z", "+00:00"))
        took.append((time.time() - instant.timestamp()) * 1000)
    if publishing.wait():
        raise machine.Failed(publishing.stderr.read())
    return took


def _cost(site, servers):
    """CPU us of all servers and of PostgreSQL's sessions for them, for each publication."""
    before, sessions = nodes.cpu_of(servers), site.postgres.sessions()
    site.run("demo", "--publish", COSTED, "--rows", ROWS)
    newest = max(_newest(server) for server in servers)
    while any(_newest(server) < newest for server in servers):
        time.sleep(LOOK_SECONDS)
    now = site.postgres.sessions()
    used = sum(now[pid] - was for pid, was in sessions.items() if pid in now)
    return [seconds * SECOND_US / COSTED for seconds in (nodes.cpu_of(servers) - before, used)]


def _show_visible(stand, site, servers):
    print(f"\n## From a publication to all servers, {ROWS} trades each\n")
    header("servers", "publications", "p50 ms", "p99 ms", "max ms", "CPU us of the servers",
           "CPU us of their PostgreSQL")
    running = list(servers)
    while running:
        with site.watched(running):
            took = _publish_all(site, running, PUBLICATIONS)
            costs = _cost(site, running)
        row(len(running), PUBLICATIONS, *(f"{rank(took, share):.0f}" for share in (0.5, 0.99, 1)),
            *(f"{cost:,.0f}" for cost in costs))
        machine.stop(running.pop().process)
    print("\nCounted from the instant in the trade, which is before its transaction is durable.",
          flush=True)


def _show_claims(site):
    queue = backlog.Backlog(site)
    print(f"\n## Claims of 256 webhook deliveries on PostgreSQL, {backlog.ENDPOINTS} endpoints\n")
    header("waiting", "statistics of the planner", "claimed", "blocks", "CPU us of PostgreSQL",
           "p50 ms")
    for waiting in BACKLOGS:
        queue.grow(waiting)
        for name, prepare in (("from before", lambda: None), ("fresh", queue.analyze)):
            prepare()
            told = queue.claim()
            row(f"{waiting:,}", name, told["claimed"], f"{told['blocks']:,.0f}",
                f"{told['cpu_us']:,.0f}", f"{told['p50_ns'] / 1e6:.1f}")
    print("\nHalf of the deliveries are due, the others tomorrow. Blocks, of 8 KiB, and CPU time are "
          "of one claim.", flush=True)

"""All other requests, relative to the plain first page of the same round."""
import cases
import machine
import service
import sizes
from figures import header, of, ratios, row, spread
from stand import PAGE

CONNECTIONS = 64
LIMITED_TRADES = sizes.of(9_999, smoke=999)  # a separate database, because a file has only one server
REFUSED_WITHIN = 1000   # requests
REQUESTS = sizes.of(None, smoke=REFUSED_WITHIN)  # of a load, so that some are refused


def run(stand, trades):
    server, limited = stand.server(trades), stand.server(LIMITED_TRADES, unlimited=False)
    facts = service.facts(stand.database(trades), server)
    tag = server.get(PAGE, server.keyed())[0].getheader("ETag")
    all_cases = [cases.Case("plain first page", PAGE), *cases.everything(facts, tag)]
    sides = [limited if case.limited else server for case in all_cases]
    files = [_check(stand, case, side) for case, side in zip(all_cases, sides)]
    runs = {case.name: [] for case in all_cases}
    for _ in range(stand.options.rounds):
        for case, side, file in zip(all_cases, sides, files):
            result = stand.load(side, PAGE, case.all_headers(side), targets=file,
                                connections=CONNECTIONS, requests=REQUESTS)
            if bool(result["refused"]) != (case.status >= 400):
                raise machine.Failed(f"{case.name}: {result}")
            runs[case.name].append(result)
    print(f"\n## Relative to the plain first page, {trades:,} trades, {CONNECTIONS} connections\n")
    header("request", "CPU us", "to the plain page", "requests/s", "bytes")
    plain = runs[all_cases[0].name]
    for name, its in runs.items():
        row(name, f"{of(its, 'cpu_us'):.2f}", spread(ratios(its, plain, "cpu_us")),
            f"{of(its, 'rps'):,.0f}", f"{of(its, 'bytes'):,.0f}")


def _check(stand, case, server):
    """Checks the case with one request, or requests until the limits are used up, and writes the
    targets for the load."""
    for _ in range(REFUSED_WITHIN if case.limited else 1):
        response, _ = server.get(case.targets[0], case.all_headers(server), expect=None)
        if response.status == case.status:
            return stand.write_targets(case.targets)
    raise machine.Failed(f"{case.name}: {response.status}")

"""The requests that are compared with the plain first page, with the expected statuses."""
import itertools


class Case:
    """targets: one or many (sent in random order). limited: sent to a server with real limits that
    are used up."""

    def __init__(self, name, targets, *, headers=None, key=True, status=200, limited=False):
        self.name = name
        self.targets = [targets] if isinstance(targets, str) else targets
        self.headers, self.key = headers or {}, key
        self.status, self.limited = status, limited

    def all_headers(self, server):
        return server.keyed(**self.headers) if self.key else self.headers


def first_pages(facts):
    pair = facts["pair"]
    house, slug = "chamber=house", f"politician_slug={facts['slug']}"
    ticker, since = f"ticker={facts['ticker']}", f"since={facts['since']}"
    both = f"politician_slug={pair['slug']}&ticker={pair['ticker']}"
    filters = [
        ("chamber", house),
        ("ticker", ticker),
        ("politician", slug),
        ("since, half of all", since),
        ("chamber, ticker", f"{house}&{ticker}"),
        ("chamber, politician", f"chamber={pair['chamber']}&politician_slug={pair['slug']}"),
        (f"politician, ticker ({pair['trades']} rows)", both),
        ("all four filters", f"{both}&chamber={pair['chamber']}&{since}"),
    ]
    yield Case("one of 100 tickers", [f"/api/v1/trades?ticker={t}" for t in facts["tickers"]])
    yield Case("one of 100 politicians",
               [f"/api/v1/trades?politician_slug={s}" for s in facts["slugs"]])
    for name, query in filters:
        yield Case(name, f"/api/v1/trades?{query}")


# The last full page is at least this many cursors before the end. Cursors are at least ten rows
# apart.
FULL_PAGES_END = -4


def fixed_places(facts):
    """One cursor at each depth: the cost of depth alone. A random cursor adds cold memory."""
    cursors = facts["cursors"]
    places = {"start": 0, **{f"{part} %": len(cursors) * part // 100 for part in (10, 50, 90)},
              "end": FULL_PAGES_END}
    for name, place in places.items():
        yield Case(f"cursor at {name}", f"/api/v1/trades?cursor={cursors[place]}")


def random_places(facts):
    def at_cursors(query):
        return [f"/api/v1/trades?{query}cursor={cursor}" for cursor in facts["cursors"]]

    yield Case("random cursor", at_cursors(""))
    yield Case("random cursor, chamber", at_cursors("chamber=house&"))
    yield Case("random cursor, ticker", at_cursors(f"ticker={facts['ticker']}&"))
    yield Case("random cursor, politician", at_cursors(f"politician_slug={facts['slug']}&"))
    yield Case("random cursor, limit=100", at_cursors("limit=100&"))
    yield Case("random cursor, CSV", at_cursors("format=csv&"))


def forms(facts, tag):
    gzip = {"Accept-Encoding": "gzip"}
    yield Case("limit=100", "/api/v1/trades?limit=100")
    yield Case("CSV", "/api/v1/trades?format=csv")
    yield Case("gzip, hit", "/api/v1/trades", headers=gzip)
    yield Case("304", "/api/v1/trades", headers={"If-None-Match": tag}, status=304)


def many_pages(facts):
    """Pages of 25 rows on average, far more than the cache of compressed pages can hold."""
    return [f"/api/v1/trades?limit={limit}&cursor={cursor}"
            for limit, cursor in itertools.product(range(15, 36), facts["cursors"])]


def refusals():
    bad = {"Authorization": "Bearer svc_" + "A" * 43}
    yield Case("401, unknown key", "/api/v1/trades", headers=bad, key=False, status=401)
    yield Case("429, keyed", "/api/v1/trades", status=429, limited=True)
    yield Case("429, no key", "/api/v1/trades", key=False, status=429, limited=True)
    yield Case("400, cursor", "/api/v1/trades?cursor=AQEAAAGh", status=400)


def others(facts):
    yield Case("no key", "/api/v1/trades", key=False)
    yield Case("profile", f"/api/v1/politicians/{facts['slug']}")
    yield Case("one of 100 profiles", [f"/api/v1/politicians/{slug}" for slug in facts["slugs"]])
    yield Case("ticker page", f"/api/v1/tickers/{facts['ticker']}")
    yield Case("one of 100 ticker pages", [f"/api/v1/tickers/{t}" for t in facts["tickers"]])
    yield Case("filings", "/api/v1/filings")


def everything(facts, tag):
    return [
        *first_pages(facts), *fixed_places(facts), *random_places(facts), *forms(facts, tag),
        *refusals(), *others(facts),
    ]

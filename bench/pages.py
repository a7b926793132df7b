"""The keyed first page and the servers that serve it, all with the same number of head and body
bytes."""
import companions
import sizes
from stand import PAGE

TRADES = sizes.trades(100_000)


class Pages:
    """.sides: (server, target) of ours, of three nginx configurations, and of the bare loop."""

    def __init__(self, stand):
        self.server = stand.server(TRADES)
        self.headers = self.server.keyed()
        self.head, self.body = companions.exchange(self.server.port, PAGE, self.headers)
        self.nginx = stand.enter(companions.Nginx(stand.folder, self.head, self.body))
        self.bare = stand.enter(companions.Bare(stand.tool("epoll_page"), stand.folder, self.head,
                                                self.body))
        self.sides = [(self.server, PAGE),
                      *((side, self.nginx.target) for side in self.nginx.pages),
                      (self.bare.server, self.bare.target)]


def turned(sides, turn):
    """Rotates the sides, so that a different one is first in each round."""
    return sides[turn % len(sides):] + sides[:turn % len(sides)]

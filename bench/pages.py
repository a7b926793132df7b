"""The keyed first page and the servers that it is compared on, all sending the same count of head
and body bytes."""
import companions
from stand import PAGE

TRADES = 100_000


class Pages:
    """.sides: (server, target); ours is the first, nginx the next three, the bare loop the last."""

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
    """Who comes first changes from round to round."""
    return sides[turn % len(sides):] + sides[:turn % len(sides)]

"""A server that is killed at random while it delivers to a receiver that counts. Nothing is lost. A
delivery that arrives twice has the same id, and was in flight when the server was killed: leased,
without a durable outcome.
"""
import asyncio
import collections
import random
import socket
import threading
import time

from operations import OPERATOR
from waiting import until

ENDPOINTS = 10       # of the Den plan
IN_FLIGHT_MAX = 16   # per endpoint
ANSWER_MS_MAX = 30
WAIT_SECONDS = 120
KILL_AFTER_S = (0.02, 0.4)
ALLOW = {"STOCKACT_WEBHOOK_ALLOW": "127.0.0.0/8"}


class Receiver:
    """Responds with 200 after a short random delay, on its own thread. An epoch is the life of one
    server: `came` has the deliveries of each epoch."""

    def __init__(self, dice):
        self.dice, self.epoch, self.connections = dice, 0, 0
        self.came = collections.defaultdict(list)  # epoch -> ids, in the order they came
        self.loop = asyncio.new_event_loop()
        self.server = self.loop.run_until_complete(
            asyncio.start_server(self._take, "127.0.0.1", 0, backlog=1024))
        self.port = self.server.sockets[0].getsockname()[1]
        self.thread = threading.Thread(target=self.loop.run_forever)
        self.thread.start()

    async def _take(self, reader, writer):
        self.connections += 1
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:-2])
                await reader.readexactly(int(fields[b"content-length"]))
                await self._answer(writer, fields[b"x-svc-delivery-id"].decode())
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # the sender was killed
        finally:
            self.connections -= 1
            writer.close()

    async def _answer(self, writer, delivery):
        self.came[self.epoch].append(delivery)
        await asyncio.sleep(self.dice.uniform(0, ANSWER_MS_MAX) / 1000)
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()

    def killed(self):
        """The sender was killed. Reads everything that it had sent."""
        until("what was sent has been read", lambda: not self.connections, WAIT_SECONDS)
        self.epoch += 1

    def close(self):
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        for task in asyncio.all_tasks(self.loop):
            task.cancel()
        self.server.close()
        self.loop.run_until_complete(asyncio.sleep(0.01))
        self.loop.close()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start(stand, port):
    server = stand.serve(env=ALLOW, listen=f"127.0.0.1:{port}")
    if not server.wait_ready():
        raise AssertionError(server.log_tail())
    return server


def deliveries(stand):
    rows = stand.site.database.read({"rows": "SELECT id, state FROM delivery ORDER BY no"})["rows"]
    return dict(rows)


def leased(stand):
    rows = stand.site.database.read(
        {"rows": "SELECT id FROM delivery WHERE lease_node IS NOT NULL"})["rows"]
    return {delivery for (delivery,) in rows}


def wait_delivered(stand, count):
    ends = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < ends:
        states = deliveries(stand)
        if len(states) == count and set(states.values()) == {"delivered"}:
            return states
        time.sleep(0.1)
    raise AssertionError(f"not delivered: {collections.Counter(states.values())} of {count}")


def check(receiver, states, in_hand):
    """Returns the number of repeated deliveries. in_hand: the deliveries in flight of each killed
    server."""
    last, again = {}, 0
    for epoch in sorted(receiver.came):
        for delivery in receiver.came[epoch]:
            if delivery in last:
                again += 1
                assert delivery in in_hand.get(last[delivery], ()), \
                    f"{delivery} came again, and was not in hand when server {last[delivery]} ended"
                assert epoch > last[delivery], f"{delivery} came twice from one server"
            last[delivery] = epoch
    lost, unknown = states.keys() - last.keys(), last.keys() - states.keys()
    assert not lost, f"{len(lost)} were never sent, such as {min(lost)}"
    assert not unknown, f"{len(unknown)} are of no delivery, such as {min(unknown)}"
    for epoch, held in in_hand.items():
        assert len(held) <= ENDPOINTS * IN_FLIGHT_MAX, f"{len(held)} in hand at kill {epoch}"
    return again


def run(workshop, kind, seed, publications, kills, done=lambda: None):
    """Publishes `publications` filings before each kill. Returns the numbers of delivered and of
    repeated deliveries."""
    dice = random.Random(seed)
    stand, receiver, port = workshop.stand(kind), Receiver(dice), free_port()
    in_hand = {}
    try:
        server = start(stand, port)
        for _ in range(ENDPOINTS):
            stand.site.must("webhooks", "add", "--email", OPERATOR, "--url",
                            f"http://127.0.0.1:{receiver.port}/", env=ALLOW)
        for _ in range(kills):
            publisher = stand.site.start("demo", "--publish", str(publications), "--rows", "1")
            time.sleep(dice.uniform(*KILL_AFTER_S))
            server.kill()
            in_hand[receiver.epoch] = leased(stand)
            receiver.killed()
            stand.ledger.killed("server")
            done()
            server = start(stand, port)
            _, errors = publisher.communicate(timeout=WAIT_SECONDS)
            assert publisher.returncode == 0, errors
        states = wait_delivered(stand, kills * publications * ENDPOINTS)
        assert server.stop() == 0, server.log_tail()
        return len(states), check(receiver, states, in_hand)
    finally:
        stand.close()
        receiver.close()

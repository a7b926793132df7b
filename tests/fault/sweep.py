"""The kill sweep: a program is killed at the n-th call of one kind, for every kind and every n.

    alone     a command, with no other program on the database: who comes next has to recover it
    beside    a command, beside a server that goes on and is asked
    empty     a command that makes the database
    start     the server, from its first call on
    serving   the server, from when it listens: counts, heartbeats, change notices, the stop

Each point is one run of one operation with everything before it done without faults. Points of one
place follow each other on one database, so that it is killed again and again.
"""
import collections
import dataclasses
import re
import signal
import subprocess
import time

from checker import Damaged
from operations import OPERATOR
from service import Fault
from workshop import TRADES

CALLS = ("pwrite64", "fdatasync", "ftruncate", "unlink", "fchown", "fcntl", "pread64", "write",
         "writev", "sendto", "recvfrom", "poll", "flock")
CHAIN = 20          # points on one database
MANY, STRIDE = 2000, 8  # of an operation with more calls than that of a kind, every n-th is a point
SERVING_SECONDS = 20


@dataclasses.dataclass(frozen=True)
class Point:
    kind: str
    place: str
    operation: str
    call: str
    n: int  # of the calls of one thread

    @property
    def fault(self):
        return Fault(self.call, str(self.n))

    def __str__(self):
        return f"{self.kind} {self.place} {self.operation} {self.call} {self.n}"


class Counting(Fault):
    """In a fault's place: lists the calls instead."""

    def __init__(self, file):
        super().__init__("all", "0")
        object.__setattr__(self, "file", file)

    def _options(self):
        return ["-f", "-o", self.file, "-e", f"trace={','.join(CALLS)}"]

    def most(self):
        """{call: how often the thread made it that made it most often}"""
        calls = collections.Counter()
        with open(self.file, errors="replace") as lines:
            for line in lines:
                match = re.match(r"(\d+) +(\w+)\(", line)
                if match:
                    calls[match.groups()] += 1
        most = collections.Counter()
        for (_, call), count in calls.items():
            most[call] = max(most[call], count)
        return most


# The operations. What they stand on is made without a fault.

def _address(stand):
    return f"member{len(stand.ledger.operations)}@example.org"


def _minted(stand):
    email = _address(stand)
    stand.driver.account(email)
    return stand.driver.mint(email, email).answers[0]


def _some(stand, sql):
    return stand.site.database.read({"some": sql + " ORDER BY id DESC LIMIT 1"})["some"][0][0]


def _mint(stand, fault):
    email = _address(stand)
    stand.driver.account(email)
    return stand.driver.mint(email, email, fault=fault)


def _plan(stand, fault):
    now = _some(stand, f"SELECT plan, id FROM account WHERE email = '{OPERATOR}'")
    return stand.driver.plan(OPERATOR, "pack" if now == "den" else "den", fault=fault)


def _withdraw_trade(stand, fault):
    stand.driver.publish(1, 2)
    trade = _some(stand, "SELECT id FROM trade WHERE withdrawn_at IS NULL")
    return stand.driver.withdraw(trade, fault=fault)


def _withdraw_filing(stand, fault):
    stand.driver.publish(1, 2)
    filing = _some(stand, "SELECT id FROM filing WHERE state = 'published'")
    return stand.driver.withdraw(filing, fault=fault)


COMMANDS = {
    "account": lambda stand, fault: stand.driver.account(_address(stand), fault=fault),
    "mint": _mint,
    "revoke": lambda stand, fault: stand.driver.revoke(_minted(stand)["id"], fault=fault),
    "plan": _plan,
    "publish": lambda stand, fault: stand.driver.publish(1, 6, fault=fault),
    "publish-3": lambda stand, fault: stand.driver.publish(3, 2, fault=fault),
    "withdraw-trade": _withdraw_trade,
    "withdraw-filing": _withdraw_filing,
}


def _serve_script(stand, server):
    """Two times the counts are written, commands change keys and publish, and it is stopped."""
    key = stand.ledger.of("mint")[0].answers[0]
    minted = _minted(stand)
    for _ in range(2):
        stand.driver.request(key)
        stand.driver.request(minted)
        stand.driver.publish(1, 2)
        if server.wait_ended(0.6):
            return
    stand.driver.revoke(minted["id"])
    stand.driver.request(key)
    server.process.terminate()
    server.wait_ended(SERVING_SECONDS)


def _last_known_alive(stand):
    """No later than the kill: the last request that it answered."""
    answered = [one.ended_at for one in stand.ledger.of("request") if one.acknowledged]
    return max(answered, default=time.monotonic())


def _end(stand, server):
    """True if it was killed. One that the fault missed must have ended well, or is stopped."""
    if server.running:
        server.stop()
    server.close()
    status = server.process.returncode
    if status == -signal.SIGKILL:
        stand.ledger.killed("server", since=_last_known_alive(stand))
    elif status != 0:
        raise Damaged(f"the server ended with {status}: {server.log_tail()}")
    return status == -signal.SIGKILL


def _run_alone(stand, point, fault):
    operation = COMMANDS[point.operation](stand, fault)
    stand.checker.check()
    return operation.killed


def _run_beside(stand, point, fault):
    server = stand.driver.server or stand.serve()
    if server.port is None and not server.wait_ready():
        raise Damaged(f"no server starts: {server.log_tail()}")
    operation = COMMANDS[point.operation](stand, fault)
    stand.checker.check(server)
    return operation.killed


def _run_empty(stand, point, fault):
    """Whatever is there of a database afterwards is made whole by doing the same again."""
    arguments = EMPTY[point.operation]
    killed = stand.site.run(*arguments, fault=fault).killed
    stand.site.must("migrate")
    trades = stand.site.database.read({"n": "SELECT count(*) AS n FROM trade"})["n"][0][0]
    if trades not in (0, TRADES):
        raise Damaged(f"{trades} of {TRADES} trades are there")
    if trades == 0:
        stand.site.must("demo", "--trades", str(TRADES))
    stand.checker.check()
    return killed


def _run_start(stand, point, fault):
    server = stand.serve(fault=fault)
    if server.wait_ready():
        stand.driver.request(stand.ledger.of("mint")[0].answers[0])
    killed = _end(stand, server)
    stand.checker.check()
    return killed


def _run_serving(stand, point, fault):
    server = stand.serve()
    if not server.wait_ready():
        raise Damaged(f"no server starts: {server.log_tail()}")
    tracer = fault.attach(server.process.pid)
    try:
        _serve_script(stand, server)
        killed = _end(stand, server)
    finally:
        if server.running:
            server.kill()
        tracer.wait()
        tracer.stderr.close()
    stand.checker.check()
    return killed


EMPTY = {"migrate": ["migrate"], "demo": ["demo", "--trades", str(TRADES)]}
PLACES = {"alone": (_run_alone, COMMANDS), "beside": (_run_beside, COMMANDS),
          "empty": (_run_empty, EMPTY), "start": (_run_start, ["serve"]),
          "serving": (_run_serving, ["serve"])}


def points(workshop, kind, places=tuple(PLACES)):
    """Every point, found by running each operation once while its calls are listed."""
    found = []
    for place in places:
        run, operations = PLACES[place]
        for operation in operations:
            stand = workshop.empty(kind) if place == "empty" else workshop.stand(kind)
            counting = Counting(str(workshop.folder / f"{place}-{operation}.calls"))
            run(stand, Point(kind, place, operation, "", 0), counting)
            stand.close()
            found += [Point(kind, place, operation, call, n)
                      for call, most in sorted(counting.most().items())
                      for n in range(1, most + 1, STRIDE if most > MANY else 1)]
    return found


def chains(found):
    """Points of one kind and place that share a database."""
    groups = collections.defaultdict(list)
    for point in found:
        groups[point.kind, point.place].append(point)
    return [group[i:i + (1 if place == "empty" else CHAIN)] for (_, place), group in groups.items()
            for i in range(0, len(group), 1 if place == "empty" else CHAIN)]


def _stop_server(stand):
    """At the end of a chain, the server that commands were killed beside."""
    server = stand.driver.server
    if server and server.running:
        if server.stop() != 0:
            raise Damaged(f"the server did not stop: {server.log_tail()}")
        stand.checker.check()


def _run_point(stand, point, last):
    killed = PLACES[point.place][0](stand, point, point.fault)
    if last:
        _stop_server(stand)
    return killed


def run_chain(workshop, chain, done, is_over=lambda: False):
    """Runs the points; done(point, killed, finding) for each. After a finding it goes on with
    another database."""
    make = workshop.empty if chain[0].place == "empty" else workshop.stand
    stand = None
    try:
        for point in chain:
            if is_over():
                break
            stand = stand or make(point.kind)
            try:
                done(point, _run_point(stand, point, point is chain[-1]), None)
            except (Damaged, RuntimeError, OSError, subprocess.SubprocessError) as finding:
                done(point, False, finding)
                stand.close()
                stand = None
    finally:
        if stand:
            stand.close()

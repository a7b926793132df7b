"""The kill sweep: a program is killed at the n-th call of one kind, for every kind and every n.

    alone     a command, with no other program on the database: the next program must recover it
    beside    a command, beside a server that keeps running and gets requests
    empty     a command that creates the database
    start     the server, from its first call on
    serving   the server, from the time it listens: counts, heartbeats, change notices, the stop

Each point is one run of one operation, with everything before it done without faults. Points of one
place follow each other on one database, so that it is killed repeatedly.
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
CHAIN = 20          # points per database
# If an operation makes more than MANY calls of a kind, only every STRIDE-th is a point.
MANY, STRIDE = 2000, 8
SERVING_SECONDS = 120


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
    """Used in place of a fault: lists the calls."""

    def __init__(self, file):
        super().__init__("all", "0")
        object.__setattr__(self, "file", file)

    def _options(self):
        return ["-f", "-o", self.file, "-e", f"trace={','.join(CALLS)}"]

    def most(self):
        """Returns {call: the maximum number of such calls in one thread}."""
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


# The operations. Their preconditions are created without a fault.

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


def _reinstate_trade(stand, fault):
    stand.driver.publish(1, 2)
    trade = _some(stand, "SELECT id FROM trade WHERE withdrawn_at IS NULL")
    stand.driver.withdraw(trade)
    return stand.driver.reinstate(trade, fault=fault)


def _reinstate_filing(stand, fault):
    """One of its trades was withdrawn before, and stays withdrawn."""
    stand.driver.publish(1, 3)
    filing = _some(stand, "SELECT id FROM filing WHERE state = 'published'")
    stand.driver.withdraw(f"{filing}-0002")
    stand.driver.withdraw(filing)
    return stand.driver.reinstate(filing, fault=fault)


def _set_filer(stand, fault):
    stand.driver.publish(1, 3)
    filing = _some(stand, "SELECT id FROM filing WHERE state = 'published'")
    other = _some(stand, "SELECT m.slug, m.id FROM member m WHERE m.no <>"
                         f" (SELECT member_no FROM filing WHERE id = '{filing}')")
    return stand.driver.set_filer(filing, other, fault=fault)


COMMANDS = {
    "account": lambda stand, fault: stand.driver.account(_address(stand), fault=fault),
    "mint": _mint,
    "revoke": lambda stand, fault: stand.driver.revoke(_minted(stand)["id"], fault=fault),
    "plan": _plan,
    "publish": lambda stand, fault: stand.driver.publish(1, 6, fault=fault),
    "publish-3": lambda stand, fault: stand.driver.publish(3, 2, fault=fault),
    "withdraw-trade": _withdraw_trade,
    "withdraw-filing": _withdraw_filing,
    "reinstate-trade": _reinstate_trade,
    "reinstate-filing": _reinstate_filing,
    "set-filer": _set_filer,
}


def _serve_script(stand, server):
    """The counts are written twice, commands change keys and publish, and the server is stopped."""
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
    """The time of its last response, which is not later than the kill."""
    answered = [one.ended_at for one in stand.ledger.of("request") if one.acknowledged]
    return max(answered, default=time.monotonic())


def _end(stand, server):
    """Returns True if it was killed. A program that the fault missed must have succeeded, or is
    stopped."""
    if server.running:
        server.stop()
    server.close()
    status = server.process.returncode
    if status == -signal.SIGKILL:
        stand.ledger.killed("server", since=_last_known_alive(stand))
    elif status != 0:
        raise Damaged(f"the server exited with {status}: {server.log_tail()}")
    return status == -signal.SIGKILL


def _run_alone(stand, point, fault):
    operation = COMMANDS[point.operation](stand, fault)
    stand.checker.check()
    return operation.killed


def _run_beside(stand, point, fault):
    server = stand.driver.server or stand.serve()
    if server.port is None and not server.wait_ready():
        raise Damaged(f"the server does not start: {server.log_tail()}")
    operation = COMMANDS[point.operation](stand, fault)
    stand.checker.check(server)
    return operation.killed


def _run_empty(stand, point, fault):
    """Doing the same again must complete whatever is left of the database."""
    arguments = EMPTY[point.operation]
    killed = stand.site.run(*arguments, fault=fault).killed
    stand.site.must("migrate")
    trades = stand.site.database.read({"n": "SELECT count(*) AS n FROM trade"})["n"][0][0]
    if trades not in (0, TRADES):
        raise Damaged(f"{trades} of {TRADES} trades exist")
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
        raise Damaged(f"the server does not start: {server.log_tail()}")
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
    """Returns every point. Runs each operation once and lists its calls."""
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
    """Groups of points of one kind and place that share a database."""
    groups = collections.defaultdict(list)
    for point in found:
        groups[point.kind, point.place].append(point)
    return [group[i:i + (1 if place == "empty" else CHAIN)] for (_, place), group in groups.items()
            for i in range(0, len(group), 1 if place == "empty" else CHAIN)]


def _stop_server(stand):
    """At the end of a chain, stops the server beside which commands were killed."""
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
    """Runs the points and calls done(point, killed, finding) for each. After a finding it continues
    with another database."""
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

"""Failing calls: a call of one kind fails at its n-th time, once or permanently, for every kind of
call, every error that it can return, and every n. No acknowledged operation may be lost, nothing
may take longer than HANG_SECONDS, and no response may be wrong. A program may fail, and may exit.

    alone    a command with no other program on the database
    empty    a command that creates the database
    start    the server, from its first call on
    serving  the server, from the time it listens

The operations, and the way their calls are counted, are those of the kill sweep (sweep.py).
"""
import dataclasses
import http.client
import itertools
import json
import signal
import subprocess
import time

import sweep
from checker import Damaged
from runner import setting
from service import Fault
from workshop import TRADES

HANG_SECONDS = 60
CHAIN = 24        # points per database, which is checked at the end
BURST = 4         # calls, for errors that would be retried forever
# Points per call and error of an operation: the first ones and some of the others, or every one.
TIMES_MAX = 10**9 if setting("WHOLE", 0) else 40

READS = ("pread64", "newfstatat", "fstat", "lseek")  # after them nothing is in doubt
READING = {"check": ("check",), "status": ("status",), "log": ("log",)}  # commands that only read
FULL = ("ENOSPC", "EDQUOT", "EFBIG")  # a full disk, a quota, a file-size limit
FLUSHES = ("fdatasync", "fsync")

DISK = {
    "openat": ("EMFILE", "EACCES", "EDQUOT"), "newfstatat": ("EIO",), "fstat": ("EIO",), "lseek": ("EIO",),
    "read": ("EIO", "EINTR"), "pread64": ("EIO", "EINTR"),
    "write": ("EIO", *FULL, "EINTR"), "pwrite64": ("EIO", *FULL, "EINTR"),
    "fdatasync": ("EIO", "ENOSPC", "EDQUOT"), "fsync": ("EIO", "ENOSPC", "EDQUOT"),
    "ftruncate": ("EIO", *FULL), "fallocate": (*FULL, "EINTR"), "fcntl": ("ENOLCK", "EINTR"), "flock": ("ENOLCK",),
    "unlink": ("EIO",), "close": ("EIO",), "mmap": ("ENOMEM",), "munmap": ("ENOMEM",),
}
NETWORK = {
    "socket": ("EMFILE",), "connect": ("ECONNREFUSED",), "poll": ("EINTR",),
    "sendto": ("ECONNRESET", "EINTR"), "recvfrom": ("ECONNRESET", "EINTR"),
    "accept4": ("EMFILE", "ECONNABORTED"), "epoll_ctl": ("ENOMEM",), "epoll_wait": ("EINTR",),
    "epoll_pwait": ("EINTR",), "writev": ("EPIPE", "EINTR"), "sendmsg": ("ECONNRESET",),
    "eventfd2": ("EMFILE",), "clone3": ("EAGAIN",), "shutdown": ("ENOTCONN",),
    "setsockopt": ("ENOBUFS",), "timerfd_settime": ("EIO",),
}
ERRORS = {**DISK, **NETWORK}
PASSING = ("EINTR", "ECONNABORTED")  # errors that mean "try again": they are not permanent
PASSING_CALLS = ("accept4",)         # without any descriptors no error can be reported

NOT_LOADED = "error while loading shared libraries"

# A program without memory aborts (CONTRIBUTING.md, "Code"). So does a server that does not know
# whether a commit succeeded, and libuv if it cannot read its own eventfd, which no kernel does.
ABORTS_AT = ("ENOMEM", "EAGAIN")


@dataclasses.dataclass(frozen=True)
class Point:
    kind: str
    place: str
    operation: str
    call: str
    n: int
    error: str
    lasting: bool

    @property
    def fault(self):
        again = self.error in PASSING or self.call in PASSING_CALLS
        when = f"{self.n}" if not self.lasting else \
            f"{self.n}..{self.n + BURST}" if again else f"{self.n}+"
        return Failing(self.call, when, f"error={self.error}")

    def __str__(self):
        return f"{self.kind} {self.place} {self.operation}: {self.fault}"


class Failing(Fault):
    def command(self):
        """strace stops the program only at the calls in question, which takes a tenth of the time.
        It cannot do that when it attaches."""
        return ["strace", "-D", "-qqq", "--seccomp-bpf", *self._options()]


class Counting(sweep.Counting):
    def _options(self):
        return ["-f", "-o", self.file, "-e", f"trace={','.join(ERRORS)}"]


CHECKED_EVERY = {"alone": CHAIN, "empty": 1, "start": 6, "serving": 3}


class Hang(Exception):
    pass


def _may_abort(point, log):
    """A full disk is no reason to abort, unless a flush fails: then a commit is in doubt. A failed
    read never is."""
    if point.call in READS:
        return False
    if point.error in FULL and point.call not in FLUSHES:
        return False
    return point.error in ABORTS_AT or point.call == "read" or "commit failed" in log


def _standing(stand):
    return stand.ledger.of("mint")[0].answers[0]


def _timed(what, work):
    began = time.monotonic()
    result = work()
    if time.monotonic() - began > HANG_SECONDS:
        raise Hang(f"{what} took {time.monotonic() - began:.1f} s")
    return result


# Commands

def _run_alone(stand, point, fault):
    if point.operation == "backup":
        return _back_up(stand, point, fault)
    if point.operation in READING:
        return _read(stand, point, fault)
    return _timed(point.operation, lambda: sweep.COMMANDS[point.operation](stand, fault))


def _read(stand, point, fault):
    """Whole, or failed: a failed read is no damage of the database."""
    done = _timed(point.operation, lambda: stand.site.run(*READING[point.operation], fault=fault))
    if done.status not in (0, 1) and point.error not in ABORTS_AT and NOT_LOADED not in done.errors:
        raise Damaged(f"{point.operation} ended with {done.status}: {done.errors}")
    said = done.errors + str([one for one in done.lines if "unreadable" not in str(one)])
    if "damaged" in said or ("finding" in said and done.status == 0):
        raise Damaged(f"a failed call counts as damage: {said}")


def _back_up(stand, point, fault):
    """Checks that the backup is complete, or missing with a reason."""
    copy = stand.site.folder / "copy.db"
    done = _timed("backup", lambda: stand.site.run("backup", str(copy), fault=fault))
    if copy.exists() and (done.status == 0 or point.call != "unlink"):
        url = f"sqlite:{copy}"
        checked = subprocess.run([stand.site.program, "check", "--json"], capture_output=True,
                                 env={**stand.site.env, "STOCKACT_DATABASE": url}, check=False)
        if checked.returncode:
            raise Damaged(f"a partial backup: {done.errors} {checked.stderr}")
    elif done.status == 0:
        raise Damaged("an acknowledged backup is missing")
    for file in stand.site.folder.glob("copy.db*"):
        file.unlink()


def _run_empty(stand, point, fault):
    done = _timed(point.operation, lambda: stand.site.run(*sweep.EMPTY[point.operation],
                                                          fault=fault))
    stand.site.must("migrate")
    trades = stand.site.database.read({"n": "SELECT count(*) AS n FROM trade"})["n"][0][0]
    wanted = (TRADES,) if done.status == 0 and point.operation == "demo" else (0, TRADES)
    if trades not in wanted:
        raise Damaged(f"{trades} trades, not one of {wanted}")


# The server

def _ask(stand, server):
    """Requests a page with the key that existed from the start. It must be right or fail, and
    soon."""
    key = _standing(stand)
    operation = stand.ledger.intend("request", key_id=key["id"], target="/api/v1/trades?limit=5")
    began = time.monotonic()
    try:
        status, _, body = server.request("/api/v1/trades?limit=5", key["key"], HANG_SECONDS)
    except (OSError, http.client.HTTPException):
        if time.monotonic() - began >= HANG_SECONDS:
            raise Hang("a request got no response") from None
        return
    stand.ledger.acknowledge(operation, status)
    if status not in (200, 503):
        raise Damaged(f"a request with a valid key got {status}")
    if status == 200:
        page = json.loads(body)["data"]
        order = [(one["disclosedAt"], one["id"]) for one in page]
        if len(page) != 5 or order != sorted(order, reverse=True):
            raise Damaged("a page has the wrong content")


def _serve_script(stand, server):
    """Counts are written, commands change keys and publish, and the server is stopped."""
    for _ in range(2):
        _ask(stand, server)
        sweep.COMMANDS["publish"](stand, None)
        _ask(stand, server)
        if server.wait_ended(0.55):  # the counts have been written meanwhile
            return
    sweep.COMMANDS["mint"](stand, None)
    _ask(stand, server)


def _had_not_begun(status, log, log_before):
    """True if the loader could not load the program, or had no memory for itself."""
    return (status == 127 and NOT_LOADED in log) or \
        (status == -signal.SIGSEGV and log == log_before)


def _end(stand, point, server, began, log_before):
    """A server that had to lose its counts must say so with its exit status."""
    status = _timed("SIGTERM", server.stop) if server.running else server.process.wait()
    server.close()
    log = server.log_tail(20)
    aborted = status == -signal.SIGABRT and _may_abort(point, log)
    if status in (0, 1) or aborted or _had_not_begun(status, log, log_before):
        if status:
            stand.ledger.killed(f"server: {status}", since=began)
        return
    raise Damaged(f"the server exited with {status}: {server.log_tail()}")


def _of_server(stand, fault):
    """Among the server's writes, only those to the log may fail: an eventfd cannot."""
    if fault.call != "write":
        return fault
    return dataclasses.replace(fault, path=str(stand.site.folder / "serve.log"))


def _run_start(stand, point, fault):
    began = time.monotonic()
    fault = _of_server(stand, fault)
    server = stand.serve(fault=fault)
    log_before = server.log_tail(20)
    if _timed("the start", server.wait_ready):
        _ask(stand, server)
    _end(stand, point, server, began, log_before)


def _run_serving(stand, point, fault):
    began = time.monotonic()
    server = stand.serve()
    if not server.wait_ready():
        raise Damaged(f"the server does not start: {server.log_tail()}")
    tracer = _of_server(stand, fault).attach(server.process.pid)
    try:
        _serve_script(stand, server)
        _end(stand, point, server, began, None)
    finally:
        if server.running:
            server.kill()
        tracer.wait()
        tracer.stderr.close()


PLACES = {"alone": (_run_alone, [*sweep.COMMANDS, *READING, "backup"]),
          "empty": (_run_empty, list(sweep.EMPTY)),
          "start": (_run_start, ["serve"]), "serving": (_run_serving, ["serve"])}


def _stand(workshop, kind, place):
    return workshop.empty(kind) if place == "empty" else workshop.stand(kind)


def _times(most):
    """All n, or the first half of TIMES_MAX and the other half from the rest."""
    first = TIMES_MAX // 2
    if most <= TIMES_MAX:
        return range(1, most + 1)
    return [*range(1, first + 1), *range(first + 1, most + 1, (most - first) // first + 1)]


def points(workshop, kind, places=tuple(PLACES)):
    """Returns every point. Runs each operation once and lists its calls."""
    found = []
    for place in places:
        run, operations = PLACES[place]
        for operation in operations:
            if operation == "backup" and kind == "postgresql":
                continue  # not possible there
            stand = _stand(workshop, kind, place)
            counting = Counting(str(workshop.folder / f"failing-{kind}-{place}-{operation}.calls"))
            run(stand, Point(kind, place, operation, "", 0, "", False), counting)
            stand.close()
            found += [Point(kind, place, operation, call, n, error, lasting)
                      for call, most in sorted(counting.most().items())
                      for n in _times(most)
                      for error in ERRORS[call] for lasting in (False, True)]
    return found


def chains(found, rng):
    """Groups of points of one kind and place that share a database, in random order. Kinds and
    places alternate, so that an interrupted run has covered all of them."""
    found = list(found)
    rng.shuffle(found)
    groups = {}
    for point in found:
        groups.setdefault((point.kind, point.place), []).append(point)
    cut = [[group[i:i + CHAIN] for i in range(0, len(group), CHAIN)] for group in groups.values()]
    return [chain for turn in itertools.zip_longest(*cut) for chain in turn if chain]


def run_chain(workshop, chain, done):
    """Calls done(point, finding) for each point. A finding of the check at the end belongs to the
    last point."""
    stand = None
    for point in chain:
        stand = stand or _stand(workshop, point.kind, point.place)
        try:
            PLACES[point.place][0](stand, point, point.fault)
            if chain.index(point) % CHECKED_EVERY[point.place] == 0 or point is chain[-1]:
                stand.checker.check()
            done(point, None)
        except Exception as finding:  # an unexpected error
            done(point, finding)
            stand.close()
            stand = None
        if stand and point.place == "empty":
            stand.close()
            stand = None
    if stand:
        stand.close()

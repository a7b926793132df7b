"""The log of acknowledged operations: what was asked of the program, and what it said.

It is kept by the driver, outside the folder of the program, one JSON object per line, each line
flushed to the disk before the driver goes on: an intent before the program is asked, an
acknowledgement once it has answered. Three things can be known of an operation:

    acknowledged   the program said that it was done; from then on it must be found
    refused        the program said no, or failed: it is there whole or not at all
    open           no answer came (the program was killed): whole or not at all
"""
import dataclasses
import json
import os
import threading
import time

ACKNOWLEDGED, REFUSED, OPEN = "acknowledged", "refused", "open"


@dataclasses.dataclass
class Operation:
    number: int
    name: str             # publish, mint, revoke, plan, account, withdraw, request
    facts: dict           # what was asked
    asked_at: float       # time.monotonic() of the driver
    answers: list         # what came back; a publish of several gives one for each
    state: str = OPEN
    ended_at: float = None
    killed: bool = False  # the command, by SIGKILL
    reason: str = ""      # why it was refused

    @property
    def acknowledged(self):
        return self.state == ACKNOWLEDGED


class Ledger:
    def __init__(self, path):
        self.path = path
        self.operations = []
        self.kills = []      # (from, to) in time.monotonic(), of each since `settled`
        self.settled = {}    # key id -> draws that a check has seen in the database
        self.settled_from = 0  # operations before this one were settled
        self._lock = threading.Lock()
        self._file = open(path, "ab", buffering=0)

    def close(self):
        self._file.close()

    def _write(self, record):
        self._file.write(json.dumps(record).encode() + b"\n")
        os.fdatasync(self._file.fileno())

    def intend(self, name, **facts):
        with self._lock:
            operation = Operation(len(self.operations), name, facts, time.monotonic(), [])
            self.operations.append(operation)
            self._write({"intend": operation.number, "name": name, **facts})
        return operation

    def acknowledge(self, operation, answer):
        """The program said that it is done; may be said again where one operation has parts."""
        with self._lock:
            self._write({"acknowledge": operation.number, "answer": answer})
            operation.answers.append(answer)
            operation.state, operation.ended_at = ACKNOWLEDGED, time.monotonic()

    def refuse(self, operation, reason):
        with self._lock:
            self._write({"refuse": operation.number, "reason": reason})
            operation.reason = reason
            if operation.state == OPEN:
                operation.state, operation.ended_at = REFUSED, time.monotonic()

    def killed(self, how, since=None):
        """A server ended between `since` (now) and now, without a chance to write its counts."""
        with self._lock:
            self._write({"killed": how})
            now = time.monotonic()
            self.kills.append((now if since is None else since, now))

    def settle(self, draws):
        """A check has read these draws per key: what comes is counted from here."""
        with self._lock:
            self._write({"settle": draws})
            self.settled, self.settled_from, self.kills = dict(draws), len(self.operations), []

    def of(self, *names, since=0):
        return [one for one in self.operations[since:] if one.name in names]

    def draws(self, lost_seconds):
        """{key id: (least, most)} that the database may hold: everything granted but what was
        granted within `lost_seconds` before a kill; at most everything that was asked."""
        bounds = {key: [used, used] for key, used in self.settled.items()}
        for one in self.of("request", since=self.settled_from):
            least_most = bounds.setdefault(one.facts["key_id"], [0, 0])
            granted = one.acknowledged and one.answers[0] == 200
            may_be_lost = any(one.asked_at <= end and begin <= (one.ended_at or end) + lost_seconds
                              for begin, end in self.kills)
            least_most[0] += granted and not may_be_lost
            least_most[1] += granted or not one.acknowledged
        return bounds

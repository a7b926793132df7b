"""The log of acknowledged operations: requests to the program and its responses.

The driver keeps it outside the program's folder, as one JSON object per line. Each line is flushed
before the driver continues: an intent before the program is called, an acknowledgement after it has
responded. An operation is in one of three states:

    acknowledged   the program reported success; the operation must be found from then on
    refused        the program reported a failure: the operation exists completely or not at all
    open           no response (the program was killed): completely or not at all
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
    name: str             # publish, mint, revoke, plan, account, withdraw, reinstate, ...
    facts: dict           # the arguments
    asked_at: float       # time.monotonic() of the driver
    answers: list         # the responses; a publication of several filings has one for each
    state: str = OPEN
    ended_at: float = None
    killed: bool = False  # by SIGKILL
    reason: str = ""      # the reason of the failure

    @property
    def acknowledged(self):
        return self.state == ACKNOWLEDGED


class Ledger:
    def __init__(self, path):
        self.path = path
        self.operations = []
        self.kills = []      # (from, to) of each kill since `settled`, in time.monotonic()
        self.settled = {}    # key id -> counts that a check has read from the database
        self.settled_from = 0  # operations before this one are settled
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
        """Records success. May be repeated for an operation with several parts."""
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
        """Records that a server ended between `since` (default: now) and now without writing its
        counts."""
        with self._lock:
            self._write({"killed": how})
            now = time.monotonic()
            self.kills.append((now if since is None else since, now))

    def settle(self, draws):
        """Records the counts per key that a check has read: later requests are counted from
        here."""
        with self._lock:
            self._write({"settle": draws})
            self.settled, self.settled_from, self.kills = dict(draws), len(self.operations), []

    def of(self, *names, since=0):
        return [one for one in self.operations[since:] if one.name in names]

    def draws(self, lost_seconds):
        """Returns {key id: (least, most)} for the counts in the database. Least: all granted
        requests except those within `lost_seconds` before a kill. Most: all requests sent."""
        bounds = {key: [used, used] for key, used in self.settled.items()}
        for one in self.of("request", since=self.settled_from):
            least_most = bounds.setdefault(one.facts["key_id"], [0, 0])
            granted = one.acknowledged and one.answers[0] == 200
            may_be_lost = any(one.asked_at <= end and begin <= (one.ended_at or end) + lost_seconds
                              for begin, end in self.kills)
            least_most[0] += granted and not may_be_lost
            least_most[1] += granted or not one.acknowledged
        return bounds

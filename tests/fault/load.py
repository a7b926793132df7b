"""A mixed load on one site: commands that publish, mint and revoke, and callers with keys, until
stopped. Random kills and power cuts use it.
"""
import threading

from operations import OPERATOR
from service import CutOff

KEYS_MAX = 6  # of the operator's at a time; the plan allows 10


class Load:
    """Threads of requests and commands, which run until stop()."""

    def __init__(self, stand, *, publishers=2, callers=2):
        self.stand = stand
        self.over = threading.Event()
        self.broken = []       # an unexpected error of a thread
        work = [self._publish] * publishers + [self._call] * callers + [self._keys]
        self.threads = [threading.Thread(target=self._run, args=(one,)) for one in work]
        for thread in self.threads:
            thread.start()

    def _run(self, work):
        try:
            while not self.over.is_set():
                work()
        except CutOff:
            pass
        except Exception as broken:  # set by stop()
            self.broken.append(broken)
        self.stand.driver.server.close()

    def _publish(self):
        self.stand.driver.publish(2, 2)

    def _call(self):
        key = self.stand.ledger.of("mint")[0].answers[0]
        operation = self.stand.driver.request(key)
        if not operation.acknowledged:
            self.over.wait(0.02)  # the server is gone

    def _keys(self):
        driver, ledger = self.stand.driver, self.stand.ledger
        revoked = {one.facts["key_id"] for one in ledger.of("revoke")}
        mine = [told for one in ledger.of("mint")[1:] for told in one.answers
                if told["id"] not in revoked]
        if len(mine) >= KEYS_MAX:
            driver.revoke(mine[0]["id"])
        else:
            driver.mint(OPERATOR, f"key {len(ledger.operations)}")

    def stop(self, *, kill=False):
        """Lets running operations finish, or kills them."""
        self.over.set()
        if kill:
            self.stand.site.kill_commands()
        for thread in self.threads:
            thread.join()
        if self.broken:
            raise self.broken[0]

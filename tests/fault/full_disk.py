"""A disk that fills up while a server runs and is freed again, in cycles. A quota and a file-size
limit are full disks too (KINDS of disk.py):

    full       with the server's reserve beside the database, which it releases
    fuller     the released room is filled too: nothing can be written
    at the end of some cycles the server is stopped, or killed, while the disk is full
    freed      everything works again within HEAL_SECONDS, without a restart

All requests are served from memory at once. Commands succeed or say why not. A backup is complete
or does not exist.
"""
import http.client
import subprocess
import time

from checker import Damaged, draws_of, FACTS
from disk import KINDS
from service import Fault
from waiting import promised, until

DISK_MEBIBYTES = 64
ANSWER_SECONDS = promised(1.0)
HEAL_SECONDS = promised(5.0)
NOTICE_SECONDS = promised(5.0)
REQUESTS = 10


class FullDisk:
    """One site whose database is on a separate disk; its log and secrets are not."""

    def __init__(self, workshop, kind):
        self.disk = KINDS[kind](workshop.folder / f"disk of {kind}", DISK_MEBIBYTES)
        self.stand = workshop.stand("sqlite")
        site = self.stand.site
        site.database = site.database.copy_to(self.disk.folder)
        site.env["STOCKACT_DATABASE"] = site.database.url
        site.before = self.disk.before
        self.ballast = self.disk.folder / (site.database.file.name + ".ballast")
        self.key = self.stand.ledger.of("mint")[0].answers[0]
        self.answers, self.slowest, self.healed = {}, 0.0, []
        self._start()

    def close(self):
        self.stand.close()
        self.disk.close()

    def _start(self):
        self.drawn_before, self.first = self._drawn(), len(self.stand.ledger.operations)
        self.server = self.stand.serve()
        if not self.server.wait_ready():
            raise Damaged(f"the server does not start: {self.server.log_tail()}")
        self.began = time.monotonic()

    def _ask(self, requests=REQUESTS):
        for _ in range(requests):
            began = time.monotonic()
            operation = self.stand.driver.request(self.key)
            self.slowest = max(self.slowest, time.monotonic() - began)
            status = operation.answers[0] if operation.acknowledged else None
            self.answers[status] = self.answers.get(status, 0) + 1
            if status not in (200, 503) or time.monotonic() - began > ANSWER_SECONDS:
                raise Damaged(f"got {status} after {time.monotonic() - began:.2f} s")

    def _command(self):
        """Runs one of each command. A command may fail, and then must say why."""
        driver = self.stand.driver
        email = f"member{len(self.stand.ledger.operations)}@example.org"
        operations = [driver.publish(1, 3), driver.account(email)]
        for one in operations:
            if not one.acknowledged and "disk is full" not in one.reason:
                raise Damaged(f"{one.name}: {one.reason}")
        copy = self.disk.folder / "copy.db"
        done = self.stand.site.run("backup", str(copy))
        if done.status and "disk is full" not in done.errors:
            raise Damaged(f"backup: {done.errors}")
        left = list(self.disk.folder.glob("copy.db*"))
        if (done.status == 0) != (left == [copy]):
            raise Damaged(f"backup exited with {done.status} and left {left}")
        copy.unlink(missing_ok=True)
        return all(one.acknowledged for one in operations)

    def _drawn(self):
        return draws_of(self.stand.site.database.read(FACTS)).get(self.key["id"], 0)

    def _counts_are_written(self):
        """True if all requests granted by this server are counted in the store."""
        granted = sum(1 for one in self.stand.ledger.of("request", since=self.first)
                      if one.acknowledged and one.answers[0] == 200)
        return self._drawn() - self.drawn_before >= granted

    def cycle(self, number):
        self._ask()
        self.disk.fill(self.server)
        self._ask()
        until("the reserve is released", lambda: not self.ballast.exists(), NOTICE_SECONDS)
        self._ask()
        self._command()
        self.disk.fill(self.server)
        self._ask()
        self._command()
        if number % 5 == 3:
            self._end_while_full("killed")
        elif number % 5 == 4:
            self._end_while_full("stopped")
        self._free()

    def _free(self):
        self.disk.free(self.server)
        freed = time.monotonic()
        until("commands work again", self._command, HEAL_SECONDS)
        until("counts are written again", self._counts_are_written,
              HEAL_SECONDS - (time.monotonic() - freed))
        self.healed.append(time.monotonic() - freed)
        until("the reserve is there again", self.ballast.exists, HEAL_SECONDS)
        self._ask()
        self.stand.checker.check(self.server)

    def _end_while_full(self, how):
        """The exit status of a stopped server must say whether it could write its counts."""
        if how == "killed":
            self.server.kill()
            self.stand.ledger.killed("server", since=self.began)
        else:
            status = self.server.stop()
            if status not in (0, 1):
                raise Damaged(f"the server exited with {status}: {self.server.log_tail()}")
            if status:
                self.stand.ledger.killed("counts are lost", since=self.began)
        self.server.log_path.write_bytes(b"")  # a limit of the size of files is one of the log too
        late = self.stand.serve()
        if late.wait_ready():
            self._ask_of(late)
            late.stop()
        elif "disk is full" not in late.log_tail():
            raise Damaged(f"the server does not start on a full disk: {late.log_tail()}")
        self.disk.free(self.server)
        self._start()

    def _ask_of(self, server):
        try:
            status, _, _ = server.request("/healthz")
        except (OSError, http.client.HTTPException) as broken:
            raise Damaged(f"no response from a server that started on a full disk: {broken!r}") from None
        if status != 200:
            raise Damaged(f"/healthz is {status} on a full disk")

    def finish(self):
        """Stops the server with room on the disk: no granted request may be missing."""
        if self.server.stop() != 0:
            raise Damaged(f"the server did not stop cleanly: {self.server.log_tail()}")
        self.stand.checker.check()


def run(workshop, cycles, count=lambda *_: None, kind="a full disk"):
    """Returns (number of responses, slowest response, times to recover)."""
    full = FullDisk(workshop, kind)
    try:
        for number in range(cycles):
            full.cycle(number)
            count("cycles")
        full.finish()
        return full.answers, full.slowest, full.healed
    finally:
        full.close()


def write_beside(workshop, disk):
    """The database has room, the folder of a backup and of an output does not."""
    stand = workshop.stand("sqlite")
    copy, listing = disk.folder / "copy.db", disk.folder / "listing"
    listing.touch()
    disk.fill()
    for _ in range(2):
        done = stand.site.run("backup", str(copy))
        if done.status != 1 or "disk is full: the disk quota is used up" not in done.errors:
            raise Damaged(f"backup: {done.status} {done.errors}")
        if list(disk.folder.glob("copy.db*")):
            raise Damaged("a failed backup left files")
    with open(listing, "ab") as to:
        done = subprocess.run([stand.site.program, "accounts", "list"], env=stand.site.env,
                              stdout=to, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 1 or "standard output" not in done.stderr:
        raise Damaged(f"a list without room: {done.returncode} {done.stderr}")
    listing.unlink()
    disk.free()
    stand.site.must("backup", str(copy))
    stand.checker.check()
    stand.close()


class GrowthFault(Fault):
    """The file of one relation of PostgreSQL cannot grow."""

    def _options(self):
        calls = "pwrite64,pwritev,fallocate"
        return ["-f", "-o", "/dev/null", "-P", self.path, "-e", f"trace={calls}",
                "-e", f"inject={calls}:error=EDQUOT"]


def postgresql_quota(workshop):
    stand = workshop.stand("postgresql")
    cluster, name = workshop.cluster, stand.site.database.name
    server = stand.serve()
    if not server.wait_ready():
        raise Damaged(f"the server does not start: {server.log_tail()}")
    key = stand.ledger.of("mint")[0].answers[0]
    relation = cluster.psql(name, "SELECT pg_relation_filepath('trade')").strip()
    tracer = GrowthFault("", "", path=f"{cluster.folder}/data/{relation}").attach(
        cluster.process.pid)
    try:
        failed = stand.driver.publish(1, 400)
        if failed.acknowledged or "the disk is full" not in failed.reason:
            raise Damaged(f"publish: {failed.state} {failed.reason}")
        if stand.driver.request(key).answers != [200]:
            raise Damaged("a request is not answered")
        if not stand.driver.account("without-a-trade@example.org").acknowledged:
            raise Damaged("an account is not created, which needs no space")
    finally:
        tracer.terminate()
        tracer.wait()
        tracer.stderr.close()
    if not stand.driver.publish(1, 400).acknowledged:
        raise Damaged("nothing is published with room again")
    stand.checker.check(server)
    if server.stop() != 0:
        raise Damaged(f"the server did not stop cleanly: {server.log_tail()}")
    stand.close()

"""A database that stops, hangs, or is moved while a server runs, and comes back. Meanwhile the
server responds from memory at once, and commands say why they cannot work. When the database is
back, everything works again within HEAL_SECONDS, without a restart, and nothing acknowledged is
lost.
"""
import contextlib
import http.client
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import threading
import time

from checker import Damaged
from operations import OPERATOR
from proxy import Proxy
from waiting import promised, until

ANSWER_SECONDS = promised(1.0)
COMMAND_SECONDS = promised(15)
HEAL_SECONDS = promised(5.0)
NOTICE_SECONDS = promised(20.0)  # 12 s of silence count as a lost connection
PAUSE_SECONDS = 0.3  # so that a key's minute limit lasts for an outage
FLUSHES_ANSWERS = 5  # in this time a server would write its counts twice
STOP_SECONDS = promised(12)

LOST, BACK = "store does not answer", "store answers again"


class Asking:
    """A thread that sends requests all the time, with the key that existed from the start."""

    def __init__(self, stand, server):
        self._stand, self._server = stand, server
        self._key = stand.ledger.of("mint")[0].answers[0]
        self._over, self.wrong, self.slowest, self.answers = threading.Event(), [], 0.0, 0

    def __enter__(self):
        self._thread = threading.Thread(target=self._ask)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        self._thread.join()

    def go_on(self, answers):
        """Waits for that many more responses, so that there are requests to count."""
        enough = self.answers + answers
        until(f"{answers} more answers", lambda: self.answers >= enough or self.wrong,
              answers * (ANSWER_SECONDS + PAUSE_SECONDS))

    def _ask(self):
        while not self.wrong:
            operation = self._stand.ledger.intend("request", key_id=self._key["id"], target="/")
            began = time.monotonic()
            try:
                status, _, _ = self._server.request("/api/v1/trades?limit=1", self._key["key"])
            except (OSError, http.client.HTTPException) as broken:
                self.wrong.append(repr(broken))
                return
            self._stand.ledger.acknowledge(operation, status)
            took = time.monotonic() - began
            self.slowest, self.answers = max(self.slowest, took), self.answers + 1
            if status not in (200, 503) or took > ANSWER_SECONDS:
                self.wrong.append(f"answered {status} after {took:.2f} s")
            if self._over.wait(PAUSE_SECONDS):
                return


class Outage:
    """One stand with a server: `begin`, the outage, `end`."""

    def __init__(self, stand):
        self.stand, self.healed, self.slowest = stand, 0.0, 0.0
        self.asking = None  # during the outage
        self.server = stand.serve()
        if not self.server.wait_ready():
            raise Damaged(f"the server does not start: {self.server.log_tail()}")

    def _said(self, words):
        return self.server.log_path.read_text().count(words)

    def refused(self):
        """Runs a command that cannot work. It must fail soon and say why."""
        began = time.monotonic()
        operation = self.stand.driver.publish(1, 2)
        took = time.monotonic() - began
        if operation.acknowledged or not operation.reason or took > COMMAND_SECONDS:
            raise Damaged(f"publish: {operation.state} after {took:.1f} s: {operation.reason}")

    def works(self):
        return self.stand.driver.publish(1, 2).acknowledged

    def run(self, begin, end, meanwhile=None):
        lost, back = self._said(LOST), self._said(BACK)
        with Asking(self.stand, self.server) as asking:
            self.asking = asking
            begin()
            until("the server notices", lambda: self._said(LOST) > lost, NOTICE_SECONDS)
            (meanwhile or self.refused)()
            end()
            ended = time.monotonic()
            until("the server has healed", lambda: self._said(BACK) > back, HEAL_SECONDS)
            until("commands work again", self.works,
                  HEAL_SECONDS - (time.monotonic() - ended))
            self.healed = time.monotonic() - ended
        self.slowest = asking.slowest
        if asking.wrong or not asking.answers:
            raise Damaged(f"meanwhile: {asking.wrong[:3]}")
        if self._said(LOST) != lost + 1:
            raise Damaged("the log does not say exactly once that the store is unavailable")
        self.stand.checker.check(self.server)

    def finish(self):
        if self.server.stop() != 0:
            raise Damaged(f"the server did not stop cleanly: {self.server.log_tail()}")
        self.stand.checker.check()


# PostgreSQL

def _restartable(cluster, how):
    def begin():
        cluster.process.send_signal(how)
        cluster.process.wait()
    return begin, cluster.start


def _hung(cluster):
    """Stops the postmaster and all its children with SIGSTOP."""
    def each(which):
        children = pathlib.Path(f"/proc/{cluster.process.pid}/task/{cluster.process.pid}/children")
        for pid in [cluster.process.pid, *map(int, children.read_text().split())]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, which)
    return lambda: each(signal.SIGSTOP), lambda: each(signal.SIGCONT)


def _run_postgresql(workshop, of):
    stand = workshop.stand("postgresql")
    try:
        outage = Outage(stand)
        outage.run(*of(workshop.cluster))
        outage.finish()
        return outage
    finally:
        stand.close()


def stopped_fast(workshop):
    return _run_postgresql(workshop, lambda cluster: _restartable(cluster, signal.SIGINT))


def stopped_at_once(workshop):
    return _run_postgresql(workshop, lambda cluster: _restartable(cluster, signal.SIGQUIT))


def hung(workshop):
    return _run_postgresql(workshop, _hung)


def _run_behind_proxy(workshop, begin):
    proxy = Proxy(workshop.cluster)
    stand = workshop.stand("postgresql")
    stand.site.env["STOCKACT_DATABASE"] = proxy.url(stand.site.database.name)
    try:
        outage = Outage(stand)
        outage.run(lambda: begin(proxy), proxy.open)
        outage.finish()
        return outage
    finally:
        stand.close()
        proxy.close()


def network_cut(workshop):
    return _run_behind_proxy(workshop, Proxy.cut)


def network_stalled(workshop):
    return _run_behind_proxy(workshop, Proxy.stall)


def two_servers_split(workshop):
    """Two servers on one database; one of them loses it. A change by a command takes effect on the
    connected server at once, and on the other when it is back. The command names the server that
    has not seen the change."""
    proxy = Proxy(workshop.cluster)
    stand = workshop.stand("postgresql")
    direct = stand.site.env["STOCKACT_DATABASE"]
    stand.site.env["STOCKACT_DATABASE"] = proxy.url(stand.site.database.name)
    try:
        outage = Outage(stand)
        stand.site.env["STOCKACT_DATABASE"] = direct
        other = stand.serve()
        if not other.wait_ready():
            raise Damaged(f"the second server does not start: {other.log_tail()}")
        old = stand.driver.mint(OPERATOR, "old").answers[0]
        changed = {}

        def status(server, key):
            operation = stand.ledger.intend("request", key_id=key["id"], target="/")
            answer, _, _ = server.request("/api/v1/trades?limit=1", key["key"])
            stand.ledger.acknowledge(operation, answer)
            return answer

        def change():
            changed["new"] = stand.driver.mint(OPERATOR, "new").answers[0]
            stand.driver.revoke(old["id"])
            told = stand.site.run("accounts", "set-plan", "--email", OPERATOR, "--plan", "den")
            if told.status or "has not applied it yet" not in told.errors:
                raise Damaged(f"the command does not name the lost server: {told.errors}")
            answers = [status(server, key) for server in (other, outage.server)
                       for key in (changed["new"], old)]
            if answers != [200, 401, 401, 200]:
                raise Damaged(f"responses to the new and the old key: {answers}")

        outage.run(proxy.cut, proxy.open, change)
        if [status(outage.server, key) for key in (changed["new"], old)] != [200, 401]:
            raise Damaged("the server that is back has not applied the change")
        if other.stop() != 0:
            raise Damaged(f"the second server did not stop cleanly: {other.log_tail()}")
        outage.finish()
        return outage
    finally:
        stand.close()
        proxy.close()


# SQLite

def _run_sqlite(workshop, begin, end, meanwhile=None):
    stand = workshop.stand("sqlite")
    home = pathlib.Path(tempfile.mkdtemp(prefix="data-", dir=workshop.folder))
    stand.site.database = stand.site.database.copy_to(home)
    stand.site.env["STOCKACT_DATABASE"] = stand.site.database.url
    try:
        outage = Outage(stand)
        file = stand.site.database.file
        outage.run(lambda: begin(file), lambda: end(file),
                   meanwhile and (lambda: meanwhile(outage, file)))
        outage.finish()
        return outage
    finally:
        stand.close()


def file_moved(workshop):
    return _run_sqlite(workshop, lambda file: file.rename(file.with_suffix(".away")),
                       lambda file: file.with_suffix(".away").rename(file))


def folder_moved(workshop):
    def away(file):
        return file.parent.with_suffix(".away")
    return _run_sqlite(workshop, lambda file: file.parent.rename(away(file)),
                       lambda file: away(file).rename(file.parent))


def file_replaced(workshop):
    """Another file replaces the database. It is not touched. Then the old file is put back."""
    def begin(file):
        shutil.copy(file, file.with_suffix(".other"))
        file.rename(file.with_suffix(".away"))
        file.with_suffix(".other").rename(file)

    def end(file):
        file.with_suffix(".away").rename(file)

    def meanwhile(outage, file):
        before = file.read_bytes()
        if "after a restart" not in outage.server.log_tail(50):
            raise Damaged(f"the log does not say what to do: {outage.server.log_tail()}")
        outage.asking.go_on(FLUSHES_ANSWERS)
        if file.read_bytes() != before:
            raise Damaged("the other file was written to")
    return _run_sqlite(workshop, begin, end, meanwhile)


def folder_read_only(workshop):
    """Opening files in the folder fails. A running server has its files open and continues,
    commands fail, and a server can be started and stopped."""
    stand = workshop.stand("sqlite")
    home = pathlib.Path(tempfile.mkdtemp(prefix="read-only-", dir=workshop.folder))
    stand.site.database = stand.site.database.copy_to(home)
    stand.site.env["STOCKACT_DATABASE"] = stand.site.database.url
    mounted = False
    try:
        outage = Outage(stand)
        with Asking(stand, outage.server) as asking:
            subprocess.run(["mount", "--bind", home, home], check=True)
            mounted = True
            subprocess.run(["mount", "-o", "remount,bind,ro", home], check=True)
            outage.refused()
            subprocess.run(["umount", home], check=True)
            mounted = False
            began = time.monotonic()
            until("commands work again", outage.works, HEAL_SECONDS)
            outage.healed = time.monotonic() - began
        outage.slowest = asking.slowest
        if asking.wrong:
            raise Damaged(f"meanwhile: {asking.wrong[:3]}")
        outage.finish()
        return outage
    finally:
        if mounted:
            subprocess.run(["umount", "-l", home], check=False)
        stand.close()


def stopped_while_hung(workshop):
    """The counts cannot be written: the server must say so, and exit within the promised time."""
    stand = workshop.stand("postgresql")
    begin, end = _hung(workshop.cluster)
    try:
        outage = Outage(stand)
        began = time.monotonic()
        with Asking(stand, outage.server) as asking:
            asking.go_on(2)
            begin()
        asked = time.monotonic()
        status = outage.server.stop()
        outage.slowest = time.monotonic() - asked
        end()
        if status != 1 or outage.slowest > STOP_SECONDS:
            raise Damaged(f"exited with {status} after {outage.slowest:.1f} s")
        if "counts may be lost" not in outage.server.log_tail():
            raise Damaged(f"the log does not say why: {outage.server.log_tail()}")
        stand.ledger.killed("hung", since=began)
        stand.checker.check()
        return outage
    finally:
        end()
        stand.close()


def file_deleted(workshop):
    """Deleted permanently: the server responds from memory, creates no new file, and exits with
    1."""
    stand = workshop.stand("sqlite")
    home = pathlib.Path(tempfile.mkdtemp(prefix="deleted-", dir=workshop.folder))
    stand.site.env["STOCKACT_DATABASE"] = stand.site.database.copy_to(home).url
    try:
        outage = Outage(stand)
        with Asking(stand, outage.server) as asking:
            for file in home.iterdir():
                file.unlink()
            until("the server notices", lambda: LOST in outage.server.log_tail(50),
                  NOTICE_SECONDS)
            outage.refused()
            asking.go_on(2)
        outage.slowest = asking.slowest
        if asking.wrong or not asking.answers:
            raise Damaged(f"meanwhile: {asking.wrong[:3]}")
        status = outage.server.stop()
        left = [file.name for file in home.iterdir()]
        if status != 1 or left:
            raise Damaged(f"exited with {status}, and created {left}: {outage.server.log_tail()}")
        return outage
    finally:
        stand.close()


SCENARIOS = (stopped_fast, stopped_at_once, hung, network_cut, network_stalled, two_servers_split,
             stopped_while_hung, file_moved, folder_moved, file_replaced, file_deleted,
             folder_read_only)

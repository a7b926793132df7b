"""Random kills: under load, the server, all commands or everything is killed at a random time. Then
everything stops, and the checker runs. With PostgreSQL, the victim may also be one of its
processes, which ends all connections, or its postmaster.
"""
import contextlib
import os
import random
import signal
import subprocess
import time

from checker import Damaged
from load import Load

CHAIN = 20                 # kills per database
LOAD_SECONDS = (0.02, 0.9)  # before the kill
VICTIMS = {"sqlite": ("server", "server", "all", "all", "command"),
           "postgresql": ("server", "all", "command", "backend", "postmaster")}


def _kill(stand, victim, dice):
    server = stand.driver.server
    if victim in ("server", "all"):
        before = time.monotonic()
        server.process.kill()
        if victim == "all":
            stand.site.kill_commands()
        server.process.wait()
        stand.ledger.killed(victim, since=before)
    elif victim == "command":
        stand.site.kill_commands()
    elif victim == "backend":
        pids = stand.site.database.cluster.backends(stand.site.database.name)
        if pids:
            with contextlib.suppress(ProcessLookupError):  # it has exited by itself meanwhile
                os.kill(dice.choice(pids), signal.SIGKILL)
    else:
        stand.site.database.cluster.kill()
        stand.site.database.cluster.start()


def one_kill(stand, dice, victims):
    """Loads, kills and checks. A server that survives is stopped, and must have written
    everything."""
    server = stand.serve(env={"STOCKACT_BENCH_UNLIMITED": "1"})
    if not server.wait_ready():
        raise Damaged(f"the server does not start: {server.log_tail()}")
    load = Load(stand)
    try:
        load.over.wait(dice.uniform(*LOAD_SECONDS))
        victim = dice.choice(victims)
        _kill(stand, victim, dice)
    finally:
        load.stop(kill=victim == "all")
    if stand.site.database.kind == "postgresql":
        stand.site.database.cluster.wait()
    if server.running and server.stop() != 0:
        raise Damaged(f"the server did not exit cleanly: {server.log_tail()}")
    stand.site.servers.remove(server)
    stand.checker.check()
    return victim


def run_chain(workshop, kind, seed, done, is_over=lambda: False, kills=CHAIN):
    """Calls done(victim, finding) after each kill."""
    dice, stand = random.Random(seed), workshop.stand(kind)
    try:
        for number in range(kills):
            if is_over():
                break
            try:
                done(f"{kind} {one_kill(stand, dice, VICTIMS[kind])}", None)
            except (Damaged, RuntimeError, OSError, subprocess.SubprocessError) as finding:
                done(f"{kind} seed {seed} kill {number}", finding)
                stand.close()
                stand = workshop.stand(kind)
    finally:
        stand.close()

"""Power cuts: the database lies in a file system of its own, which is shut down under the programs
while they work, as a cut of the power would: what was not flushed is gone. What was acknowledged
must be there once it is mounted again.

The file system is ext4 in a file, mounted with commit=300, so that its journal writes nothing by
itself meanwhile. Needs root.
"""
import os
import pathlib
import random
import shutil
import subprocess
import time

from checker import Damaged
from load import Load

CHAIN = 20  # cuts of one file system
IMAGE_BYTES = 64 << 20
LOAD_SECONDS = (0.05, 1.2)


def why_not():
    """What is missing here; None: they can be tried."""
    if os.geteuid() != 0:
        return "power cuts need root"
    for program in ("mkfs.ext4", "xfs_io", "mount"):
        if not shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin:/sbin"):
            return f"power cuts need {program}"
    return None


def _do(*command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True,
                          env={"PATH": f"{os.environ['PATH']}:/usr/sbin:/sbin"})
    if done.returncode:
        raise RuntimeError(f"{command[0]}: {done.stderr.strip()}")


class Disk:
    """A file system that can be cut off."""

    def __init__(self, folder, name):
        self.image, self.mount_point = folder / f"{name}.ext4", folder / f"{name}.mounted"
        with open(self.image, "wb") as image:
            image.truncate(IMAGE_BYTES)
        self.mount_point.mkdir()
        _do("mkfs.ext4", "-q", "-F", self.image)
        self.mounted = False
        self.mount()

    def mount(self):
        _do("mount", "-o", "loop,commit=300", self.image, self.mount_point)
        self.mounted = True

    def unmount(self):
        _do("umount", self.mount_point)
        self.mounted = False

    def cut(self):
        """Nothing gets through any more, in either direction."""
        _do("xfs_io", "-x", "-c", "shutdown", self.mount_point)

    def close(self):
        if self.mounted:
            self.unmount()
        self.image.unlink()


def can_be_mounted(folder):
    """Loop devices are not to be had everywhere where we are root: what failed, or None."""
    try:
        Disk(pathlib.Path(folder), "trial").close()
        return None
    except (RuntimeError, OSError) as reason:
        return f"power cuts need a loop device: {reason}"


def one_cut(stand, disk, dice):
    server = stand.serve(env={"STOCKACT_BENCH_UNLIMITED": "1"})
    if not server.wait_ready():
        raise Damaged(f"no server starts: {server.log_tail()}")
    load = Load(stand, dice)
    try:
        load.over.wait(dice.uniform(*LOAD_SECONDS))
        before = time.monotonic()
        disk.cut()
    finally:
        server.kill()
        load.stop(kill=True)
    stand.ledger.killed("power cut", since=before)
    stand.site.servers.remove(server)
    disk.unmount()
    disk.mount()
    stand.checker.check()


def cut_after(workshop, work):
    """One cut right after work(stand), which ends by itself: what the checker finds, or None."""
    disk = Disk(workshop.folder, "once")
    try:
        folder = disk.mount_point / "site"
        folder.mkdir()
        stand = workshop.stand_in(folder)
        work(stand)
        disk.cut()
        disk.unmount()
        disk.mount()
        stand.checker.check()
        return None
    except Damaged as damage:
        return damage
    finally:
        disk.close()


def run_chain(workshop, seed, done, is_over=lambda: False, cuts=CHAIN):
    """done(finding) for each cut."""
    dice = random.Random(seed)
    disk = Disk(workshop.folder, f"disk-{seed}")
    stand = None
    try:
        folder = disk.mount_point / "site"
        folder.mkdir()
        stand = workshop.stand_in(folder)
        for _ in range(cuts):
            if is_over():
                break
            one_cut(stand, disk, dice)
            done(None)
    except (Damaged, RuntimeError, OSError, subprocess.SubprocessError) as finding:
        done(finding)
    finally:
        if stand:
            stand.close()
        disk.close()

"""Power cuts. The database is in its own file system, which is in a file. At the cut all programs
are stopped, the file is copied as it is, and the copy is mounted. It has everything that reached
the device, and nothing that was only in memory. Everything acknowledged must be in it.

The file system is ext4, mounted with commit=300, so that its journal writes nothing by itself
meanwhile. Needs root.

Shutting the file system down (xfs_io -x -c shutdown) is not a power cut: on Linux 6.18, five
processes that append and call fdatasync, without any database, lost 11 flushes in 40 such cuts,
although fdatasync had returned 0. In 40 cuts of this kind they lost none.
"""
import contextlib
import os
import pathlib
import random
import shutil
import signal
import subprocess
import time

from checker import Damaged
from load import Load

CHAIN = 20  # cuts per file system
IMAGE_BYTES = 64 << 20
UNMOUNT_SECONDS = 60
LOAD_SECONDS = (0.05, 1.2)
PATH = f"{os.environ['PATH']}:/usr/sbin:/sbin"


def why_not():
    """Returns the missing requirement, or None if cuts can run here."""
    if os.geteuid() != 0:
        return "power cuts need root"
    if not shutil.which("mkfs.ext4", path=PATH):
        return "power cuts need mkfs.ext4"
    return None


def _do(*command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True,
                          env={"PATH": PATH})
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
        """Retries: a child that another thread is starting holds our files until its exec."""
        ends = time.monotonic() + UNMOUNT_SECONDS
        while self.mounted:
            try:
                _do("umount", self.mount_point)
                self.mounted = False
            except RuntimeError:
                if time.monotonic() > ends:
                    raise
                time.sleep(0.02)

    @property
    def _copy(self):
        return self.image.with_suffix(".cut")

    def take(self):
        """Copies the device's current content. All writers are stopped."""
        _do("cp", "--sparse=always", self.image, self._copy)

    def remount_taken(self):
        """Mounts the copy and drops all writes after take(). No process may have a file open
        there."""
        self.unmount()
        os.replace(self._copy, self.image)
        self.mount()

    def close(self):
        if self.mounted:
            self.unmount()
        self.image.unlink()
        self._copy.unlink(missing_ok=True)


def can_be_mounted(folder):
    """Returns the error, or None. Loop devices are not available everywhere, even for root."""
    try:
        Disk(pathlib.Path(folder), "trial").close()
        return None
    except (RuntimeError, OSError) as reason:
        return f"power cuts need a loop device: {reason}"


def _is_stopped(pid):
    """True if all its threads are stopped, or it is gone."""
    with contextlib.suppress(OSError):
        for stat in pathlib.Path(f"/proc/{pid}/task").glob("*/stat"):
            if stat.read_text().rpartition(")")[2].split()[0] not in "TtZX":
                return False
    return True


def cut(site, disk):
    """A running system call ends first, but its caller never returns from it."""
    with site.gate:
        site.cut_off = True
        processes = [*site.commands, *(server.process for server in site.servers)]
        for process in processes:
            process.send_signal(signal.SIGSTOP)
        while not all(_is_stopped(process.pid) for process in processes):
            time.sleep(0.001)
        disk.take()
        for process in processes:
            process.kill()


def power_on(site, disk):
    disk.remount_taken()
    site.cut_off = False


def one_cut(stand, disk, dice):
    server = stand.serve(env={"STOCKACT_BENCH_UNLIMITED": "1"})
    if not server.wait_ready():
        raise Damaged(f"the server does not start: {server.log_tail()}")
    load = Load(stand)
    try:
        load.over.wait(dice.uniform(*LOAD_SECONDS))
        before = time.monotonic()
        load.over.set()
        cut(stand.site, disk)
    finally:
        server.kill()
        load.stop(kill=True)
    stand.ledger.killed("power cut", since=before)
    stand.site.servers.remove(server)
    power_on(stand.site, disk)
    stand.checker.check()


@contextlib.contextmanager
def site_on_disk(workshop, name):
    """Returns (stand, disk): a site that the program has just created there."""
    disk = Disk(workshop.folder, name)
    stand = None
    try:
        folder = disk.mount_point / "site"
        folder.mkdir()
        stand = workshop.stand_in(folder)
        yield stand, disk
    finally:
        if stand:
            stand.close()
        disk.close()


def run_chain(workshop, seed, done, is_over=lambda: False, cuts=CHAIN):
    """Calls done(finding) after each cut."""
    dice = random.Random(seed)
    try:
        with site_on_disk(workshop, f"disk-{seed}") as (stand, disk):
            for _ in range(cuts):
                if is_over():
                    break
                one_cut(stand, disk, dice)
                done(None)
    except (Damaged, RuntimeError, OSError, subprocess.SubprocessError) as finding:
        done(finding)

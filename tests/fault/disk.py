"""Disks that can be filled and freed: a tmpfs with a filler beside the database, a folder whose
programs get EDQUOT, or a limit of the size of files, and a btrfs with a quota.
"""
import contextlib
import errno
import os
import pathlib
import subprocess

from service import Fault

BLOCK = 64 * 1024
IMAGE_MEBIBYTES = 512
FILE_LIMIT = 40_000  # bytes: more than the index of the log has, less than the database has
UNLIMITED = "unlimited"


class NoDisk(Exception):
    """A small disk is not available here; the text says why."""


class Disk:
    def __init__(self, folder, mebibytes):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()
        made = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={mebibytes}m", "none",
                               self.folder], capture_output=True, text=True)
        if made.returncode:
            raise NoDisk(f"a tmpfs cannot be mounted: {made.stderr.strip()}")
        self.filler = self.folder / "filler"

    def before(self):
        """The words before a command that meets the limit."""
        return []

    def fill(self, server=None):
        """Fills the disk to the last byte."""
        handle = os.open(self.filler, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            for size in (BLOCK, 4096, 1):
                with contextlib.suppress(OSError):
                    while True:
                        os.write(handle, bytes(size))
        finally:
            os.close(handle)

    def free(self, server=None):
        self.filler.unlink(missing_ok=True)

    def close(self):
        subprocess.run(["umount", "-l", self.folder], check=True)
        self.folder.rmdir()


class BtrfsQuota(Disk):
    """A subvolume with a real quota, for files that a command writes. It is not for a database: a
    btrfs ends programs that map files, as SQLite does, with SIGBUS when the quota is used up. Other
    file systems do not, but few kernels are built with their quotas."""

    def __init__(self, folder, mebibytes):
        self.top, self.image = pathlib.Path(folder), pathlib.Path(f"{folder}.image")
        self.folder = self.top / "limited"
        self.filler = self.folder / "filler"
        self.top.mkdir()
        with open(self.image, "wb") as image:
            image.truncate(IMAGE_MEBIBYTES << 20)
        self._must("mkfs.btrfs", "-q", self.image)
        self._must("mount", "-o", "loop", self.image, self.top)
        try:
            self._must("btrfs", "subvolume", "create", self.folder)
            self._must("btrfs", "quota", "enable", self.top)
            self._must("btrfs", "qgroup", "limit", f"{mebibytes}M", self.folder)
        except NoDisk:
            self.close()
            raise

    @staticmethod
    def _must(*command):
        try:
            made = subprocess.run(command, capture_output=True, text=True, check=False)
        except FileNotFoundError:
            raise NoDisk(f"{command[0]} is not installed") from None
        if made.returncode:
            raise NoDisk(f"a quota cannot be set: {made.stderr.strip()}")

    def close(self):
        subprocess.run(["umount", "-l", self.top], check=True)
        self.top.rmdir()
        self.image.unlink()


class FileLimit:
    """A folder on any disk. Filling it limits the size of files (RLIMIT_FSIZE) for the server and
    for later programs."""

    def __init__(self, folder, _mebibytes):
        self.folder, self.bytes = pathlib.Path(folder), UNLIMITED
        self.folder.mkdir()

    def before(self):
        return ["prlimit", f"--fsize={self.bytes}:{UNLIMITED}"]

    def _set(self, size, server):
        self.bytes = size
        if server and server.running:
            subprocess.run([*self.before(), "--pid", str(server.process.pid)], check=True)

    def fill(self, server=None):
        self._set(FILE_LIMIT, server)

    def free(self, server=None):
        self._set(UNLIMITED, server)

    def close(self):
        pass  # removed with the workshop


class QuotaFault(Fault):
    """No file may grow. What is there can be overwritten, as on ext4 and XFS."""

    def _options(self):
        calls = "pwrite64,fallocate"
        return ["-f", "-o", "/dev/null", "-P", f"{self.path}-wal", "-P", f"{self.path}.ballast",
                "-P", str(pathlib.Path(self.path).parent / "copy.db"),
                "-e", f"trace={calls}", "-e", f"inject={calls}:error=EDQUOT"]


class Quota:
    """A folder on any disk. Filling it makes the calls fail that need space there, in the server
    and in later programs."""

    def __init__(self, folder, _mebibytes):
        self.folder, self.tracer, self.full = pathlib.Path(folder), None, False
        self.folder.mkdir()
        self.fault = QuotaFault("", "", path=str(self.folder / "stockact.db"))

    def before(self):
        return self.fault.command() if self.full else []

    def fill(self, server=None):
        self.full = True
        if server and server.running and not self.tracer:
            self.tracer = self.fault.attach(server.process.pid)

    def free(self, server=None):
        self.full = False
        if self.tracer:
            self.tracer.terminate()
            self.tracer.wait()
            self.tracer.stderr.close()
            self.tracer = None

    def close(self):
        self.free()


KINDS = {"a full disk": Disk, "a quota": Quota, "a file-size limit": FileLimit}

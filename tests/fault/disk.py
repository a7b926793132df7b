"""A small disk that can be filled and freed: a tmpfs with a filler beside the database."""
import contextlib
import errno
import os
import pathlib
import subprocess

BLOCK = 64 * 1024


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

    def fill(self):
        """Fills the disk to the last byte."""
        handle = os.open(self.filler, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            for size in (BLOCK, 4096, 1):
                with contextlib.suppress(OSError):
                    while True:
                        os.write(handle, bytes(size))
        finally:
            os.close(handle)

    def free(self):
        self.filler.unlink(missing_ok=True)

    def is_full(self):
        try:
            with open(self.folder / "probe", "wb") as probe:
                probe.write(b"x")
            return False
        except OSError as error:
            return error.errno == errno.ENOSPC
        finally:
            (self.folder / "probe").unlink(missing_ok=True)

    def close(self):
        subprocess.run(["umount", "-l", self.folder], check=True)
        self.folder.rmdir()

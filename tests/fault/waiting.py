"""Waiting for a condition that a program reaches by itself."""
import os
import time

from checker import Damaged


QUIET = os.environ.get("STOCKACT_QUIET_MACHINE") == "1"


def promised(seconds):
    """The limit of what the program promises to do in so many seconds: that on a quiet machine, and
    far more where other work delays it."""
    return seconds if QUIET else 10 * seconds + 5


def until(what, probe, seconds):
    """Returns the seconds it took."""
    began = time.monotonic()
    while not probe():
        if time.monotonic() - began > seconds:
            raise Damaged(f"not within {seconds} s: {what}")
        time.sleep(0.01)
    return time.monotonic() - began

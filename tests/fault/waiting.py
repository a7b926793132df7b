"""Waiting for a condition that a program reaches by itself."""
import time

from checker import Damaged


def until(what, probe, seconds):
    """Returns the seconds it took."""
    began = time.monotonic()
    while not probe():
        if time.monotonic() - began > seconds:
            raise Damaged(f"not within {seconds} s: {what}")
        time.sleep(0.01)
    return time.monotonic() - began

"""Waiting for what a program does by itself."""
import time

from checker import Damaged


def until(what, probe, seconds):
    """Seconds it took."""
    began = time.monotonic()
    while not probe():
        if time.monotonic() - began > seconds:
            raise Damaged(f"not within {seconds} s: {what}")
        time.sleep(0.01)
    return time.monotonic() - began

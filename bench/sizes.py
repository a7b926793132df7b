"""How much the tables measure, by the kind of run: --smoke and --quick on the command line."""
import sys

SMOKE = "--smoke" in sys.argv  # shows that the tables work; the figures mean nothing
QUICK = "--quick" in sys.argv


def of(whole, *, quick=None, smoke):
    """The constant of a table for this kind of run."""
    if SMOKE:
        return smoke
    return quick if QUICK and quick is not None else whole


def trades(count):
    return of(count, smoke=1_000)

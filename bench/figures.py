"""Figures of several rounds: what is printed of them."""
import math
import statistics


def median(numbers):
    return statistics.median(numbers)


def spread(numbers):
    """The median, and in brackets the least and the most."""
    return f"{median(numbers):5.2f} ({min(numbers):.2f}-{max(numbers):.2f})"


def of(runs, field):
    """The median of one field of several runs."""
    return median([run[field] for run in runs])


def ratios(these, those, field):
    """Round by round."""
    return [a[field] / b[field] for a, b in zip(these, those)]


def rank(numbers, share):
    """The number that `share` of all of them do not pass."""
    ordered = sorted(numbers)
    return ordered[math.ceil(share * len(ordered)) - 1]


def header(*names):
    print(f"| {' | '.join(names)} |")
    print("|---" * len(names) + "|")


def row(*cells):
    print(f"| {' | '.join(str(cell) for cell in cells)} |", flush=True)

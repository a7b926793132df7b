"""Formats the figures of several rounds."""
import math
import statistics


def median(numbers):
    return statistics.median(numbers)


def spread(numbers):
    """The median, and in brackets the minimum and maximum."""
    return f"{median(numbers):5.2f} ({min(numbers):.2f}-{max(numbers):.2f})"


def of(runs, field):
    """The median of one field of several runs."""
    return median([run[field] for run in runs])


def ratios(these, those, field):
    """The ratios of two lists of runs, round by round."""
    return [a[field] / b[field] for a, b in zip(these, those)]


def rank(numbers, share):
    """The quantile: the smallest number that is at least as large as `share` of them."""
    ordered = sorted(numbers)
    return ordered[math.ceil(share * len(ordered)) - 1]


def header(*names):
    print(f"| {' | '.join(names)} |")
    print("|---" * len(names) + "|")


def row(*cells):
    print(f"| {' | '.join(str(cell) for cell in cells)} |", flush=True)

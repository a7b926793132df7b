"""The test anything protocol, as cmocka, node and our own scripts print it."""
import re

CASE = re.compile(r"^\s*(ok|not ok) \d+(.*)$", re.MULTILINE)
SKIPPED = re.compile(r"#\s*skip", re.IGNORECASE)


def count_cases(text, bad):
    """[passed, failed, skipped]. A run that went bad without a failed case adds a failure."""
    count = [0, 0, 0]
    for verdict, rest in CASE.findall(text):
        # cmocka prints a skipped case as "not ok N # SKIP name"
        count[2 if SKIPPED.search(rest) else 1 if verdict == "not ok" else 0] += 1
    if bad and count[1] == 0:
        count[1] = 1
    return count

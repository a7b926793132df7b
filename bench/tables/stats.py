"""Groups and sums inside the process, by dimension and filter: what one page of GET /api/v1/stats
costs before it is printed, when it is asked first and when it is asked again before trades
change."""
import re
import subprocess

import machine
import sizes
from figures import header, row

SIZES = sizes.of((1_000_000, 5_000_000), quick=(1_000_000,), smoke=(1_000,))
LINE = re.compile(r"  groups of (.+) by ?(.*?)(, too many)?: (\d+) us, (\d+) us again, (\d+) trades, (\d+) rows")


def run(stand):
    print("\n## Groups and sums\n")
    header("stored", "trades", "grouped by", "CPU ms", "again", "trades of the filter", "groups on the page")
    for stored in SIZES:
        told = subprocess.run([stand.tool("feed_page"), "--groups", str(stored)], check=True,
                              stdout=subprocess.PIPE, text=True).stdout
        found = LINE.findall(told)
        if not found:
            raise machine.Failed(f"feed_page printed no groups: {told}")
        for trades, by, too_many, cpu_us, again_us, total, rows in found:
            row(f"{stored:,}", trades, by.replace(" ", ", ") or "nothing",
                f"{int(cpu_us) / 1000:.1f}", f"{int(again_us) / 1000:.2f}", "" if too_many else f"{int(total):,}",
                "too many" if too_many else rows)

"""Groups and sums inside the process, by dimension and filter: what one page of GET /api/v1/stats
costs before it is printed."""
import re
import subprocess

import machine
import sizes
from figures import header, row

TRADES = sizes.trades(1_000_000)
LINE = re.compile(r"  groups of (.+) by ?(.*?)(, too many)?: (\d+) us, (\d+) trades, (\d+) rows")


def run(stand):
    told = subprocess.run([stand.tool("feed_page"), "--groups", str(TRADES)], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    found = LINE.findall(told)
    if not found:
        raise machine.Failed(f"feed_page printed no groups: {told}")
    print(f"\n## Groups and sums, {TRADES:,} trades\n")
    header("trades", "grouped by", "CPU ms", "trades of the filter", "groups on the page")
    for trades, by, too_many, cpu_us, total, rows in found:
        row(trades, by.replace(" ", ", ") or "nothing", f"{int(cpu_us) / 1000:.1f}",
            "" if too_many else f"{int(total):,}", "too many" if too_many else rows)

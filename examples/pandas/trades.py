#!/usr/bin/env python3
"""Reads trades into a pandas DataFrame and answers a few questions about them.

    export SVC_API_URL=http://127.0.0.1:8080 SVC_API_KEY=svc_YOUR_KEY
    python3 trades.py

The parts between `# %%` lines are cells in VS Code, Spyder and JupyterLab (with jupytext). Needs
pandas 1.5 or newer.
"""
# %% Read the newest trades
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

import pandas as pd

BASE = os.environ.get("SVC_API_URL", "http://127.0.0.1:8080").rstrip("/")
KEY = os.environ.get("SVC_API_KEY")
ROWS = 2000


def get(path, **query):
    """The JSON body of a response. Waits if the rate limit is reached."""
    url = f"{BASE}/api/v1/{path}?{urllib.parse.urlencode(query)}"
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {KEY}"} if KEY else {})
    while True:
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if error.code != 429:
                raise
            wait = int(error.headers["Retry-After"])
            print(f"The rate limit is reached: waiting {wait} s", file=sys.stderr)
            time.sleep(wait)


def trades(rows=ROWS, **filters):
    """The newest trades that match the filters, as a DataFrame with one row for each."""
    found, cursor = [], None
    while len(found) < rows:
        page = get("trades", limit=100, **filters, **({"cursor": cursor} if cursor else {}))
        found += page["data"]
        cursor = page["nextCursor"]
        if cursor is None:
            break
    table = pd.json_normalize(found[:rows])
    table["tradeDate"] = pd.to_datetime(table["tradeDate"])
    table["disclosedAt"] = pd.to_datetime(table["disclosedAt"])
    return table


table = trades()
print(f"{len(table)} trades, disclosed {table.disclosedAt.min():%Y-%m-%d} to "
      f"{table.disclosedAt.max():%Y-%m-%d}")

# %% Trades a month, by side
by_month = table.groupby([table.tradeDate.dt.to_period("M"), "side"]).size().unstack(fill_value=0)
print("\nTrades a month, by side")
print(by_month.tail(6))

# %% Who trades most?
most = table.groupby("politician.name").agg(
    trades=("id", "count"), party=("politician.party", "first"), state=("politician.state", "first"))
print("\nMost trades")
print(most.sort_values("trades", ascending=False).head(5))

# %% What is bought, and what is sold?
sides = table.assign(bought=table.side.eq("buy"), sold=table.side.str.startswith("sell"))
tickers = sides.dropna(subset=["ticker"]).groupby("ticker")[["bought", "sold"]].sum()
print("\nMost traded symbols")
print(tickers.assign(all=tickers.sum(axis=1)).sort_values("all", ascending=False).head(5))

# %% How many trades have a conflict signal?
# A filing states a bracket for each amount, never the amount: add lower bounds, not midpoints.
signals = table.groupby("conflictSignal")["amountRange.min"].agg(["count", "sum"])
print("\nTrades without and with a conflict signal, and the sum of their lower bounds in dollars")
print(signals.rename(columns={"count": "trades", "sum": "at least"}))

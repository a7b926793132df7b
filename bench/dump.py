"""Invented bulk history in the form of the Senate Stock Watcher dump, for `stockact backfill`."""
import datetime
import itertools
import json
import uuid

FIRST_DAY = datetime.date(2023, 1, 2)  # in every senator's term, before any publication
DAYS = 300
ROWS = 5
SYMBOLS = [f"Q{a}{b}" for a, b in itertools.product("ABCDEFGH", repeat=2)]
AMOUNTS = ("$1,001 - $15,000", "$15,001 - $50,000", "$50,001 - $100,000")


def _printed(day):
    return day.strftime("%m/%d/%Y")


def _row(number, day):
    symbol = SYMBOLS[number % len(SYMBOLS)]
    return {
        "transaction_date": _printed(day - datetime.timedelta(days=10 + number % 20)),
        "owner": ("Self", "Spouse", "Joint")[number % 3],
        "ticker": symbol,
        "asset_description": f"Invented Holdings {symbol}, Inc. - Common Stock",
        "asset_type": "Stock",
        "type": ("Purchase", "Sale (Full)", "Sale (Partial)")[number % 3],
        "amount": AMOUNTS[number % len(AMOUNTS)],
        "comment": "--",
    }


def _filing(number, first, last):
    day = FIRST_DAY + datetime.timedelta(days=number % DAYS)
    return {
        "first_name": first,
        "last_name": last,
        "office": f"{last}, {first} (Senator)",
        "ptr_link": f"https://efdsearch.senate.gov/search/view/ptr/{uuid.uuid4()}/",
        "date_recieved": _printed(day),
        "transactions": [_row(number * ROWS + i, day) for i in range(ROWS)],
    }


def text(senators, trades):
    """Filings that are in no other dump."""
    names = itertools.cycle(senators)
    return json.dumps([_filing(i, *next(names)) for i in range(trades // ROWS)])

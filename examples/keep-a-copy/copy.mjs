// Keeps a copy of all published trades up to date (docs, "Keeping a copy up to date").
//
// get: takes a path and query, returns the parsed JSON body of a 200, throws at any other status
// copy: begins as {cursor: null, trades: new Map()}; store both together, in one transaction

/** Applies everything that changed since the last update. */
export async function update(get, copy) {
  for (;;) {
    const position = copy.cursor === null ? '' : `&cursor=${copy.cursor}`;
    const page = await get(`/api/v1/changes?limit=100${position}`);
    for (const { tradeId, trade } of page.data) {
      if (tradeId === null) continue; // about a filing alone
      if (trade === null) copy.trades.delete(tradeId);
      else copy.trades.set(tradeId, trade);
    }
    copy.cursor = page.lastCursor;
    if (page.nextCursor === null) return;
  }
}

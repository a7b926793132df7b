// Keeps a copy of all published trades up to date (docs, "Keeping a copy up to date").
//
// get: takes a path and query, returns the parsed JSON body of a 200
// copy: begins as {after: 0, trades: new Map()}; both must be stored together, in one transaction

/** Applies everything that changed since the last update. */
export async function update(get, copy) {
  for (;;) {
    const page = await get(`/api/v1/changes?after=${copy.after}&limit=100`);
    if (page.lastSeq < copy.after) throw new Error('the server was restored: begin a new copy');
    for (const { tradeId, trade } of page.data) {
      if (tradeId === null) continue; // about a filing alone
      if (trade === null) copy.trades.delete(tradeId);
      else copy.trades.set(tradeId, trade);
    }
    copy.after = page.lastSeq;
    if (page.nextCursor === null) return;
  }
}

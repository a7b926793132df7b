/*
 * Buffers the filings and trades of a bulk publication and writes them in groups, because a request
 * costs PostgreSQL as much as many rows. Only the steps of a publication call this
 * (publish_write.h).
 */
#pragma once

#include "store/public/filing.h"
#include "store/public/trade.h"

struct finding;
struct publish_pending;

struct publish_pending *publish_pending_create(struct db *db, int64_t now_ms);
void publish_pending_destroy(struct publish_pending *pending); /* NULL is fine */

/* Buffers a new filing that is public at once; its number is *ret_no. Copies the filing and its
 * trades. No other filing may be inserted meanwhile. */
enum err publish_pending_add_filing(
    struct publish_pending *pending, const struct filing_new *filing, int64_t *ret_no,
    struct fail *fail);

/* `finding` (NULL: no signal) must live until the trade is written. */
enum err publish_pending_add_trade(
    struct publish_pending *pending, const struct trade_new *trade, struct finding *finding,
    struct fail *fail);

/* Whether a filing with this id is buffered. */
bool publish_pending_has(const struct publish_pending *pending, struct str filing_id);

/* Writes everything buffered. */
enum err publish_pending_write(struct publish_pending *pending, struct fail *fail);

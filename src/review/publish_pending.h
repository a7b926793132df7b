/*
 * The filings and trades of a bulk publication that are not written yet: each request takes
 * PostgreSQL as long as many rows do. Only the steps of a publication call this (publish_write.h).
 */
#pragma once

#include "store/filing.h"
#include "store/trade.h"

struct finding;
struct publish_pending;

struct publish_pending *publish_pending_create(struct db *db, int64_t now_ms);
void publish_pending_destroy(struct publish_pending *pending); /* NULL is fine */

/* A new filing that is public at once, and that gets the number *ret_no. It and its trades are
 * copied. No other filing may be inserted meanwhile. */
enum err publish_pending_add_filing(
    struct publish_pending *pending, const struct filing_new *filing, int64_t *ret_no,
    struct fail *fail) MUST_CHECK;

/* `finding` (NULL: no signal) must live until the trade is written. */
enum err publish_pending_add_trade(
    struct publish_pending *pending, const struct trade_new *trade, struct finding *finding,
    struct fail *fail) MUST_CHECK;

/* Whether a filing with this id waits. */
bool publish_pending_has(const struct publish_pending *pending, struct str filing_id);

/* Writes all that waits. */
enum err publish_pending_write(struct publish_pending *pending, struct fail *fail) MUST_CHECK;

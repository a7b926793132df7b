/*
 * The Trade (spec 2.1) as it looks outside, the same in the feed, in profiles, in webhooks and,
 * less the conflict fields, in CSV. JSON comes in two parts, so that the feed can keep the first
 * one as written and exchange the second when a sweep changes the conflict signal:
 *
 *     head  {"id":"house-20026590-0003", ... ,"ownerType":"self",
 *     tail  "conflictSignal":false,"conflictReason":null}
 */
#pragma once

#include "noun/field.h"
#include "rule/model.h"

extern const struct shape_object shape_trade;
extern const struct shape_object shape_politician_ref;
extern const struct shape_object shape_amount_range;

void shape_trade_json(struct buf *b, const struct trade *trade); /* head and tail */
void shape_trade_head(struct buf *b, const struct trade *trade);
void shape_trade_tail(struct buf *b, struct str conflict_reason); /* null: no signal */
void shape_politician_ref_json(struct buf *b, const struct politician_ref *ref);

/* Writes counts of trades as objects (decisions 9 and 10). */
#pragma once

#include "base/json_out.h"
#include "feed/feed.h"

/* PoliticianCounts */
void counts_put_politician(struct json_out *j, const struct feed_politician *p);

/* TickerAggregates */
void counts_put_ticker(struct json_out *j, const struct feed_counts *counts, int64_t politicians);

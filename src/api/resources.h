/*
 * The functions of the operations, one file each. The gate calls them inside a read of the feed,
 * after it has read the parameters. They write the reply of call->x, and the gate sends it. The
 * fetch functions run on a worker, inside a snapshot of the store (deferred.h).
 */
#pragma once

#include "base/err.h"
#include "noun/param.h"

struct api_call;
struct db;

void trades_answer(struct api_call *call);       /* spec 4.1; trades.c */
void stats_answer(struct api_call *call);        /* stats.c */
void politicians_answer(struct api_call *call);  /* spec 4.2; politicians.c */
void tickers_answer(struct api_call *call);      /* spec 4.3; tickers.c */
void filings_answer(struct api_call *call);      /* spec 4.4; filings.c */
void people_answer(struct api_call *call);       /* decision 40; people.c */
void trade_stream_answer(struct api_call *call); /* decision 51; trade_stream.c, like the next */
void trade_export_answer(struct api_call *call); /* decision 51 */
void symbols_answer(struct api_call *call);      /* decision 40; symbols.c */
void committees_answer(struct api_call *call);   /* decision 40; committees.c, like the next */
void committee_answer(struct api_call *call);
void industries_answer(struct api_call *call);
void industry_answer(struct api_call *call);

/* Filters of the lists. Others are in feed/trade_filter.h and feed/feed.h. */
extern const struct param_table filings_params;
extern const struct param_table committee_params;
extern const struct param_table committees_params;
extern const struct param_table industries_params;
extern const struct param_table corrections_params;
extern const struct param_table changes_params;
extern const struct param_table events_params;

/* decisions 40, 43, 47; trade.c, filing.c, corrections.c, changes.c, coverage.c, events.c, usage.c
 */
enum err trade_fetch(struct api_call *call, struct db *db, struct fail *fail);
enum err filing_fetch(struct api_call *call, struct db *db, struct fail *fail);
enum err corrections_fetch(struct api_call *call, struct db *db, struct fail *fail);
enum err changes_fetch(struct api_call *call, struct db *db, struct fail *fail);
enum err events_fetch(struct api_call *call, struct db *db, struct fail *fail);
enum err coverage_fetch(struct api_call *call, struct db *db, struct fail *fail);
enum err usage_fetch(struct api_call *call, struct db *db, struct fail *fail);

void mcp_run(struct api_call *call, void *worker); /* mcp.c */

void healthz_answer(struct api_call *call); /* health.c */
void readyz_answer(struct api_call *call);
void metrics_answer(struct api_call *call); /* metrics.c */

/*
 * What is known of the reports of trades besides the rows of trades and filings (rule/lateness.h):
 * which trades an earlier report disclosed, or may have disclosed, and when history became public
 * here. Only exceptions are loaded: of most trades their own filing is the first report.
 *
 *     an amendment of the Senate   repeats a whole report. Without its original, or with one of
 *                                  which a row is not public, its trades may be old ones
 *     an amended row of the House  refers to one trade of another report
 *     a row of an earlier report   that was published later, and found its trade public
 */
#pragma once

#include "rule/lateness.h"
#include "store/public/trade.h"

struct trade_reports {
    struct trade_report_backfill *backfills; /* by publication */
    struct trade_report_filing *filings;     /* by number */
    struct trade_report_row *rows;           /* by filing and row */
    size_t backfill_count, backfill_room, filing_count, filing_room, row_count, row_room;
};

void trade_reports_init(struct trade_reports *r);
void trade_reports_finish(struct trade_reports *r);

/* Of all filings. */
enum err trade_reports_load(struct db *db, struct trade_reports *r, struct fail *fail);
/* Of one filing more. */
enum err trade_reports_add(
    struct db *db, int64_t filing_no, struct trade_reports *r, struct fail *fail);

/* The report of a trade of a filing that was filed at that instant, which is that day in
 * Washington. */
struct trade_report trade_report_of(
    const struct trade_reports *r, const struct trade_row *row, int64_t filed_at, int32_t filed);

/* The report of one trade. */
enum err trade_report_find(
    struct db *db, const struct trade_row *row, int64_t filed_at, struct trade_report *ret,
    struct fail *fail);

/* Visits the ids of the public filings whose reports depend on this one: those that amend it, and
 * later ones with trades that its rows repeat. Run no query on this connection inside it. */
typedef void trade_report_visit(void *ctx, struct str filing_id);
enum err trade_report_each_dependent(
    struct db *db, int64_t filing_no, trade_report_visit *visit, void *ctx, struct fail *fail);

/*
 * A trade as members of a view, for the partial `trades` and every other page that shows one.
 * Private to src/site.
 */
#pragma once

#include "feed/feed.h"
#include "html/link.h"
#include "rule/model.h"
#include "site/frame/page_call.h"

/* "Ann Reed sold NVDA, 2026-05-08" */
struct str trade_spoken(struct arena *arena, const struct trade *trade);

/* Sets the members of one trade:
 *
 *     id, href                        /trades/{id}
 *     spoken                          trade_spoken, the name of a link that shows only the date
 *     filingId, filingHref, row       /filings/{id}, and the number of the row in the document
 *     politician                      slug, name, href, chamber, chamberText, party, partyLetter,
 *                                     state, label ("House, D-CA")
 *     ticker, tickerHref              null: no symbol
 *     assetName, assetType, assetTypeText
 *     side, sideText, sold, bought    side is the API's name; sold and bought are true or false
 *     bracket, amountText             the key and the label of the range
 *     tradeDate                       a day; null: not stated
 *     disclosedAt, disclosedAtText, disclosedOn (the day in Washington)
 *     filingUrl                       the official document; null: none
 *     owner, ownerText                null: not stated
 *     flagged, conflictReason
 *
 * Adds the surrogate keys of the politician and the filing to the page. */
void trade_view_put(struct page_call *call, struct view *row, const struct trade *trade);

/* Whether a trade was reported late: late, onTime, lateUnknown (one of them is true), daysLate
 * (null: not known), oneDayLate, lateReason (a sentence). The partial `late` shows it. */
void trade_late_put(struct view *row, const struct lateness *lateness);

/* flagged, anyFlagged: by a committee list that was in force; flaggedLater, anyFlaggedLater: by one
 * later than the trade. For the partials flag_count and flag_number. */
void trade_flag_numbers_put(
    struct view *v, int64_t firm, int64_t later, const int64_t grades[CONFLICT_GRADE_COUNT]);
/* grades: those that there are, {grade, count, countText}; for the partial flag_grades. */
void trade_grades_put(struct view *v, const int64_t grades[CONFLICT_GRADE_COUNT]);
void trade_flag_counts_put(struct view *v, const struct feed_counts *counts);

/* How many were: late, lateUnknown, lateKnown, and as words lateText and so on; anyLate,
 * anyLateUnknown, noLateKnown (of none of some trades). Counts of late trades are shown with one of
 * the others, for the partial `late_count`. */
void trade_late_counts_put(struct view *v, const struct feed_counts *counts);

/* The members of `politician`. */
void trade_politician_put(struct view *v, const struct politician_ref *ref);

/* An address: the folder, such as "/trades/", and the encoded id; a null id: null. */
struct str trade_path(struct arena *arena, const char *folder, struct str id);
void trade_path_put(struct view *v, const char *name, const char *folder, struct str id);

/* The rows of a page as a table with this name, of the partial `trades`. `filters` and
 * `filter_count` are the query that the links to other pages keep. Call it inside a read of the
 * feed. */
void trade_table_put(
    struct page_call *call, const char *name, const struct feed_page *page, struct str path,
    const struct link_param *filters, size_t filter_count, const char *empty);

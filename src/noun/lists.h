/* The closed lists of core/, in the form that member tables refer to. */
#pragma once

#include "noun/field.h"
#include "rule/lateness.h"
#include "rule/model.h"

extern const struct shape_list shape_chambers;
extern const struct shape_list shape_sides;
extern const struct shape_list shape_side_filters; /* the sides, and SHAPE_SIDE_SELL */
extern const struct shape_list shape_states;       /* that members of Congress represent */
extern const struct shape_list shape_industries;   /* codes (market/industry.h) */
extern const struct shape_list shape_owners;
extern const struct shape_list shape_asset_types;
extern const struct shape_list shape_brackets;
extern const struct shape_list shape_option_types;
extern const struct shape_list shape_coupon_types;
extern const struct shape_list shape_filing_states;
extern const struct shape_list shape_date_doubts;
extern const struct shape_list shape_reviews;
extern const struct shape_list shape_entries;
extern const struct shape_list shape_ticker_bases;
extern const struct shape_list shape_correction_kinds;
extern const struct shape_list shape_change_kinds;
extern const struct shape_list shape_event_types;
extern const struct shape_list shape_data_kinds;
extern const struct shape_list shape_sample_kinds;  /* enum sample_kind + 1 */
extern const struct shape_list shape_report_states; /* those that /coverage counts */

/* The value with this name, in any letter case; 0: none. */
int shape_list_find(const struct shape_list *list, struct str name);

/* Different names with commas between them: bit v for each value v. False: it is none. */
bool shape_set_parse(const struct shape_list *list, struct str text, int64_t *ret);
/* The regular expression of such a text, which is in lower case. */
void shape_set_pattern(struct buf *b, const struct shape_list *list);

/* Both sells, as a filter. */
enum { SHAPE_SIDE_SELL = SIDE_COUNT };

/* Additions to the Trade that callers can ask for (decision 48). */
enum { SHAPE_FIELDS_NONE, SHAPE_FIELDS_DETAILS, SHAPE_FIELDS_DATES, SHAPE_FIELDS_COUNT };
extern const struct shape_list shape_fields;

extern const struct shape_list shape_bases;  /* enum conflict_basis */
extern const struct shape_list shape_grades; /* enum conflict_grade */
extern const struct shape_list shape_late_statuses;
extern const struct shape_list shape_late_reasons;
extern const struct shape_list shape_trade_sorts;  /* disclosed, traded */
extern const struct shape_list shape_ranks;        /* of members and symbols: SHAPE_RANK_* */
extern const struct shape_list shape_late_filters; /* enum late_status as true, false, unknown */

enum { SHAPE_RANK_NAME = 1, SHAPE_RANK_TRADES, SHAPE_RANK_CONFLICTS, SHAPE_RANK_LATE };
enum { SHAPE_SORT_DISCLOSED = 1, SHAPE_SORT_TRADED }; /* of shape_trade_sorts */

/* `true` and `false`, for parameters. */
enum { SHAPE_TRUE = 1, SHAPE_FALSE, SHAPE_TRUTH_COUNT };
extern const struct shape_list shape_truths;

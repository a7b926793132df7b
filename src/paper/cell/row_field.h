/*
 * The fields of a trade that a document states and people may change, by their API names: one table
 * for drafts, corrections and the comparison of both (spec 2.1, decision 29).
 */
#pragma once

#include "paper/cell/cell.h"
#include "rule/model.h"

enum row_field {
    ROW_TICKER,
    ROW_ASSET_NAME,
    ROW_ASSET_TYPE,
    ROW_SIDE,
    ROW_AMOUNT,
    ROW_TRADE_DATE,
    ROW_OWNER,
    ROW_DETAILS,
    ROW_FIELD_COUNT
};

enum {
    ROW_FIELD_TEXT_MAX = 16,
    ROW_FIELD_SPACE = 7000, /* of a normalized text: TICKER_SIZE_MAX or DETAILS_LINE_MAX */
    ROW_ASSET_NAME_MAX = 2000,
};

struct str row_field_name(enum row_field field); /* "assetName" */

/* The cell that the field is read from first. */
enum cell row_field_cell(enum row_field field);

/* The API's name, or the CSV's ("asset_name"). */
bool row_field_from_name(struct str name, enum row_field *ret);

/* The API's text, without quotes; null for null. Points into the values, into `space`, or to a
 * constant. */
struct str row_field_text(
    const struct row_values *values, enum row_field field, char space[static ROW_FIELD_TEXT_MAX]);

/* Parses such a text; an empty text is null if the field may be null. Tickers and details are
 * normalized into `space`, names are borrowed. ERR_INVALID names the accepted values, or a hidden
 * character (base/hidden.h): no person publishes one. */
enum err row_field_set(
    struct row_values *values, enum row_field field, struct str text,
    char space[static ROW_FIELD_SPACE], struct fail *fail);

/* The first hidden character among the texts of a trade, HIDDEN_NONE if there is none, and the
 * field that has it. */
int32_t row_values_hidden(const struct row_values *values, enum row_field *ret_field);

bool row_field_equal(const struct row_values *a, const struct row_values *b, enum row_field field);

/* The same values, with the texts copied into the arena. */
struct row_values row_values_copy(const struct row_values *values, struct arena *arena);

/* True if asset, side and amount are present, which a trade needs. */
bool row_values_are_whole(const struct row_values *values);

/*
 * A row that a person types from the page without seeing the stored row, and its comparison with
 * the stored row, field by field. Used for second entries and for the sample of published rows.
 * Pure.
 *
 * Only the fields that matter are typed. Letter case, punctuation, legal forms and the notation of
 * dates do not count as differences.
 */
#pragma once

#include "paper/cell/row_field.h"

enum blind_field {
    BLIND_ASSET,
    BLIND_TICKER,
    BLIND_SIDE,
    BLIND_AMOUNT,
    BLIND_TRADE_DATE,
    BLIND_NOTIFIED,
    BLIND_OWNER,
    BLIND_FIELD_COUNT
};

struct blind_row {
    struct row_values values; /* ticker, name, side, bracket, date and owner count */
    int32_t notified_date;    /* DAY_NONE */
};

extern const struct blind_row blind_row_none;

struct str blind_field_name(enum blind_field field);  /* as desk_set names it: "assetName" */
struct str blind_field_words(enum blind_field field); /* for people: "Asset" */
bool blind_field_from_name(struct str name, enum blind_field *ret);

/* The field of struct row_values; ROW_FIELD_COUNT for BLIND_NOTIFIED, which has none. */
enum row_field blind_row_field(enum blind_field field);

/* The text that blind_set reads again; null: not stated. Points into the row or into `space`. */
struct str blind_text(
    const struct blind_row *row, enum blind_field field, char space[static ROW_FIELD_TEXT_MAX]);

/* Parses the typed text. Empty: the page does not state the field. Dates may be typed as on the
 * page (month, day, year: 3/4/24, 03-04-2024, 030424) or as yyyy-mm-dd. The texts are copied into
 * the arena. ERR_INVALID names the accepted values. */
enum err blind_set(
    struct blind_row *row, enum blind_field field, struct str typed, struct arena *arena,
    struct fail *fail);

/* True if nothing was typed. */
bool blind_is_empty(const struct blind_row *row);

enum blind_verdict {
    BLIND_AGREES,
    BLIND_DIFFERS,
    BLIND_NOT_COMPARED, /* no symbol was typed: the stored one need not be on the page */
};

/* Assets agree if their names or their symbols agree. An owner that is not stated is the filer, so
 * it agrees with `self`, in either row. */
enum blind_verdict blind_compare(
    const struct blind_row *typed, const struct blind_row *stored, enum blind_field field);

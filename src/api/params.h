/*
 * The parameters of the API as one table: what each accepts, what it means when absent, how it is
 * described. Requests are read by it and OpenAPI and the docs print it, so that none of them can
 * say something else. Reading is strict (decision 17): an unknown, repeated, empty or wrong
 * parameter is refused with a hint that names it and says what is accepted; nothing is clamped.
 */
#pragma once

#include "api/errors.h"
#include "base/json_out.h"
#include "core/cursor.h"
#include "core/query.h"
#include "shape/field.h"

enum param_id {
    PARAM_TICKER,
    PARAM_POLITICIAN,
    PARAM_CHAMBER,
    PARAM_SINCE,
    PARAM_STATUS,
    PARAM_LIMIT,
    PARAM_CURSOR,
    PARAM_FORMAT,
    PARAM_UNTIL,
    PARAM_TRADED_FROM,
    PARAM_TRADED_TO,
    PARAM_SIDE,
    PARAM_OWNER,
    PARAM_ASSET_TYPE,
    PARAM_PARTY,
    PARAM_STATE,
    PARAM_AMOUNT_MIN,
    PARAM_CONFLICT,
    PARAM_Q,
    PARAM_COUNT
};

/* A set of parameters, as a route declares it: PARAM_BIT(PARAM_LIMIT) | PARAM_BIT(PARAM_CURSOR). */
#define PARAM_BIT(id) (1u << (id))

enum param_type {
    PARAM_TYPE_TICKER,  /* text: the symbol in its normal form */
    PARAM_TYPE_SLUG,    /* text: as param_politician writes it */
    PARAM_TYPE_CHOICE,  /* number: 1 + the place in choices */
    PARAM_TYPE_LISTED,  /* number: the value of the closed list */
    PARAM_TYPE_INSTANT, /* number: milliseconds */
    PARAM_TYPE_DAY,     /* number: the day */
    PARAM_TYPE_STATE,   /* text: two capital letters */
    PARAM_TYPE_TEXT,    /* text: as given */
    PARAM_TYPE_SEARCH,  /* text: as given; param_fold takes it */
    PARAM_TYPE_INTEGER,
    PARAM_TYPE_CURSOR, /* in param_values.cursor */
    PARAM_TYPE_COUNT
};

enum { PARAM_CONFLICT_TRUE = 1, PARAM_CONFLICT_FALSE = 2 };
enum { PARAM_FORMAT_JSON = 1, PARAM_FORMAT_CSV = 2 };

struct param {
    struct str name;
    struct str alias; /* another name for it; null: none */
    enum param_type type;
    const struct str *choices;     /* ends with the null string; NULL unless PARAM_TYPE_CHOICE */
    const struct shape_list *list; /* PARAM_TYPE_LISTED */
    int64_t min, max;              /* PARAM_TYPE_INTEGER */
    struct str absent_text;        /* how the docs print that; null: no default */
    struct str description;
    struct str example;
};

struct param_value {
    struct str text; /* decoded and normal; null: absent */
    int64_t number;
};

/* The tables; param_table.c. */
extern const struct param param_table[PARAM_COUNT];
extern const struct param_value param_absent[PARAM_COUNT]; /* of what is not given */

const struct param *param_info(enum param_id id);

struct param_values {
    uint32_t given; /* PARAM_BIT()s */
    struct param_value at[PARAM_COUNT];
    struct cursor cursor; /* when at[PARAM_CURSOR].text is not null */
};

struct param_refusal {
    enum error_code error;
    struct str hint; /* in the arena; null: the table's */
};

/* Reads what a route takes out of the pairs of its query string, whose verdict is handed on. Every
 * value is set, absent ones to their defaults. Texts live as long as the pairs or the arena.
 * false: refused. */
bool params_read(
    uint32_t takes, enum cursor_resource resource, const struct query_pairs *pairs,
    enum query_verdict verdict, struct arena *arena, struct param_values *ret_values,
    struct param_refusal *ret_refusal);

/* Does any pair ask for CSV? Asked before parameters are checked (decision 19). */
bool params_want_csv(const struct query_pairs *pairs);

/* A slug or id of a politician in any letter case, as the feed knows it: Bioguide ids in upper
 * case, all else in lower (decisions 7, 17). false: it cannot be one. */
bool param_politician(struct str text, struct arena *arena, struct str *ret);

/* The words of a text that was searched for (base/fold.h). false: there are none, or too many. */
bool param_fold(struct str text, struct arena *arena, struct str *ret);

/* What a parameter accepts, in words: `an integer from 1 to 100`. */
void param_accepts(struct buf *b, const struct param *param);

/* The JSON Schema of its value. */
void param_schema(struct json_out *j, const struct param *param);

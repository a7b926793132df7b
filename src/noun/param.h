/*
 * A query parameter as a table row: its name, the form of its value, its default and its words.
 * Requests are parsed by the row; OpenAPI and the reference are printed from it. The strings and
 * lists that a row points to are constants.
 *
 * Parsing is strict (decision 17): a value of another form is rejected, nothing is clamped. Names
 * of values may be in any letter case.
 */
#pragma once

#include "base/mem.h"
#include "noun/field.h"

enum param_type {
    PARAM_TYPE_TICKER,    /* text: the symbol in its normal form */
    PARAM_TYPE_SLUG,      /* text: as param_politician writes it */
    PARAM_TYPE_ID,        /* text: the id of a filing or trade, in lower case */
    PARAM_TYPE_COMMITTEE, /* text: the id of a committee, in upper case */
    PARAM_TYPE_LISTED,    /* number: the value of the closed list */
    PARAM_TYPE_INSTANT,   /* number: milliseconds */
    PARAM_TYPE_DAY,       /* number: the day */
    PARAM_TYPE_PARTY,     /* text: as given; param_party takes the value */
    PARAM_TYPE_SEARCH,    /* text: as given; param_fold takes it */
    PARAM_TYPE_INTEGER,   /* number: from min to max */
    PARAM_TYPE_SET,       /* number: bit v for each value v of the closed list */
    PARAM_TYPE_CURSOR,    /* opaque here; rule/cursor.h decodes it */
    PARAM_TYPE_COUNT
};

struct param {
    struct str name;
    struct str alias; /* another name for it; null: none */
    enum param_type type;
    const struct shape_list *list; /* PARAM_TYPE_LISTED, PARAM_TYPE_SET */
    int64_t min, max;              /* PARAM_TYPE_INTEGER; of texts: values with commas, 0: one */
    int64_t absent;                /* the number when the parameter is absent */
    struct str absent_text;        /* the same as the reference prints it; null: no default */
    struct str begin;              /* the end of a range: the name of its begin, which is a number
                                    * too and must not be greater; null: it is not one */
    bool shows;                    /* not a filter: how a list is shown */
    struct str description;
    struct str example; /* PARAM_TYPE_ID: param_accepts says it too */
};

/* A row of a table of parameters: its type, name, description, example, and more. */
#define PARAM_ROW(kind, called, says, shown, ...)                                                  \
    {                                                                                              \
        .type = (kind), .name = STR_INIT(called), .description = STR_INIT(says),                   \
        .example = STR_INIT(shown), __VA_ARGS__                                                    \
    }
#define PARAM(id, ...) [id] = PARAM_ROW(__VA_ARGS__) /* with its place there */

/* A value in its normal form. Numbers and texts that a type does not use are 0 and as given. */
struct param_value {
    struct str text; /* null: absent */
    int64_t number;
};

enum { PARAM_TABLE_MAX = 32 }; /* rows */

/* A table of parameters: an array of struct param, or of structs that begin with one. */
struct param_table {
    const void *rows;
    size_t count, row_size;
};

#define PARAM_TABLE(array)                                                                         \
    {                                                                                              \
        (array), sizeof(array) / sizeof *(array), sizeof *(array)                                  \
    }

static inline const struct param *param_table_at(const struct param_table *table, size_t i)
{
    return (const void *)((const char *)table->rows + i * table->row_size);
}

/* Parses a decoded value. On success *ret has its normal form, which lives as long as `text` and
 * the arena; on failure *ret is undefined. Not for PARAM_TYPE_CURSOR. */
bool param_parse(
    const struct param *param, struct str text, struct arena *arena, struct param_value *ret);

/* The end of a range that is before its begin. NULL: there is none. values[i] is the value of row
 * i. */
const struct param *param_backward(
    const struct param_table *table, const struct param_value *values);

/* What the parameter accepts, in words: `an integer from 1 to 100`. */
void param_accepts(struct buf *b, const struct param *param);

/* The JSON Schema of the value. */
void param_schema(struct json_out *j, const struct param *param);

/* The slug or id of a politician in any letter case, as the feed knows it: Bioguide ids in upper
 * case, everything else in lower case (decisions 7, 17). false: it cannot be one. */
bool param_politician(struct str text, struct arena *arena, struct str *ret);

/* The name of the party of a parsed PARAM_TYPE_PARTY: "Democrat" for "d". `number` is 0 if it is
 * not one of the usual parties: only trades can say whether there is such a party. */
struct str param_party(const struct param_value *value);

/* The words of a search text (base/fold.h). false: there are none, or too many. */
bool param_fold(struct str text, struct arena *arena, struct str *ret);

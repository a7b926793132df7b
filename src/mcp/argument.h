/*
 * The arguments of a tool, as a table. Both the input schema and the checks of a call come from it.
 * Checks are strict: for an argument that is unknown, of the wrong type or out of bounds, a
 * sentence names it and the accepted values, so that the caller can correct it. Null and the empty
 * string count as absent.
 */
#pragma once

#include <jansson.h>

#include "base/mem.h"
#include "noun/field.h"

enum { ARGUMENTS_MAX = 40 };

enum argument_kind {
    ARGUMENT_TEXT,
    ARGUMENT_SLUG,   /* text: letters, digits and hyphens, which a person's name is not */
    ARGUMENT_WHEN,   /* number: milliseconds; RFC 3339 with an offset, or a plain date in UTC */
    ARGUMENT_DAY,    /* text: a plain date; number: the day */
    ARGUMENT_LISTED, /* text: an element of a closed list, given in any letter case */
    ARGUMENT_SET,    /* text: different elements with commas between them */
    ARGUMENT_TRUTH,  /* text: true or false */
    ARGUMENT_INTEGER,
};

/* What becomes of the value. */
enum argument_use {
    ARGUMENT_FILTERS, /* a parameter of the API that leaves rows out */
    ARGUMENT_PAGES,   /* a parameter of the API that concerns the page */
    ARGUMENT_IS_OWN,  /* the tool's own: the API does not get it */
};

/* if_absent of an integer without a default. */
#define ARGUMENT_NO_NUMBER INT64_MIN

struct argument {
    struct str name;
    struct str alias; /* another name, which the schema does not show; null: none */
    enum argument_kind kind;
    enum argument_use use;
    bool required;
    bool several;                  /* of ARGUMENT_SLUG: with commas between them */
    bool to_end;                   /* of ARGUMENT_WHEN: a plain date means the end of that day */
    size_t length_max;             /* of texts and slugs, in characters */
    int64_t min, max, if_absent;   /* of ARGUMENT_INTEGER */
    const struct shape_list *list; /* of ARGUMENT_LISTED and ARGUMENT_SET */
    struct str begin;              /* the end of a range: the name of its begin; null: not one */
    struct str form;               /* of texts: what they must be; null: only length_max counts */
    struct str description;
    struct str example;    /* null: none */
    struct str if_nothing; /* what to try if the result is empty; null: nothing special */
};

struct argument_value {
    struct str text; /* borrowed from the JSON or constant; null: absent */
    int64_t number;  /* of an integer that is absent: if_absent */
};

/* False also for an absent integer without a default. */
bool argument_is_given(const struct argument *argument, const struct argument_value *value);

/* Reads `object` (NULL: no arguments). `arguments` ends with a null name; ret_values[i] is the
 * value of arguments[i]. False: *complaint has a sentence with the reason. */
bool arguments_read(
    const struct argument *arguments, const json_t *object,
    struct argument_value ret_values[static ARGUMENTS_MAX], struct buf *complaint);

/* The value of a named argument, which must be in the table (asserted). */
const struct argument_value *argument_value_named(
    const struct argument *arguments, const struct argument_value *values, struct str name);

/* How much of an argument a schema says. */
enum argument_detail { ARGUMENT_WHOLE, ARGUMENT_WITHOUT_LONG_LIST, ARGUMENT_BRIEF };

/* Writes the JSON Schema of the object of arguments. `details`: of each; NULL: all are whole. */
void arguments_schema_json(
    struct json_out *j, const struct argument *arguments, const enum argument_detail *details);

/*
 * The arguments of a tool as a table: what each accepts is written here once, and is what the input
 * schema says and what a call is held to. Reading is strict: an argument that the table does not
 * have, of another type or out of bounds is refused with a sentence that names it and what is
 * accepted, so that the caller can mend it. Null and the empty string count as absent.
 */
#pragma once

#include <jansson.h>

#include "base/json_out.h"
#include "base/mem.h"
#include "shape/field.h"

enum { ARGUMENTS_MAX = 8 };

enum argument_kind {
    ARGUMENT_TEXT,
    ARGUMENT_INSTANT, /* text: RFC 3339 with an offset */
    ARGUMENT_LISTED,  /* text: one of a closed list */
    ARGUMENT_INTEGER,
};

struct argument {
    struct str name;
    enum argument_kind kind;
    bool required;
    size_t length_max;             /* of ARGUMENT_TEXT, in characters */
    int64_t min, max, if_absent;   /* of ARGUMENT_INTEGER */
    const struct shape_list *list; /* of ARGUMENT_LISTED */
    struct str description;
    struct str example; /* null: none */
};

struct argument_value {
    struct str text; /* null: absent. Borrowed from the JSON */
    int64_t number;  /* if_absent when absent */
};

/* values[i] is of arguments[i], which ends with a null name. object: NULL counts as {}. false: the
 * complaint, one sentence, is in *complaint. */
bool arguments_read(
    const struct argument *arguments, const json_t *object,
    struct argument_value ret_values[static ARGUMENTS_MAX], struct buf *complaint);

/* The value of the argument of that name, which the table has. */
const struct argument_value *argument_value_named(
    const struct argument *arguments, const struct argument_value *values, struct str name);

/* The JSON Schema of the whole object. */
void arguments_schema_json(struct json_out *j, const struct argument *arguments);

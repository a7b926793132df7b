/*
 * Descriptions of the API's objects for OpenAPI, the tool server and the docs. Objects with a table
 * of fields (noun/field.h) and objects that the contract leaves open (politicians, tickers) are
 * seen through one kind of member.
 */
#pragma once

#include "base/json_out.h"
#include "noun/field.h"

enum schema_type {
    SCHEMA_STRING,
    SCHEMA_INTEGER,
    SCHEMA_NUMBER, /* with a fraction */
    SCHEMA_BOOLEAN,
    SCHEMA_REF,  /* another schema, by name */
    SCHEMA_LIST, /* an array of another schema, or of the names in `list` */
    SCHEMA_OPEN, /* an object with any members */
};

struct schema_member {
    struct str name;
    enum schema_type type;
    bool nullable;
    struct str constant;           /* the only value; null: it varies */
    struct str format;             /* null: none */
    struct str ref;                /* SCHEMA_REF and SCHEMA_LIST */
    const struct shape_list *list; /* the names it can have; NULL: any text */
    struct str description;
};

struct schema {
    struct str name; /* set only without a table, like the description */
    struct str description;
    bool closed;                      /* it has exactly these members in this version */
    const struct shape_object *shape; /* its table, or NULL: then the members in `own` */
    const struct schema_member *own;  /* ends with a null name */
    const struct shape_object *more;  /* the members after `own`; NULL: none */
    /* Members that the object has only if a parameter asks for them; NULL: none. Ends with a null
     * name. */
    const struct schema_member *optional;
};

enum { SCHEMA_COUNT_MAX = 64 }; /* so that a set of them is one number */

/* All objects in the order of the docs; NULL after the last. */
const struct schema *schema_at(size_t i);
const struct schema *schema_named(struct str name); /* NULL: none */
struct str schema_name(const struct schema *schema);
struct str schema_description(const struct schema *schema);

/* The member at i, in order, without optional ones; false after the last. */
bool schema_member_at(const struct schema *schema, size_t i, struct schema_member *ret);

/* The style of the schemas in one document. */
struct schema_style {
    struct str prefix; /* the part of a $ref before the schema's name */
    bool links;        /* keep the Markdown links of descriptions; false: only their words */
};

extern const struct schema_style schema_in_openapi; /* below #/components/schemas/, with links */
extern const struct schema_style schema_in_defs;    /* below #/$defs/, without */

/* The JSON Schema (2020-12) of an object. */
void schema_json(struct json_out *j, const struct schema *schema, const struct schema_style *style);

/* The value of "$defs": one object with these schemas and all that they refer to, each once, in the
 * table's order. */
void schema_defs_json(struct json_out *j, const struct schema *const *roots, size_t count);

/* In words: `string or null`, `array of Trade`. */
void schema_type_put(struct buf *b, const struct schema_member *member);

/*
 * The API's objects (noun/field.h) as JSON Schemas, for OpenAPI, the tool server and the docs.
 */
#pragma once

#include "noun/field.h"

/* All objects in the order of the docs; NULL after the last. */
const struct shape_object *schema_at(size_t i);
const struct shape_object *schema_named(struct str name); /* NULL: none */

/* The member at i, in order, without optional ones; NULL after the last. */
const struct shape_field *schema_member_at(const struct shape_object *object, size_t i);

/* The style of the schemas in one document. */
struct schema_style {
    struct str prefix; /* the part of a $ref before the schema's name */
    bool links;        /* keep the Markdown links of descriptions; false: only their words */
};

extern const struct schema_style schema_in_openapi; /* below #/components/schemas/, with links */
extern const struct schema_style schema_in_defs;    /* below #/$defs/, without */

/* The JSON Schema (2020-12) of an object. */
void schema_json(
    struct json_out *j, const struct shape_object *schema, const struct schema_style *style);

/* In words: `string or null`, `array of Trade`. */
void schema_type_put(struct buf *b, const struct shape_field *member);

/*
 * The shape of an object as a table: its members in order, with everything that JSON, CSV and the
 * schemas of OpenAPI, webhooks and MCP need. One table per object of the spec; all code that prints
 * or describes the object reads it.
 */
#pragma once

#include "base/buf.h"

enum shape_kind {
    SHAPE_STRING,   /* struct str; the null string prints null */
    SHAPE_LISTED,   /* an enum of rule/model.h, printed by its name; 0 prints null */
    SHAPE_CONSTANT, /* always the one name in `list` */
    SHAPE_DAY,      /* int32_t; DAY_NONE prints null */
    SHAPE_INSTANT,  /* int64_t */
    SHAPE_DOLLARS,  /* int64_t; BRACKET_OPEN prints null */
    SHAPE_DAYS,     /* int32_t; a negative number prints null */
    SHAPE_MAYBE,    /* boolean: an enum of 0 for null, 1 for false, 2 for true */
    SHAPE_PRESENT,  /* boolean: true if the struct str is not null */
    SHAPE_OBJECT,   /* `object`, found by `inner` */
};

/* The names of a SHAPE_LISTED member: name_of(1) to name_of(count - 1). */
struct shape_list {
    int count;
    struct str (*name_of)(int value);
};

struct shape_object;

struct shape_field {
    struct str name;
    enum shape_kind kind;
    bool nullable;
    size_t offset;     /* of the value in the struct; unused by SHAPE_CONSTANT and SHAPE_OBJECT */
    struct str key;    /* `"name":`, ready to print */
    struct str format; /* JSON Schema format: date, date-time, uri; or null */
    struct str csv;    /* column name; null: not in CSV (an object's own members have theirs) */
    const struct shape_list *list;
    const struct shape_object *object;
    const void *(*inner)(const void *value); /* the struct that `object` describes */
    struct str description;
};

struct shape_object {
    struct str name; /* of the schema: Trade, PoliticianRef, AmountRange, Filing */
    struct str description;
    size_t count;
    const struct shape_field *fields;
};

/* The object's members [from, to) as `"name":value,...`, without braces. */
void shape_members_json(
    struct buf *b, const struct shape_object *object, size_t from, size_t to, const void *value);

/* The whole object. */
void shape_object_json(struct buf *b, const struct shape_object *object, const void *value);

/*
 * The shape of an object as a table: its members in order, with everything that JSON, CSV and the
 * schemas of OpenAPI, webhooks and MCP need. One table per object of the API; all code that prints
 * or describes the object reads it. noun/rows.h writes the rows.
 */
#pragma once

#include "base/json_out.h"

enum shape_kind {
    SHAPE_STRING,   /* struct str; the null string prints null */
    SHAPE_TEXT_OF,  /* the same, computed by `text` */
    SHAPE_NUMBERED, /* text: `constant` and an int64_t */
    SHAPE_LISTED,   /* an enum of rule/model.h, printed by its name; 0 prints null */
    SHAPE_CONSTANT, /* always the one name in `list` */
    SHAPE_DAY,      /* int32_t; DAY_NONE prints null */
    SHAPE_MONTH,    /* int32_t, as instant_month_utc counts: YYYY-MM */
    SHAPE_INSTANT,  /* int64_t; INSTANT_NONE prints null */
    SHAPE_DIGEST,   /* SHA-256 in hexadecimal digits; zeros print null */
    SHAPE_DOLLARS,  /* int64_t; BRACKET_OPEN prints null */
    SHAPE_COUNT,    /* int64_t; if nullable, a negative number prints null */
    SHAPE_INTEGER,  /* int; the same */
    SHAPE_ORDINAL,  /* int; 0 prints null */
    SHAPE_SECONDS,  /* int64_t of milliseconds, printed as seconds; a negative number prints null */
    SHAPE_SHARE,    /* double (rule/share.h); NAN prints null */
    SHAPE_BOOLEAN,  /* bool */
    SHAPE_MAYBE,    /* boolean: an enum of 0 for null, 1 for false, 2 for true */
    SHAPE_PRESENT,  /* boolean: true if the struct str is not null */
    SHAPE_JSON,     /* struct str of JSON, `object` or any object; null prints null */
    SHAPE_JSON_LIST, /* struct str of JSON, an array of `object` */
    SHAPE_ROWS,      /* struct str of objects with commas between them: an array of `object` */
    SHAPE_NAMES,     /* an array of names: ints of `list`, their number at `count_at` */
    SHAPE_LIST,      /* an array of `object`: a pointer, and their number at `count_at` */
    SHAPE_OBJECT,    /* `object`, in the struct or found by `inner`; NULL prints null */
    SHAPE_POINTER,   /* `object` behind a pointer; NULL prints null */
};

/* The names of a SHAPE_LISTED member: name_of(1) to name_of(count - 1). */
struct shape_list {
    int count;
    struct str (*name_of)(int value);
};

struct shape_object;

struct shape_field {
    struct str name;
    struct str key; /* `"name":`, ready to print */
    struct str csv; /* column name; null: not in CSV (an object's own members have theirs) */
    enum shape_kind kind;
    bool nullable;
    bool told;           /* other code prints it, where the object has it */
    bool optional;       /* with `told`: some objects lack it */
    size_t offset;       /* of the value in the struct */
    size_t count_at;     /* of the size_t with the number of values */
    struct str constant; /* of SHAPE_STRING, for a schema: the only value */
    struct str format;   /* JSON Schema format: date, date-time, uri; or null */
    const struct shape_list *list;
    const struct shape_object *object;
    const void *(*inner)(const void *value); /* the struct that `object` describes */
    struct str (*text)(const void *value);
    struct str description;
};

struct shape_object {
    struct str name; /* of the schema: Trade, PoliticianRef, AmountRange, Filing */
    struct str description;
    size_t size; /* of the struct */
    size_t count;
    const struct shape_field *fields;
    const struct shape_object *more; /* whose members follow; NULL: none */
    size_t more_at;                  /* its struct in this one */
};

/* The object's members [from, to) as `"name":value,...`, without braces. */
void shape_members_json(
    struct buf *b, const struct shape_object *object, size_t from, size_t to, const void *value);

/* The whole object. */
void shape_object_json(struct buf *b, const struct shape_object *object, const void *value);

/* An array of them. */
void shape_list_json(struct buf *b, const struct shape_object *object, const void *first, size_t n);

/* The object as a value of a writer. */
void shape_object_put(struct json_out *j, const struct shape_object *object, const void *value);

/* One more object of SHAPE_ROWS. */
void shape_row_add(struct buf *rows, const struct shape_object *object, const void *value);

/* The object around its only told member, an array: `{...,"name":[` and `],...}`. */
void shape_before_json(struct buf *b, const struct shape_object *object, const void *value);
void shape_after_json(struct buf *b, const struct shape_object *object, const void *value);

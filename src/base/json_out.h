/*
 * Streaming JSON writer. Appends values to a struct buf and adds commas and colons. Text must be
 * UTF-8: an invalid byte becomes U+FFFD, so that the output always parses. A hidden character
 * (hidden.h) is written as an escape, \u202e, so that it reaches no terminal as it is. Nesting is
 * at most 32 deep (asserted, because all shapes are our own).
 *
 *     json_object_begin(&j);  json_key(&j, STR("id"));  json_str(&j, id);  json_object_end(&j);
 */
#pragma once

#include "base/buf.h"

struct json_out {
    struct buf *buf;
    uint32_t filled; /* bit d: the container at depth d is not empty */
    int depth;
    bool after_key;
};

void json_init(struct json_out *j, struct buf *buf);
void json_object_begin(struct json_out *j);
void json_object_end(struct json_out *j);
void json_array_begin(struct json_out *j);
void json_array_end(struct json_out *j);
void json_key(struct json_out *j, struct str name);

void json_str(struct json_out *j, struct str value); /* the null string writes null */
void json_i64(struct json_out *j, int64_t value);
void json_bool(struct json_out *j, bool value);
void json_no_value(struct json_out *j);             /* writes null; jansson defines json_null */
void json_instant(struct json_out *j, int64_t ms);  /* INSTANT_NONE writes null */
void json_day(struct json_out *j, int32_t day);     /* DAY_NONE writes null */
void json_raw(struct json_out *j, struct str json); /* one value that is already JSON */

/* The quoted, escaped form of one string, without a writer. */
void json_quote(struct buf *b, struct str value);

#define JSON_KEY_STR(j, name, value) (json_key((j), STR(name)), json_str((j), (value)))
#define JSON_KEY_I64(j, name, value) (json_key((j), STR(name)), json_i64((j), (value)))
#define JSON_KEY_BOOL(j, name, value) (json_key((j), STR(name)), json_bool((j), (value)))
#define JSON_KEY_INSTANT(j, name, ms) (json_key((j), STR(name)), json_instant((j), (ms)))
#define JSON_KEY_DAY(j, name, day) (json_key((j), STR(name)), json_day((j), (day)))
#define JSON_KEY_RAW(j, name, json) (json_key((j), STR(name)), json_raw((j), (json)))
/* These begin it. */
#define JSON_KEY_OBJECT(j, name) (json_key((j), STR(name)), json_object_begin(j))
#define JSON_KEY_ARRAY(j, name) (json_key((j), STR(name)), json_array_begin(j))

/* Prints objects from their tables; see field.h. */
#include "noun/field.h"

#include <assert.h>
#include <math.h>

#include "base/codec.h"
#include "base/crypto.h"
#include "base/hidden.h"
#include "rule/model.h"
#include "rule/share.h"

static void put_null(struct buf *b)
{
    buf_put(b, "null", 4);
}

/* Text without anything to escape. */
static void put_plain(struct buf *b, struct str text)
{
    char *to = buf_reserve(b, text.n + 2);
    if (!to)
        return;
    to[0] = '"';
    memcpy(to + 1, text.p, text.n);
    to[text.n + 1] = '"';
    buf_commit(b, text.n + 2);
}

static void put_day(struct buf *b, int32_t day)
{
    char text[DAY_TEXT_SIZE];
    if (day == DAY_NONE) {
        put_null(b);
        return;
    }
    day_print(day, text);
    put_plain(b, str_of(text, sizeof text));
}

static void put_instant(struct buf *b, int64_t ms)
{
    char text[INSTANT_TEXT_SIZE];
    if (ms == INSTANT_NONE) {
        put_null(b);
        return;
    }
    instant_print(ms, text);
    put_plain(b, str_of(text, sizeof text));
}

static void put_name(struct buf *b, struct str name)
{
    if (str_is_null(name))
        put_null(b);
    else
        put_plain(b, name);
}

static void put_string(struct buf *b, struct str value)
{
    if (str_is_null(value))
        put_null(b);
    else
        json_quote(b, value);
}

static void put_number(struct buf *b, int64_t number, bool known)
{
    if (known)
        buf_i64(b, number);
    else
        put_null(b);
}

static void put_seconds(struct buf *b, int64_t ms)
{
    if (ms < 0)
        put_null(b);
    else
        buf_seconds(b, ms);
}

static void put_share(struct buf *b, double share)
{
    if (isnan(share))
        put_null(b);
    else
        share_put(b, share);
}

static void put_month(struct buf *b, int32_t month)
{
    buf_fmt(b, "\"%04d-%02d\"", month / 12, month % 12 + 1);
}

static void put_digest(struct buf *b, const uint8_t *sha256)
{
    static const uint8_t none[SHA256_SIZE];
    char hex[2 * SHA256_SIZE];
    hex_encode(sha256, SHA256_SIZE, hex);
    put_name(b, memcmp(sha256, none, sizeof none) == 0 ? STR_NULL : str_of(hex, sizeof hex));
}

static void put_numbered(struct buf *b, struct str before, int64_t number)
{
    buf_char(b, '"');
    buf_str(b, before);
    buf_i64(b, number);
    buf_char(b, '"');
}

static void put_json(struct buf *b, struct str json)
{
    if (str_is_null(json))
        put_null(b);
    else
        hidden_json(b, json);
}

static void put_object(struct buf *b, const struct shape_object *object, const void *value)
{
    if (value)
        shape_object_json(b, object, value);
    else
        put_null(b);
}

static void put_names(struct buf *b, const struct shape_list *list, const int *values, size_t n)
{
    buf_char(b, '[');
    for (size_t i = 0; i < n; i++) {
        if (i)
            buf_char(b, ',');
        put_plain(b, list->name_of(values[i]));
    }
    buf_char(b, ']');
}

void shape_list_json(struct buf *b, const struct shape_object *object, const void *first, size_t n)
{
    buf_char(b, '[');
    for (size_t i = 0; i < n; i++) {
        if (i)
            buf_char(b, ',');
        shape_object_json(b, object, (const char *)first + i * object->size);
    }
    buf_char(b, ']');
}

/* A pointer of whatever type. */
static const void *pointer_at(const void *at)
{
    const void *pointer;
    memcpy(&pointer, at, sizeof pointer);
    return pointer;
}

static void put_value(struct buf *b, const struct shape_field *field, const void *value)
{
    static const struct str maybe[] = {STR_INIT("null"), STR_INIT("false"), STR_INIT("true")};
    const void *at = (const char *)value + field->offset;
    const size_t *count = (const void *)((const char *)value + field->count_at);
    assert(!field->told);
    switch (field->kind) {
    case SHAPE_STRING:
        put_string(b, *(const struct str *)at);
        break;
    case SHAPE_TEXT_OF:
        put_string(b, field->text(value));
        break;
    case SHAPE_NUMBERED:
        put_numbered(b, field->constant, *(const int64_t *)at);
        break;
    case SHAPE_LISTED:
        put_name(b, field->list->name_of((int)*(const unsigned *)at));
        break;
    case SHAPE_CONSTANT:
        put_name(b, field->list->name_of(1));
        break;
    case SHAPE_DAY:
        put_day(b, *(const int32_t *)at);
        break;
    case SHAPE_MONTH:
        put_month(b, *(const int32_t *)at);
        break;
    case SHAPE_INSTANT:
        put_instant(b, *(const int64_t *)at);
        break;
    case SHAPE_DIGEST:
        put_digest(b, at);
        break;
    case SHAPE_DOLLARS:
        put_number(b, *(const int64_t *)at, *(const int64_t *)at != BRACKET_OPEN);
        break;
    case SHAPE_COUNT:
        put_number(b, *(const int64_t *)at, !field->nullable || *(const int64_t *)at >= 0);
        break;
    case SHAPE_INTEGER:
        put_number(b, *(const int *)at, !field->nullable || *(const int *)at >= 0);
        break;
    case SHAPE_ORDINAL:
        put_number(b, *(const int *)at, *(const int *)at != 0);
        break;
    case SHAPE_SECONDS:
        put_seconds(b, *(const int64_t *)at);
        break;
    case SHAPE_SHARE:
        put_share(b, *(const double *)at);
        break;
    case SHAPE_BOOLEAN:
        buf_str(b, maybe[1 + *(const bool *)at]);
        break;
    case SHAPE_MAYBE:
        buf_str(b, maybe[*(const unsigned *)at]);
        break;
    case SHAPE_PRESENT:
        buf_str(b, maybe[1 + !str_is_null(*(const struct str *)at)]);
        break;
    case SHAPE_JSON:
    case SHAPE_JSON_LIST:
        put_json(b, *(const struct str *)at);
        break;
    case SHAPE_ROWS:
        buf_char(b, '[');
        buf_str(b, *(const struct str *)at);
        buf_char(b, ']');
        break;
    case SHAPE_NAMES:
        put_names(b, field->list, pointer_at(at), *count);
        break;
    case SHAPE_LIST:
        shape_list_json(b, field->object, pointer_at(at), *count);
        break;
    case SHAPE_OBJECT:
        put_object(b, field->object, field->inner ? field->inner(value) : at);
        break;
    case SHAPE_POINTER:
        put_object(b, field->object, pointer_at(at));
        break;
    }
}

void shape_members_json(
    struct buf *b, const struct shape_object *object, size_t from, size_t to, const void *value)
{
    for (size_t i = from; i < to; i++) {
        if (i > from)
            buf_char(b, ',');
        buf_str(b, object->fields[i].key);
        put_value(b, &object->fields[i], value);
    }
}

void shape_object_json(struct buf *b, const struct shape_object *object, const void *value)
{
    buf_char(b, '{');
    shape_members_json(b, object, 0, object->count, value);
    if (object->more) {
        buf_char(b, ',');
        shape_members_json(
            b, object->more, 0, object->more->count, (const char *)value + object->more_at);
    }
    buf_char(b, '}');
}

void shape_object_put(struct json_out *j, const struct shape_object *object, const void *value)
{
    json_raw(j, STR("")); /* a comma where there must be one */
    shape_object_json(j->buf, object, value);
}

void shape_row_add(struct buf *rows, const struct shape_object *object, const void *value)
{
    if (rows->n)
        buf_char(rows, ',');
    shape_object_json(rows, object, value);
}

static size_t told_at(const struct shape_object *object)
{
    size_t at = 0;
    while (!object->fields[at].told)
        at++;
    return at;
}

void shape_before_json(struct buf *b, const struct shape_object *object, const void *value)
{
    size_t at = told_at(object);
    buf_char(b, '{');
    shape_members_json(b, object, 0, at, value);
    if (at)
        buf_char(b, ',');
    buf_str(b, object->fields[at].key);
    buf_char(b, '[');
}

void shape_after_json(struct buf *b, const struct shape_object *object, const void *value)
{
    size_t at = told_at(object) + 1;
    buf_char(b, ']');
    if (at < object->count)
        buf_char(b, ',');
    shape_members_json(b, object, at, object->count, value);
    buf_char(b, '}');
}

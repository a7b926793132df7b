/* Prints objects from their tables; see field.h. */
#include "noun/field.h"

#include <string.h>

#include "base/json_out.h"
#include "rule/model.h"

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

static void put_dollars(struct buf *b, int64_t dollars)
{
    if (dollars == BRACKET_OPEN)
        put_null(b);
    else
        buf_i64(b, dollars);
}

static void put_value(struct buf *b, const struct shape_field *field, const void *value)
{
    static const struct str maybe[] = {STR_INIT("null"), STR_INIT("false"), STR_INIT("true")};
    const void *at = (const char *)value + field->offset;
    switch (field->kind) {
    case SHAPE_STRING:
        put_string(b, *(const struct str *)at);
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
    case SHAPE_INSTANT:
        put_instant(b, *(const int64_t *)at);
        break;
    case SHAPE_DOLLARS:
        put_dollars(b, *(const int64_t *)at);
        break;
    case SHAPE_DAYS:
        if (*(const int32_t *)at < 0)
            put_null(b);
        else
            buf_i64(b, *(const int32_t *)at);
        break;
    case SHAPE_MAYBE:
        buf_str(b, maybe[*(const unsigned *)at]);
        break;
    case SHAPE_PRESENT:
        buf_str(b, str_is_null(*(const struct str *)at) ? STR("false") : STR("true"));
        break;
    case SHAPE_OBJECT:
        shape_object_json(b, field->object, field->inner(value));
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
    buf_char(b, '}');
}

/*
 * CSV from the bytes of a head; see csv.h. CSV has no escapes, so that a hidden character is shown,
 * as \u{202E} (base/hidden.h, decision 15).
 */
#include "noun/csv.h"

#include "base/formula.h"
#include "noun/lists.h"
#include "noun/scan.h"
#include "noun/trade.h"

static void each_of(
    const struct shape_object *object, bool required, shape_csv_column_fn *fn, void *ctx)
{
    for (size_t i = 0; i < object->count; i++) {
        const struct shape_field *field = &object->fields[i];
        if (field->kind == SHAPE_OBJECT)
            each_of(field->object, required && !field->nullable, fn, ctx);
        if (!str_is_null(field->csv))
            fn(ctx, field, required);
    }
}

void shape_csv_each(int64_t fields, shape_csv_column_fn *fn, void *ctx)
{
    each_of(&shape_trade, true, fn, ctx);
    for (int field = 1; field < SHAPE_FIELDS_COUNT; field++)
        if (shape_extra_has(fields, field))
            each_of(shape_extra_object(field), false, fn, ctx);
}

struct header {
    struct buf *b;
    bool any; /* a name is in the line */
};

static void put_name(void *ctx, const struct shape_field *field, bool required)
{
    struct header *header = ctx;
    (void)required;
    if (header->any)
        buf_char(header->b, ',');
    buf_str(header->b, field->csv);
    header->any = true;
}

void shape_trade_csv_header(struct buf *b, int64_t fields)
{
    struct header header = {b, false};
    shape_csv_each(fields, put_name, &header);
}

struct csv {
    struct buf *b;
    bool first; /* no value is in the line yet */
    bool guarded;
};

void shape_csv_value(struct buf *b, struct str value)
{
    bool plain = true;
    for (size_t i = 0; i < value.n && plain; i++)
        plain = value.p[i] != ',' && value.p[i] != '"' && value.p[i] != '\r' && value.p[i] != '\n';
    if (plain) {
        buf_str(b, value);
        return;
    }
    buf_char(b, '"');
    for (size_t i = 0; i < value.n; i++) {
        if (value.p[i] == '"')
            buf_char(b, '"');
        buf_char(b, value.p[i]);
    }
    buf_char(b, '"');
}

void shape_csv_value_guarded(struct buf *b, struct str value)
{
    BUF_SCOPED(guarded, SIZE_MAX);
    if (!formula_in(value)) {
        shape_csv_value(b, value);
        return;
    }
    formula_guard(&guarded, value);
    shape_csv_value(b, buf_view(&guarded));
}

static void put_field(struct csv *csv, struct str value)
{
    if (!csv->first)
        buf_char(csv->b, ',');
    csv->first = false;
    (csv->guarded ? shape_csv_value_guarded : shape_csv_value)(csv->b, value);
}

/* The members of one object, from after its brace to after its last comma or brace. */
static void put_members(struct csv *csv, const struct shape_object *object, struct scan *scan)
{
    for (size_t i = 0; i < object->count && !scan_at_end(scan); i++) {
        const struct shape_field *field = &object->fields[i];
        scan_expect(scan, field->key);
        if (field->kind == SHAPE_OBJECT) {
            scan_expect(scan, STR("{"));
            put_members(csv, field->object, scan);
        } else {
            struct str value = scan_scalar(scan);
            if (!str_is_null(field->csv))
                put_field(csv, value);
        }
        scan_member_end(scan);
    }
}

/* The columns of an object or of a head, from after its brace to its end. */
static void put_object(struct csv *csv, const struct shape_object *object, struct str json)
{
    SCOPED(scan_finish) struct scan scan;
    scan_init(&scan, json);
    scan_expect(&scan, STR("{"));
    put_members(csv, object, &scan);
}

void shape_object_csv(struct buf *b, const struct shape_object *object, const void *value)
{
    struct csv csv = {b, true, false};
    BUF_SCOPED(json, SIZE_MAX);
    if (value) {
        shape_object_json(&json, object, value);
        put_object(&csv, object, buf_view(&json));
    } else {
        struct header header = {b, false};
        each_of(object, true, put_name, &header);
    }
}

/* A null object has empty columns. */
static void put_extra(struct csv *csv, int field, const struct shape_extra *extra)
{
    const struct shape_object *object = shape_extra_object(field);
    BUF_SCOPED(json, SIZE_MAX);
    shape_extra_value(&json, field, extra);
    if (str_starts(buf_view(&json), STR("{")))
        put_object(csv, object, buf_view(&json));
    else
        for (size_t i = 0; i < object->count; i++)
            put_field(csv, STR(""));
}

void shape_trade_csv(struct buf *b, struct str head, const struct shape_extra *extra, bool guarded)
{
    struct csv csv = {b, true, guarded};
    put_object(&csv, &shape_trade, head);
    for (int field = 1; field < SHAPE_FIELDS_COUNT; field++)
        if (shape_extra_has(extra->fields, field))
            put_extra(&csv, field, extra);
}

void shape_csv_end(struct buf *b)
{
    buf_text(b, "\r\n");
}

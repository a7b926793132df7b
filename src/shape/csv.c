/*
 * CSV from the bytes of a head; see csv.h. CSV has no escapes, so that a hidden character is shown,
 * as \u{202E} (base/hidden.h, decision 15).
 */
#include "shape/csv.h"

#include "base/formula.h"
#include "shape/details.h"
#include "shape/scan.h"
#include "shape/trade.h"

static void put_names(struct buf *b, const struct shape_object *object, bool *first)
{
    for (size_t i = 0; i < object->count; i++) {
        const struct shape_field *field = &object->fields[i];
        if (field->kind == SHAPE_OBJECT)
            put_names(b, field->object, first);
        if (str_is_null(field->csv))
            continue;
        if (!*first)
            buf_char(b, ',');
        buf_str(b, field->csv);
        *first = false;
    }
}

void shape_trade_csv_header(struct buf *b)
{
    bool first = true;
    put_names(b, &shape_trade, &first);
    buf_text(b, "\r\n");
}

void shape_trade_csv_header_with_details(struct buf *b)
{
    bool first = true;
    put_names(b, &shape_trade, &first);
    put_names(b, &shape_details, &first);
    buf_text(b, "\r\n");
}

struct csv {
    struct buf *b;
    bool first; /* no value is in the line yet */
    bool guarded;
};

static void put_value(struct buf *b, struct str value)
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
    struct buf guarded;
    if (!formula_in(value)) {
        put_value(b, value);
        return;
    }
    buf_init(&guarded, SIZE_MAX);
    formula_guard(&guarded, value);
    put_value(b, buf_view(&guarded));
    buf_finish(&guarded);
}

static void put_field(struct csv *csv, struct str value)
{
    if (!csv->first)
        buf_char(csv->b, ',');
    csv->first = false;
    (csv->guarded ? shape_csv_value_guarded : put_value)(csv->b, value);
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
    struct scan scan;
    scan_init(&scan, json);
    scan_expect(&scan, STR("{"));
    put_members(csv, object, &scan);
    scan_finish(&scan);
}

void shape_trade_csv(struct buf *b, struct str head)
{
    struct csv csv = {b, true, false};
    put_object(&csv, &shape_trade, head);
    buf_text(b, "\r\n");
}

void shape_trade_csv_guarded(struct buf *b, struct str head)
{
    struct csv csv = {b, true, true};
    put_object(&csv, &shape_trade, head);
    buf_text(b, "\r\n");
}

void shape_trade_csv_with_details(struct buf *b, struct str head, struct str details)
{
    struct csv csv = {b, true, false};
    put_object(&csv, &shape_trade, head);
    if (details.n)
        put_object(&csv, &shape_details, details);
    for (size_t i = 0; i < shape_details.count && !details.n; i++)
        buf_char(b, ',');
    buf_text(b, "\r\n");
}

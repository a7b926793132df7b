/*
 * CSV from the bytes of a head; see csv.h. CSV has no escapes, so that a hidden character is shown,
 * as \u{202E} (base/hidden.h, decision 15).
 */
#include "shape/csv.h"

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

static void put_field(struct buf *b, struct str value)
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

/* The members of one object, from after its brace to after its last comma or brace. */
static void put_members(
    struct buf *b, const struct shape_object *object, struct scan *scan, bool *first)
{
    for (size_t i = 0; i < object->count && !scan_at_end(scan); i++) {
        const struct shape_field *field = &object->fields[i];
        scan_expect(scan, field->key);
        if (field->kind == SHAPE_OBJECT) {
            scan_expect(scan, STR("{"));
            put_members(b, field->object, scan, first);
        } else {
            struct str value = scan_scalar(scan);
            if (!str_is_null(field->csv)) {
                if (!*first)
                    buf_char(b, ',');
                put_field(b, value);
                *first = false;
            }
        }
        scan_member_end(scan);
    }
}

/* The columns of an object or of a head, from after its brace to its end. */
static void put_object(
    struct buf *b, const struct shape_object *object, struct str json, bool *first)
{
    struct scan scan;
    scan_init(&scan, json);
    scan_expect(&scan, STR("{"));
    put_members(b, object, &scan, first);
    scan_finish(&scan);
}

void shape_trade_csv(struct buf *b, struct str head)
{
    bool first = true;
    put_object(b, &shape_trade, head, &first);
    buf_text(b, "\r\n");
}

void shape_trade_csv_with_details(struct buf *b, struct str head, struct str details)
{
    bool first = true;
    put_object(b, &shape_trade, head, &first);
    if (details.n)
        put_object(b, &shape_details, details, &first);
    for (size_t i = 0; i < shape_details.count && !details.n; i++)
        buf_char(b, ',');
    buf_text(b, "\r\n");
}

/*
 * CSV from the bytes of a head; see csv.h. A head is our own JSON: scalars and two objects, no
 * arrays, no white space, `\u` escapes below U+0080 only. The scanner asserts that form.
 */
#include "shape/csv.h"

#include <assert.h>
#include <string.h>

#include "base/codec.h"
#include "shape/details.h"
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

struct scan {
    const char *at, *end;
};

static void expect(struct scan *scan, struct str text)
{
    assert((size_t)(scan->end - scan->at) >= text.n && memcmp(scan->at, text.p, text.n) == 0);
    scan->at += text.n;
}

/* The character of the escape at scan->at (its backslash); moves past it. */
static char unescape(struct scan *scan)
{
    static const char letters[] = "\"\\bfnrt", values[] = "\"\\\b\f\n\r\t";
    assert(scan->end - scan->at >= 2);
    const char *letter = memchr(letters, scan->at[1], sizeof letters - 1);
    if (letter) {
        scan->at += 2;
        return values[letter - letters];
    }
    uint8_t code[2];
    assert(scan->end - scan->at >= 6 && scan->at[1] == 'u');
    bool good = hex_decode(str_of(scan->at + 2, 4), code, sizeof code);
    assert(good && code[0] == 0 && code[1] < 0x80);
    scan->at += 6;
    return (char)code[1];
}

/* The text of the JSON string at scan->at; in *unescaped if it contains an escape. */
static struct str scan_string(struct scan *scan, struct buf *unescaped)
{
    const char *from = ++scan->at;
    buf_reset(unescaped);
    for (;;) {
        assert(scan->at < scan->end);
        if (*scan->at != '"' && *scan->at != '\\') {
            scan->at++;
            continue;
        }
        bool is_end = *scan->at == '"';
        struct str piece = str_of(from, (size_t)(scan->at - from));
        if (is_end && unescaped->n == 0) {
            scan->at++;
            return piece;
        }
        buf_str(unescaped, piece);
        if (is_end) {
            scan->at++;
            return buf_view(unescaped);
        }
        buf_char(unescaped, unescape(scan));
        from = scan->at;
    }
}

/* The scalar at scan->at for CSV: null is the empty string. */
static struct str scan_scalar(struct scan *scan, struct buf *unescaped)
{
    if (scan->at < scan->end && *scan->at == '"')
        return scan_string(scan, unescaped);
    const char *from = scan->at;
    while (scan->at < scan->end && *scan->at != ',' && *scan->at != '}')
        scan->at++;
    struct str text = str_of(from, (size_t)(scan->at - from));
    return str_eq(text, STR("null")) ? STR("") : text;
}

/* The members of one object, from after its brace to after its last comma or brace. */
static void put_members(
    struct buf *b, const struct shape_object *object, struct scan *scan, struct buf *unescaped,
    bool *first)
{
    for (size_t i = 0; i < object->count && scan->at < scan->end; i++) {
        const struct shape_field *field = &object->fields[i];
        expect(scan, field->key);
        if (field->kind == SHAPE_OBJECT) {
            expect(scan, STR("{"));
            put_members(b, field->object, scan, unescaped, first);
        } else {
            struct str value = scan_scalar(scan, unescaped);
            if (!str_is_null(field->csv)) {
                if (!*first)
                    buf_char(b, ',');
                put_field(b, value);
                *first = false;
            }
        }
        assert(scan->at < scan->end && (*scan->at == ',' || *scan->at == '}'));
        scan->at++;
    }
}

/* The columns of an object or of a head, from after its brace to its end. */
static void put_object(
    struct buf *b, const struct shape_object *object, struct str json, bool *first)
{
    struct scan scan = {json.p, json.p + json.n};
    struct buf unescaped;
    buf_init(&unescaped, json.n);
    expect(&scan, STR("{"));
    put_members(b, object, &scan, &unescaped, first);
    assert(scan.at == scan.end);
    buf_finish(&unescaped);
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

/*
 * CSV from the bytes of a head; see csv.h. A head is our own JSON: scalars and two objects, no
 * arrays, no white space, `\u` escapes of hidden characters only. The scanner asserts that form.
 * CSV has no escapes, so that a hidden character is shown, as \u{202E} (base/hidden.h, decision
 * 15).
 */
#include "shape/csv.h"

#include <assert.h>
#include <string.h>

#include "base/hidden.h"
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
    static const char letters[] = "\"\\nt", values[] = "\"\\\n\t";
    assert(scan->end - scan->at >= 2);
    const char *letter = memchr(letters, scan->at[1], sizeof letters - 1);
    assert(letter); /* hidden_json_show leaves no others */
    scan->at += 2;
    return values[letter - letters];
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
    struct buf shown, unescaped;
    buf_init(&shown, SIZE_MAX);
    if (str_find_char(json, '\\') >= 0) {
        hidden_json_show(&shown, json);
        json = buf_view(&shown);
    }
    struct scan scan = {json.p, json.p + json.n};
    buf_init(&unescaped, json.n);
    expect(&scan, STR("{"));
    put_members(b, object, &scan, &unescaped, first);
    assert(scan.at == scan.end);
    buf_finish(&unescaped);
    buf_finish(&shown);
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

/* Reads the JSON of a row; see scan.h. */
#include "noun/scan.h"

#include <assert.h>

#include "base/hidden.h"
#include "base/instant.h"

/* Sets members from scanned values. */

static int listed(const struct shape_list *list, struct str name)
{
    for (int value = 1; value < list->count; value++)
        if (str_eq(list->name_of(value), name))
            return value;
    return 0;
}

void scan_value_set(
    const struct shape_field *field, struct str value, struct arena *arena, void *object)
{
    void *to = (char *)object + field->offset;
    switch (field->kind) {
    case SHAPE_STRING:
        *(struct str *)to = value.n || !field->nullable ? arena_str(arena, value) : STR_NULL;
        break;
    case SHAPE_LISTED:
        *(int *)to = listed(field->list, value);
        break;
    case SHAPE_DAY:
        if (!day_parse(value, to))
            *(int32_t *)to = DAY_NONE;
        break;
    case SHAPE_INSTANT:
        if (!instant_parse(value, to))
            *(int64_t *)to = INSTANT_NONE;
        break;
    case SHAPE_PRESENT: /* the text follows in its own field */
    default:
        break;
    }
}

void scan_init(struct scan *scan, struct str json)
{
    buf_init(&scan->shown, SIZE_MAX);
    if (str_find_char(json, '\\') >= 0) {
        hidden_json_show(&scan->shown, json);
        json = buf_view(&scan->shown);
    }
    buf_init(&scan->unescaped, json.n);
    scan->at = json.p;
    scan->end = json.p + json.n;
}

void scan_finish(struct scan *scan)
{
    assert(scan_at_end(scan));
    buf_finish(&scan->unescaped);
    buf_finish(&scan->shown);
}

void scan_expect(struct scan *scan, struct str text)
{
    assert((size_t)(scan->end - scan->at) >= text.n && memcmp(scan->at, text.p, text.n) == 0);
    scan->at += text.n;
}

void scan_member_end(struct scan *scan)
{
    assert(!scan_at_end(scan) && (*scan->at == ',' || *scan->at == '}'));
    scan->at++;
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

/* The text of the JSON string at scan->at. */
static struct str scan_string(struct scan *scan)
{
    const char *from = ++scan->at;
    struct buf *unescaped = &scan->unescaped;
    buf_reset(unescaped);
    for (;;) {
        assert(!scan_at_end(scan));
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

struct str scan_scalar(struct scan *scan)
{
    if (!scan_at_end(scan) && *scan->at == '"')
        return scan_string(scan);
    const char *from = scan->at;
    while (!scan_at_end(scan) && *scan->at != ',' && *scan->at != '}')
        scan->at++;
    struct str text = str_of(from, (size_t)(scan->at - from));
    return str_eq(text, STR("null")) ? STR("") : text;
}

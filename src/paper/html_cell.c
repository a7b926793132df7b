/* Reading a cell; see html_cell.h. */
#include "paper/html_cell.h"

#include <utf8proc.h>

#include "base/buf.h"

/* The named entities of the Senate's pages and similar ones; others are kept as printed. */
static const struct {
    struct str name;
    struct str text;
} entities[] = {
    {STR_INIT("amp"), STR_INIT("&")},
    {STR_INIT("apos"), STR_INIT("'")},
    {STR_INIT("gt"), STR_INIT(">")},
    {STR_INIT("ldquo"), STR_INIT("\xe2\x80\x9c")},
    {STR_INIT("lsquo"), STR_INIT("\xe2\x80\x98")},
    {STR_INIT("lt"), STR_INIT("<")},
    {STR_INIT("mdash"), STR_INIT("\xe2\x80\x94")},
    {STR_INIT("nbsp"), STR_INIT(" ")},
    {STR_INIT("ndash"), STR_INIT("\xe2\x80\x93")},
    {STR_INIT("quot"), STR_INIT("\"")},
    {STR_INIT("rdquo"), STR_INIT("\xe2\x80\x9d")},
    {STR_INIT("reg"), STR_INIT("\xc2\xae")},
    {STR_INIT("rsquo"), STR_INIT("\xe2\x80\x99")},
};

enum { ENTITY_SIZE_MAX = 10 };

struct cell {
    struct buf out;
    bool space; /* a space is due before the next character */
};

static void put_space(struct cell *c)
{
    c->space = c->out.n > 0;
}

static void put_text(struct cell *c, struct str text)
{
    if (c->space)
        buf_char(&c->out, ' ');
    c->space = false;
    buf_str(&c->out, text);
}

/* `body` is the text between & and ; */
static bool entity_number(struct cell *c, struct str body)
{
    int64_t code = 0;
    utf8proc_uint8_t utf8[4];
    bool hex = body.n > 2 && ascii_lower(body.p[1]) == 'x';
    for (size_t i = hex ? 2 : 1; i < body.n; i++) {
        char d = ascii_lower(body.p[i]);
        bool digit = ascii_is_digit(d);
        if (!digit && !(hex && d >= 'a' && d <= 'f'))
            return false;
        code = code * (hex ? 16 : 10) + (digit ? d - '0' : d - 'a' + 10);
    }
    if (body.n < 2 || code < 0x20 || code > 0x10ffff || (code >= 0x7f && code < 0xa0) ||
        (code >= 0xd800 && code < 0xe000))
        return false;
    if (code == 0x20 || code == 0xa0) {
        put_space(c);
        return true;
    }
    utf8proc_ssize_t n = utf8proc_encode_char((utf8proc_int32_t)code, utf8);
    put_text(c, str_of((const char *)utf8, (size_t)n));
    return true;
}

/* Decodes the entity at the start of `rest` and returns its size; 0: no known entity. */
static size_t put_entity(struct cell *c, struct str rest)
{
    ptrdiff_t end = str_find_char(str_slice(rest, 0, ENTITY_SIZE_MAX + 2), ';');
    if (end < 2)
        return 0;
    struct str body = str_slice(rest, 1, (size_t)end);
    if (body.p[0] == '#')
        return entity_number(c, body) ? (size_t)end + 1 : 0;
    /* Some cells were encoded twice ("&amp;amp;"). */
    while (str_eq(body, STR("amp")) &&
           str_starts(str_slice(rest, (size_t)end + 1, rest.n), STR("amp;")))
        end += 4;
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
        if (str_eq(body, entities[i].name)) {
            if (str_eq(entities[i].text, STR(" ")))
                put_space(c);
            else
                put_text(c, entities[i].text);
            return (size_t)end + 1;
        }
    return 0;
}

/* The size of the tag at the start of `rest`; 0: no tag. */
static size_t tag_size(struct str rest)
{
    char next = rest.n > 1 ? rest.p[1] : ' ';
    ptrdiff_t end = str_find_char(rest, '>');
    return end > 0 && (ascii_is_alpha(next) || next == '/' || next == '!') ? (size_t)end + 1 : 0;
}

static bool tag_is(struct str tag, struct str name)
{
    return tag.n > name.n && str_eq_nocase(str_slice(tag, 1, 1 + name.n), name) &&
           !ascii_is_alpha(tag.p[1 + name.n]);
}

/* The size of the <div> element at the start of `rest`. */
static size_t div_size(struct str rest)
{
    size_t at = 0, depth = 0;
    while (at < rest.n) {
        struct str tail = str_slice(rest, at, rest.n);
        size_t size = tail.p[0] == '<' ? tag_size(tail) : 0;
        struct str tag = str_slice(tail, 0, size);
        at += size ? size : 1;
        depth += tag_is(tag, STR("div"));
        if (tag_is(tag, STR("/div")) && --depth == 0)
            return at;
    }
    return rest.n;
}

static size_t put_tag(struct cell *c, struct str rest, enum html_cell_part part)
{
    size_t size = tag_size(rest);
    struct str tag = str_slice(rest, 0, size);
    if (size == 0)
        return 0;
    if (tag_is(tag, STR("br")) && part == HTML_CELL_FIRST_LINE)
        return rest.n;
    if (tag_is(tag, STR("div")) && part != HTML_CELL_ALL && str_find(tag, STR("text-muted")) >= 0)
        size = div_size(rest);
    if (tag_is(tag, STR("br")) || tag_is(tag, STR("div")) || tag_is(tag, STR("/div")))
        put_space(c);
    return size;
}

struct str html_cell_text(struct arena *arena, struct str cell, enum html_cell_part part)
{
    struct cell c = {0};
    buf_init(&c.out, cell.n * 2 + 16);
    for (size_t i = 0; i < cell.n;) {
        struct str rest = str_slice(cell, i, cell.n);
        size_t size = 0;
        if (ascii_is_space(rest.p[0]) || str_starts(rest, STR("\xc2\xa0"))) {
            put_space(&c);
            i += ascii_is_space(rest.p[0]) ? 1 : 2;
            continue;
        }
        if (rest.p[0] == '<')
            size = put_tag(&c, rest, part);
        else if (rest.p[0] == '&')
            size = put_entity(&c, rest);
        if (size == 0) {
            size = 1;
            put_text(&c, str_slice(rest, 0, 1));
        }
        i += size;
    }
    struct str text = arena_str(arena, buf_view(&c.out));
    buf_finish(&c.out);
    return text;
}

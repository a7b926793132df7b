/* Reading a cell; see html_cell.h. */
#include "paper/cell/html_cell.h"

#include <utf8proc.h>

#include "base/buf.h"

/* With the & and the ;, and with leading zeros of a number. */
enum { ENTITY_SIZE_MAX = 12, LEVELS_MAX = 4 };

/* The named character references of HTML 4 for Latin-1 and for typographic marks, each with its
 * text. */
static const struct str references = STR_INIT(
    "nbsp \xc2\xa0 iexcl ¡ cent ¢ pound £ curren ¤ yen ¥ brvbar ¦ sect § uml ¨ copy © ordf ª laquo "
    "« not ¬ shy \xc2\xad reg ® macr ¯ deg ° plusmn ± sup2 ² sup3 ³ acute ´ micro µ para ¶ middot "
    "· cedil ¸ sup1 ¹ ordm º raquo » frac14 ¼ frac12 ½ frac34 ¾ iquest ¿ Agrave À Aacute Á Acirc Â "
    "Atilde Ã Auml Ä Aring Å AElig Æ Ccedil Ç Egrave È Eacute É Ecirc Ê Euml Ë Igrave Ì Iacute Í "
    "Icirc Î Iuml Ï ETH Ð Ntilde Ñ Ograve Ò Oacute Ó Ocirc Ô Otilde Õ Ouml Ö times × Oslash Ø "
    "Ugrave Ù Uacute Ú Ucirc Û Uuml Ü Yacute Ý THORN Þ szlig ß agrave à aacute á acirc â atilde ã "
    "auml ä aring å aelig æ ccedil ç egrave è eacute é ecirc ê euml ë igrave ì iacute í icirc î "
    "iuml ï eth ð ntilde ñ ograve ò oacute ó ocirc ô otilde õ ouml ö divide ÷ oslash ø ugrave ù "
    "uacute ú ucirc û uuml ü yacute ý thorn þ yuml ÿ Dagger ‡ OElig Œ Prime ″ Scaron Š Yuml Ÿ amp "
    "& apos ' bdquo „ bull • dagger † emsp \xe2\x80\x83 ensp \xe2\x80\x82 euro € fnof ƒ frasl ⁄ gt "
    "> hellip … ldquo “ lsaquo ‹ lsquo ‘ lt < mdash — minus − ndash – oelig œ permil ‰ prime ′ "
    "quot \" rdquo ” rsaquo › rsquo ’ sbquo ‚ scaron š thinsp \xe2\x80\x89 trade ™");

/* The text of "amp" or "eacute", in UTF-8; names are case-sensitive. Null: not in the table. */
static struct str text_of(struct str name)
{
    struct str rest = references, known, text;
    while (str_next_word(&rest, &known) && str_next_word(&rest, &text))
        if (str_eq(name, known))
            return text;
    return STR_NULL;
}

static const struct str no_break_space = STR_INIT("\xc2\xa0");

struct html_cell_reader {
    struct buf out;
    bool space; /* a space is due before the next character */
};

static void put_space(struct html_cell_reader *c)
{
    c->space = c->out.n > 0;
}

static void put_text(struct html_cell_reader *c, struct str text)
{
    if (c->space)
        buf_char(&c->out, ' ');
    c->space = false;
    buf_str(&c->out, text);
}

/* `body` is the text between & and ; */
static bool entity_number(struct html_cell_reader *c, struct str body)
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
static size_t put_entity(struct html_cell_reader *c, struct str rest)
{
    ptrdiff_t end = str_find_char(str_slice(rest, 0, ENTITY_SIZE_MAX), ';');
    if (end < 2)
        return 0;
    struct str body = str_slice(rest, 1, (size_t)end);
    if (body.p[0] == '#')
        return entity_number(c, body) ? (size_t)end + 1 : 0;
    struct str text = text_of(body);
    if (str_is_null(text))
        return 0;
    if (str_eq(text, no_break_space))
        put_space(c);
    else
        put_text(c, text);
    return (size_t)end + 1;
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

static bool is_detail(struct str tag)
{
    return tag_is(tag, STR("div")) && str_find(tag, STR("text-muted")) >= 0;
}

/* Skips a tag, or what the part leaves out behind it. 0: no tag. */
static size_t put_tag(struct html_cell_reader *c, struct str rest, enum html_cell_part part)
{
    size_t size = tag_size(rest);
    struct str tag = str_slice(rest, 0, size);
    if (size && part == HTML_CELL_HEAD && is_detail(tag))
        size = div_size(rest);
    if (tag_is(tag, STR("br")) || tag_is(tag, STR("div")) || tag_is(tag, STR("/div")))
        put_space(c);
    return size;
}

static void put_part(struct html_cell_reader *c, struct str cell, enum html_cell_part part)
{
    for (size_t i = 0; i < cell.n;) {
        struct str rest = str_slice(cell, i, cell.n);
        size_t size = 0;
        if ((unsigned char)rest.p[0] <= ' ' || rest.p[0] == 0x7f) {
            put_space(c);
            size = 1;
        } else if (rest.p[0] == '<') {
            size = put_tag(c, rest, part);
        } else if (rest.p[0] == '&') {
            size = put_entity(c, rest);
        } else if (str_starts(rest, no_break_space)) {
            put_space(c);
            size = 2;
        }
        if (size == 0) {
            size = 1;
            put_text(c, str_slice(rest, 0, 1));
        }
        i += size;
    }
}

/* Calls put_part for the inside of each detail <div>. */
static void put_details(struct html_cell_reader *c, struct str cell)
{
    for (size_t i = 0; i < cell.n;) {
        struct str rest = str_slice(cell, i, cell.n);
        size_t size = rest.p[0] == '<' ? tag_size(rest) : 0;
        if (size && is_detail(str_slice(rest, 0, size))) {
            size = div_size(rest);
            put_space(c);
            put_part(c, str_slice(rest, 0, size), HTML_CELL_ALL);
        }
        i += size ? size : 1;
    }
}

/* Splits the cell at its first <br>; without one, the rest is null. */
static struct str first_line(struct str cell, struct str *ret_rest)
{
    *ret_rest = STR_NULL;
    for (size_t i = 0; i < cell.n; i++) {
        struct str rest = str_slice(cell, i, cell.n);
        size_t size = rest.p[0] == '<' ? tag_size(rest) : 0;
        if (size && tag_is(str_slice(rest, 0, size), STR("br"))) {
            *ret_rest = str_slice(rest, size, rest.n);
            return str_slice(cell, 0, i);
        }
    }
    return cell;
}

/* One level of entities. */
static void decode_level(struct html_cell_reader *c, struct str text)
{
    for (size_t i = 0; i < text.n;) {
        struct str rest = str_slice(text, i, text.n);
        size_t size = rest.p[0] == '&' ? put_entity(c, rest) : 0;
        if (size == 0) {
            size = 1;
            if (rest.p[0] == ' ')
                put_space(c);
            else
                put_text(c, str_slice(rest, 0, 1));
        }
        i += size;
    }
}

/* Some cells were encoded twice ("Merck &amp;amp; Co.", "McDonald&amp;apos;s"), so entities are
 * decoded until none is left, up to a bound: input decides the number of levels. */
struct str html_cell_decode(struct arena *arena, struct str text)
{
    text = arena_str(arena, text.n ? text : STR(""));
    for (int level = 0; level < LEVELS_MAX && str_find_char(text, '&') >= 0; level++) {
        struct html_cell_reader c = {0};
        buf_init(&c.out, text.n + 16);
        decode_level(&c, text);
        bool same = c.out.n == text.n;
        if (!same)
            text = arena_str(arena, c.out.n ? buf_view(&c.out) : STR(""));
        buf_finish(&c.out);
        if (same)
            break;
    }
    return text;
}

struct str html_cell_text(struct arena *arena, struct str cell, enum html_cell_part part)
{
    struct html_cell_reader c = {0};
    struct str others, first = first_line(cell, &others);
    buf_init(&c.out, cell.n * 2 + 16);
    if (part == HTML_CELL_DETAIL)
        put_details(&c, cell);
    else if (part == HTML_CELL_FIRST_LINE)
        put_part(&c, first, part);
    else
        put_part(&c, part == HTML_CELL_OTHER_LINES ? others : cell, part);
    struct str text = html_cell_decode(arena, buf_view(&c.out));
    buf_finish(&c.out);
    return text;
}

/* Reads the entries of a page from its HTML; see doc_index.h. */
#include "html/doc_index.h"

#include "base/buf.h"

enum { PAGE_SIZE_MAX = 4 << 20 };

struct page_scan {
    struct doc_index *index;
    struct arena *arena;
    struct str rest;
    struct buf title, text; /* of the section */
    struct buf cell, cells; /* of the term */
    size_t section;         /* its entry, which comes before those of its terms */
    struct doc_entry term;
    bool in_section, in_term, in_title, in_cell, in_code, in_head;
};

#define CELL_END STR("; ")

/* --- text */

/* The references that md4c writes. */
static const struct {
    struct str from;
    char to;
} references[] = {
    {STR_INIT("&lt;"), '<'},
    {STR_INIT("&gt;"), '>'},
    {STR_INIT("&quot;"), '"'},
    {STR_INIT("&amp;"), '&'},
};

static char take_char(struct str *rest)
{
    for (size_t i = 0; rest->p[0] == '&' && i < sizeof references / sizeof *references; i++)
        if (str_starts(*rest, references[i].from)) {
            *rest = str_slice(*rest, references[i].from.n, rest->n);
            return references[i].to;
        }
    char c = rest->p[0];
    *rest = str_slice(*rest, 1, rest->n);
    return c;
}

static void put_char(struct buf *b, char c)
{
    bool space = c == ' ' || c == '\n' || c == '\t';
    if (!space)
        buf_char(b, c);
    else if (b->n > 0 && b->p[b->n - 1] != ' ')
        buf_char(b, ' ');
}

/* Where the text goes that is read now; NULL: nowhere. */
static struct buf *place(struct page_scan *s)
{
    if (s->in_code || s->in_head)
        return NULL;
    if (s->in_title)
        return &s->title;
    if (s->in_term)
        return s->in_cell ? &s->cell : &s->cells;
    return &s->text;
}

static void separate(struct page_scan *s)
{
    struct buf *to = place(s);
    if (to)
        put_char(to, ' ');
}

/* --- entries */

static void fill(struct page_scan *s, struct doc_entry *entry, struct buf *title, struct buf *text)
{
    entry->title = str_trim(arena_str(s->arena, buf_view(title)));
    struct str made = str_trim(buf_view(text));
    while (str_ends(made, STR(";")))
        made = str_trim(str_slice(made, 0, made.n - 1));
    entry->text = arena_str(s->arena, made);
    buf_reset(title);
    buf_reset(text);
}

static void end_section(struct page_scan *s)
{
    if (s->in_section)
        fill(s, &s->index->entries[s->section], &s->title, &s->text);
    s->in_section = false;
}

/* Text above the first heading belongs to no entry. */
static void begin_section(struct page_scan *s, int level, struct str anchor)
{
    end_section(s);
    buf_reset(&s->text);
    s->section = s->index->count++;
    s->index->entries[s->section] = (struct doc_entry){.level = level, .anchor = anchor};
    s->in_section = s->in_title = true;
}

/* The value of id="..." in a tag; null: it has none. */
static struct str id_of(struct str tag)
{
    const struct str begin = STR(" id=\"");
    ptrdiff_t at = str_find(tag, begin);
    if (at < 0)
        return STR_NULL;
    struct str value = str_slice(tag, (size_t)at + begin.n, tag.n);
    return str_slice(value, 0, (size_t)str_find_char(value, '"'));
}

static bool is_heading(struct str tag)
{
    return tag.n >= 2 && tag.p[0] == 'h' && tag.p[1] >= '1' && tag.p[1] <= '3';
}

static void open_tag(struct page_scan *s, struct str tag)
{
    if (is_heading(tag)) {
        begin_section(s, tag.p[1] - '0', id_of(tag));
    } else if (str_starts(tag, STR("figure")) || str_starts(tag, STR("label"))) {
        s->in_code = true;
    } else if (str_starts(tag, STR("thead"))) {
        s->in_head = true;
    } else if (str_starts(tag, STR("tr id="))) {
        s->term = (struct doc_entry){.anchor = id_of(tag)};
        s->in_term = s->in_cell = true;
    }
}

/* Puts a mark between the cells of a term. */
static void end_cell(struct page_scan *s)
{
    struct str made = buf_view(&s->cells);
    if (s->in_term && made.n > 0 && !str_ends(made, CELL_END))
        buf_str(&s->cells, CELL_END);
    separate(s);
}

static void close_tag(struct page_scan *s, struct str tag)
{
    if (is_heading(tag)) {
        s->in_title = false;
    } else if (str_eq(tag, STR("figure")) || str_eq(tag, STR("label"))) {
        s->in_code = false;
    } else if (str_eq(tag, STR("thead"))) {
        s->in_head = false;
    } else if (str_eq(tag, STR("tr")) && s->in_term) {
        fill(s, &s->term, &s->cell, &s->cells);
        s->index->entries[s->index->count++] = s->term;
        s->in_term = false;
    } else if (str_eq(tag, STR("td")) && s->in_cell) {
        s->in_cell = false;
    } else if (str_eq(tag, STR("td"))) {
        end_cell(s);
    } else if (str_eq(tag, STR("p")) || str_eq(tag, STR("li"))) {
        separate(s);
    }
}

static void read_tag(struct page_scan *s)
{
    ptrdiff_t end = str_find_char(s->rest, '>');
    size_t n = end < 0 ? s->rest.n : (size_t)end;
    struct str tag = str_slice(s->rest, 1, n);
    s->rest = str_slice(s->rest, n + 1, s->rest.n);
    if (str_starts(tag, STR("/")))
        close_tag(s, str_slice(tag, 1, tag.n));
    else
        open_tag(s, tag);
}

static size_t tags_of(struct str html)
{
    size_t count = 0;
    for (ptrdiff_t at; (at = str_find_char(html, '<')) >= 0; count++)
        html = str_slice(html, (size_t)at + 1, html.n);
    return count;
}

void doc_index_make(struct doc_index *index, struct arena *arena, struct str html)
{
    struct page_scan s = {.index = index, .arena = arena, .rest = html};
    struct buf *bufs[] = {&s.title, &s.text, &s.cell, &s.cells};
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        buf_init(bufs[i], PAGE_SIZE_MAX);
    /* A heading and a row have two tags at least. */
    index->entries = arena_alloc(arena, (tags_of(html) / 2 + 1) * sizeof *index->entries);
    index->count = 0;
    while (s.rest.n > 0) {
        if (s.rest.p[0] == '<') {
            read_tag(&s);
            continue;
        }
        char c = take_char(&s.rest);
        struct buf *to = place(&s);
        if (to)
            put_char(to, c);
    }
    end_section(&s);
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        buf_finish(bufs[i]);
}

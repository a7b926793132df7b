/* Prints feeds for readers; see syndication.h. */
#include "html/syndication.h"

#include "base/json_out.h"
#include "html/escape.h"

/* The two characters that UTF-8 can have and XML cannot, besides the controls, which escape_text
 * shows. */
static bool is_noncharacter(const char *p, size_t left)
{
    return left >= 3 && p[0] == '\xef' && p[1] == '\xbf' && (p[2] == '\xbe' || p[2] == '\xbf');
}

static void put_text(struct buf *b, struct str text)
{
    size_t from = 0;
    for (size_t i = 0; i < text.n; i++)
        if (is_noncharacter(text.p + i, text.n - i)) {
            escape_text(b, str_slice(text, from, i));
            buf_text(b, "\xef\xbf\xbd");
            from = i + 3;
            i += 2;
        }
    escape_text(b, str_slice(text, from, text.n));
}

static void put_element(struct buf *b, const char *name, struct str text)
{
    buf_fmt(b, "<%s>", name);
    put_text(b, text);
    buf_fmt(b, "</%s>\n", name);
}

static void put_instant(struct buf *b, const char *name, int64_t ms)
{
    char text[INSTANT_TEXT_SIZE];
    instant_print(ms, text);
    put_element(b, name, str_of(text, sizeof text));
}

static void put_link(struct buf *b, const char *rel, const char *type, struct str href)
{
    if (str_is_null(href))
        return;
    buf_fmt(b, "<link rel=\"%s\"", rel);
    if (type)
        buf_fmt(b, " type=\"%s\"", type);
    buf_text(b, " href=\"");
    put_text(b, href);
    buf_text(b, "\"/>\n");
}

static void put_fact(struct buf *b, const struct syndication_fact *fact)
{
    struct str text = fact->json;
    if (str_eq(text, STR("null")))
        return;
    if (str_starts(text, STR("\"")))
        text = str_slice(text, 1, text.n - 1);
    buf_fmt(b, "<%.*s xmlns=\"urn:stockact:facts\">", STR_ARG(fact->name));
    put_text(b, text);
    buf_fmt(b, "</%.*s>\n", STR_ARG(fact->name));
}

static void put_entry(struct buf *b, const struct syndication_item *item)
{
    buf_text(b, "<entry>\n");
    put_element(b, "id", item->id);
    put_element(b, "title", item->title);
    put_instant(b, "published", item->published);
    put_instant(b, "updated", item->updated);
    if (!str_is_null(item->author)) {
        buf_text(b, "<author>\n");
        put_element(b, "name", item->author);
        put_element(b, "uri", item->author_page);
        buf_text(b, "</author>\n");
    }
    put_link(b, "alternate", "text/html", item->page);
    put_link(b, "via", NULL, item->document);
    for (size_t i = 0; i < item->tag_count; i++) {
        buf_text(b, "<category term=\"");
        put_text(b, item->tags[i]);
        buf_text(b, "\"/>\n");
    }
    for (size_t i = 0; i < item->fact_count; i++)
        put_fact(b, &item->facts[i]);
    buf_text(b, "<content type=\"text\">");
    put_text(b, item->text);
    buf_text(b, "</content>\n</entry>\n");
}

/* Equal feeds have equal bytes, so a feed without items is as old as can be. */
static int64_t newest(const struct syndication *s)
{
    int64_t ms = 0;
    for (size_t i = 0; i < s->count; i++)
        if (s->items[i].updated > ms)
            ms = s->items[i].updated;
    return ms;
}

void syndication_atom(struct buf *b, const struct syndication *s)
{
    buf_text(
        b, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
           "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"en\">\n");
    put_element(b, "id", s->self);
    put_element(b, "title", s->title);
    put_instant(b, "updated", newest(s));
    buf_text(b, "<author>\n<name>stockact</name>\n</author>\n");
    buf_text(b, "<generator>stockact</generator>\n");
    put_link(b, "self", "application/atom+xml", s->self);
    put_link(b, "alternate", "text/html", s->page);
    put_link(b, "next", "application/atom+xml", s->next);
    for (size_t i = 0; i < s->count; i++)
        put_entry(b, &s->items[i]);
    buf_text(b, "</feed>\n");
}

/* --- JSON Feed */

static void put_item(struct json_out *j, const struct syndication_item *item)
{
    json_object_begin(j);
    JSON_KEY_STR(j, "id", item->id);
    JSON_KEY_STR(j, "url", item->page);
    if (!str_is_null(item->document))
        JSON_KEY_STR(j, "external_url", item->document);
    JSON_KEY_STR(j, "title", item->title);
    JSON_KEY_STR(j, "content_text", item->text);
    JSON_KEY_INSTANT(j, "date_published", item->published);
    JSON_KEY_INSTANT(j, "date_modified", item->updated);
    if (!str_is_null(item->author)) {
        JSON_KEY_ARRAY(j, "authors");
        json_object_begin(j);
        JSON_KEY_STR(j, "name", item->author);
        JSON_KEY_STR(j, "url", item->author_page);
        json_object_end(j);
        json_array_end(j);
    }
    JSON_KEY_ARRAY(j, "tags");
    for (size_t i = 0; i < item->tag_count; i++)
        json_str(j, item->tags[i]);
    json_array_end(j);
    if (item->fact_count) {
        JSON_KEY_OBJECT(j, "_stockact");
        for (size_t i = 0; i < item->fact_count; i++) {
            json_key(j, item->facts[i].name);
            json_raw(j, item->facts[i].json);
        }
        json_object_end(j);
    }
    json_object_end(j);
}

void syndication_json(struct buf *b, const struct syndication *s)
{
    struct json_out j;
    json_init(&j, b);
    json_object_begin(&j);
    JSON_KEY_STR(&j, "version", STR("https://jsonfeed.org/version/1.1"));
    JSON_KEY_STR(&j, "title", s->title);
    JSON_KEY_STR(&j, "home_page_url", s->page);
    JSON_KEY_STR(&j, "feed_url", s->self);
    if (!str_is_null(s->next))
        JSON_KEY_STR(&j, "next_url", s->next);
    JSON_KEY_STR(&j, "language", STR("en"));
    JSON_KEY_ARRAY(&j, "items");
    for (size_t i = 0; i < s->count; i++)
        put_item(&j, &s->items[i]);
    json_array_end(&j);
    json_object_end(&j);
}

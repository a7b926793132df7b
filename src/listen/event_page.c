/* Callbacks of yajl; see event_page.h. */
#include "listen/event_page.h"

#include <yajl/yajl_parse.h>

#include "base/mem.h"

enum { DEPTH_MAX = 64, ID_SIZE = 20, TYPE_SIZE_MAX = 64, CURSOR_SIZE_MAX = 256 };

/* How deep a value is: the page, its members, events, their members. */
enum { PAGE, MEMBER, EVENT, EVENT_MEMBER };

enum value_kind { NONE, OBJECT, ARRAY, STRING, NULL_VALUE, OTHER };

/* The members that are read, once each. */
enum page_member {
    DATA,
    NEXT_CURSOR,
    LAST_CURSOR,
    ID,
    TYPE,
    BODY,
    MEMBER_COUNT,
    UNKNOWN = MEMBER_COUNT
};

struct event_reader {
    yajl_handle yajl;
    struct str text;
    struct event_page *page;
    int depth;
    enum page_member member; /* whose value is next, or is being read */
    bool in_data;
    enum value_kind kinds[MEMBER_COUNT]; /* of the page, and of the event being read */
};

static struct event_page_item *last(struct event_reader *r)
{
    return &r->page->items[r->page->count - 1];
}

/* --- the forms of texts that go into headers and addresses */

static bool consists_of(struct str text, size_t min, size_t max, const char *characters)
{
    for (size_t i = 0; i < text.n; i++)
        if (!text.p[i] || !strchr(characters, text.p[i]))
            return false;
    return text.n >= min && text.n <= max;
}

static bool is_id(struct str text)
{
    return text.n == ID_SIZE && str_starts(text, STR("evt_")) &&
           consists_of(str_slice(text, 4, text.n), 1, ID_SIZE, "0123456789abcdef");
}

static bool is_type(struct str text)
{
    return consists_of(text, 1, TYPE_SIZE_MAX, "abcdefghijklmnopqrstuvwxyz._");
}

static bool is_cursor(struct str text)
{
    return consists_of(
        text, 1, CURSOR_SIZE_MAX,
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");
}

/* --- values */

/* Keeps the text of a member; false: it has not the member's form. */
static bool keep(struct event_reader *r, struct str text)
{
    struct str kept = arena_str(&r->page->arena, text);
    switch (r->member) {
    case LAST_CURSOR:
        r->page->cursor = kept;
        return is_cursor(text);
    case ID:
        last(r)->id = kept;
        return is_id(text);
    case TYPE:
        last(r)->type = kept;
        return is_type(text);
    default:
        return true;
    }
}

/* Before each value. */
static int take(struct event_reader *r, enum value_kind kind, struct str text)
{
    bool of_member = (r->depth == MEMBER || r->depth == EVENT_MEMBER) && r->member != UNKNOWN;
    if (r->depth == PAGE && kind != OBJECT)
        return 0;
    if (of_member)
        r->kinds[r->member] = kind;
    if (of_member && kind == STRING && !keep(r, text))
        return 0;
    if (r->depth == EVENT && r->in_data && kind != OBJECT)
        return 0;
    return r->depth < DEPTH_MAX;
}

static int on_null(void *ctx)
{
    return take(ctx, NULL_VALUE, STR_NULL);
}

static int on_boolean(void *ctx, int value)
{
    return take(ctx, OTHER, STR_NULL);
}

static int on_number(void *ctx, const char *text, size_t n)
{
    return take(ctx, OTHER, STR_NULL);
}

static int on_string(void *ctx, const unsigned char *text, size_t n)
{
    return take(ctx, STRING, str_of((const char *)text, n));
}

static const char *here(const struct event_reader *r)
{
    return r->text.p + yajl_get_bytes_consumed(r->yajl);
}

static int on_object(void *ctx)
{
    struct event_reader *r = ctx;
    int go_on = take(r, OBJECT, STR_NULL);
    if (r->in_data && r->depth == EVENT) {
        if (r->page->count == EVENT_PAGE_COUNT_MAX)
            return 0;
        r->page->items[r->page->count++] = (struct event_page_item){.body = STR_NULL};
        r->kinds[ID] = r->kinds[TYPE] = r->kinds[BODY] = NONE;
    } else if (r->in_data && r->depth == EVENT_MEMBER && r->member == BODY) {
        last(r)->body.p = here(r) - 1;
    }
    r->depth++;
    return go_on;
}

static int on_object_end(void *ctx)
{
    struct event_reader *r = ctx;
    r->depth--;
    if (!r->in_data)
        return 1;
    if (r->depth == EVENT_MEMBER && r->member == BODY)
        last(r)->body.n = (size_t)(here(r) - last(r)->body.p);
    return r->depth != EVENT || (r->kinds[ID] == STRING && r->kinds[TYPE] == STRING &&
                                 (r->kinds[BODY] == OBJECT || r->kinds[BODY] == NULL_VALUE));
}

static int on_array(void *ctx)
{
    struct event_reader *r = ctx;
    int go_on = take(r, ARRAY, STR_NULL);
    r->in_data = r->in_data || (r->depth == MEMBER && r->member == DATA);
    r->depth++;
    return go_on;
}

static int on_array_end(void *ctx)
{
    struct event_reader *r = ctx;
    r->depth--;
    if (r->depth == MEMBER)
        r->in_data = false;
    return 1;
}

static enum page_member member_of(struct str name, bool of_event)
{
    static const struct {
        struct str name;
        enum page_member member;
        bool of_event;
    } names[] = {
        {STR_INIT("data"), DATA, false},
        {STR_INIT("nextCursor"), NEXT_CURSOR, false},
        {STR_INIT("lastCursor"), LAST_CURSOR, false},
        {STR_INIT("id"), ID, true},
        {STR_INIT("event"), TYPE, true},
        {STR_INIT("body"), BODY, true},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].of_event == of_event && str_eq(names[i].name, name))
            return names[i].member;
    return UNKNOWN;
}

static int on_name(void *ctx, const unsigned char *text, size_t n)
{
    struct event_reader *r = ctx;
    bool of_event = r->in_data && r->depth == EVENT_MEMBER;
    if (r->depth != MEMBER && !of_event)
        return 1;
    r->member = member_of(str_of((const char *)text, n), of_event);
    return r->member == UNKNOWN || r->kinds[r->member] == NONE; /* twice: take neither */
}

/* yajl takes these two for white space, JSON does not (RFC 8259). */
static bool has_other_space(struct str text)
{
    return str_find_char(text, '\v') >= 0 || str_find_char(text, '\f') >= 0;
}

bool event_page_read(struct str text, struct event_page *ret)
{
    static const yajl_callbacks callbacks = {
        .yajl_null = on_null,
        .yajl_boolean = on_boolean,
        .yajl_number = on_number,
        .yajl_string = on_string,
        .yajl_start_map = on_object,
        .yajl_map_key = on_name,
        .yajl_end_map = on_object_end,
        .yajl_start_array = on_array,
        .yajl_end_array = on_array_end,
    };
    struct event_reader r = {.text = text, .page = ret, .member = UNKNOWN};
    ret->count = 0;
    ret->cursor = STR_NULL;
    arena_init(&ret->arena);
    r.yajl = yajl_alloc(&callbacks, NULL, &r);
    if (!r.yajl)
        no_memory(0);
    bool good = !has_other_space(text) &&
                yajl_parse(r.yajl, (const unsigned char *)text.p, text.n) == yajl_status_ok &&
                yajl_complete_parse(r.yajl) == yajl_status_ok;
    yajl_free(r.yajl);
    ret->more = r.kinds[NEXT_CURSOR] == STRING;
    return good && r.kinds[DATA] == ARRAY && r.kinds[LAST_CURSOR] == STRING &&
           (ret->more || r.kinds[NEXT_CURSOR] == NULL_VALUE);
}

void event_page_finish(struct event_page *page)
{
    arena_finish(&page->arena);
}

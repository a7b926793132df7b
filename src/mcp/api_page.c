/* Callbacks of yajl; see api_page.h. */
#include "mcp/api_page.h"

#include <yajl/yajl_parse.h>

#include "base/mem.h"

enum { DEPTH_MAX = 2048 };

/* How deep a value is: the body itself, its members, items, their members, those of a trade's
 * politician and of a politician's counts. */
enum { BODY, MEMBER, ITEM, ITEM_MEMBER, INNER_MEMBER };

enum kind { NONE, OBJECT, ARRAY, STRING, TRUE, NULL_VALUE, OTHER };

struct reader {
    yajl_handle yajl;
    struct str body;
    struct api_page *page;
    size_t room; /* of the page's items */
    int depth;
    enum kind body_kind, data_kind, next_kind;
    bool in_data, in_next, in_politician, in_counts, in_recent; /* the member whose value is next */
    bool only_objects;                                          /* among the elements of data */
    struct str *text; /* where the next string goes; may be NULL */
    bool *truth;      /* where the next truth of an item goes; may be NULL */
    int64_t *number;  /* and the next number */
};

static struct api_item *last(struct reader *r)
{
    return &r->page->items[r->page->count - 1];
}

/* Inside an array that is the member data. */
static bool in_list(const struct reader *r)
{
    return r->in_data && r->data_kind == ARRAY;
}

/* The item may move when another one comes. */
static void forget_places(struct reader *r)
{
    r->text = NULL;
    r->truth = NULL;
    r->number = NULL;
}

/* Puts the value of a member of an item where it goes. */
static void put_value(struct reader *r, enum kind kind, struct str text)
{
    if (r->truth)
        *r->truth = kind == TRUE;
    if (r->text)
        *r->text = arena_str(&r->page->arena, text);
}

/* Before each value. */
static int take(struct reader *r, enum kind kind, struct str text)
{
    switch (r->depth) {
    case BODY:
        r->body_kind = kind;
        break;
    case MEMBER:
        if (r->in_data)
            r->data_kind = kind;
        if (r->in_next) {
            r->next_kind = kind;
            r->page->next_cursor = arena_str(&r->page->arena, text);
        }
        break;
    case ITEM:
        r->only_objects = r->only_objects && (kind == OBJECT || !in_list(r));
        if (r->in_recent)
            r->page->no_recent = kind == ARRAY;
        break;
    case ITEM_MEMBER:
        if (r->in_recent)
            r->page->no_recent = false;
        put_value(r, kind, text);
        break;
    case INNER_MEMBER:
        put_value(r, kind, text);
        break;
    }
    return r->depth < DEPTH_MAX;
}

static int on_null(void *ctx)
{
    return take(ctx, NULL_VALUE, STR_NULL);
}

static int on_boolean(void *ctx, int value)
{
    return take(ctx, value ? TRUE : OTHER, STR_NULL);
}

static int on_number(void *ctx, const char *text, size_t n)
{
    struct reader *r = ctx;
    if (r->number)
        (void)str_to_i64(str_of(text, n), r->number);
    return take(ctx, OTHER, STR_NULL);
}

static int on_string(void *ctx, const unsigned char *text, size_t n)
{
    return take(ctx, STRING, str_of((const char *)text, n));
}

static int on_object(void *ctx)
{
    struct reader *r = ctx;
    int go_on = take(r, OBJECT, STR_NULL);
    if (in_list(r) && r->depth == ITEM) {
        struct api_page *page = r->page;
        page->items = mem_grow(page->items, page->count, &r->room, sizeof *page->items);
        page->items[page->count++] =
            (struct api_item){.json = {r->body.p + yajl_get_bytes_consumed(r->yajl) - 1, 0}};
    }
    r->depth++;
    forget_places(r);
    return go_on;
}

static int on_object_end(void *ctx)
{
    struct reader *r = ctx;
    r->depth--;
    if (in_list(r) && r->depth == ITEM)
        last(r)->json.n = (size_t)(r->body.p + yajl_get_bytes_consumed(r->yajl) - last(r)->json.p);
    return 1;
}

static int on_array(void *ctx)
{
    struct reader *r = ctx;
    int go_on = take(r, ARRAY, STR_NULL);
    r->depth++;
    forget_places(r);
    return go_on;
}

static int on_array_end(void *ctx)
{
    struct reader *r = ctx;
    r->depth--;
    return 1;
}

static struct str *text_of(struct api_item *item, struct str name)
{
    const struct {
        struct str name;
        struct str *text;
    } texts[] = {
        {STR("slug"), &item->slug},       {STR("name"), &item->name},
        {STR("chamber"), &item->chamber}, {STR("party"), &item->party},
        {STR("state"), &item->state},     {STR("ticker"), &item->ticker},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (str_eq(texts[i].name, name))
            return texts[i].text;
    return NULL;
}

static void on_item_name(struct reader *r, struct str name)
{
    struct api_item *item = in_list(r) && r->page->count > 0 ? last(r) : NULL;
    forget_places(r);
    r->in_politician = item && str_eq(name, STR("politician"));
    r->in_counts = item && str_eq(name, STR("counts"));
    if (!item)
        return;
    if (str_eq(name, STR("conflictSignal")))
        r->truth = &item->conflict;
    else if (str_eq(name, STR("inOffice")))
        r->truth = &item->in_office;
    else if (str_eq(name, STR("conflictReason")))
        r->text = &item->reason;
    else
        r->text = text_of(item, name);
}

static int on_name(void *ctx, const unsigned char *text, size_t n)
{
    struct reader *r = ctx;
    struct str name = str_of((const char *)text, n);
    if (r->depth == MEMBER) {
        r->in_data = str_eq(name, STR("data"));
        r->in_next = str_eq(name, STR("nextCursor"));
        if ((r->in_data && r->data_kind) || (r->in_next && r->next_kind))
            return 0; /* twice: readers may take either */
    } else if (r->depth == ITEM) {
        r->in_recent = r->in_data && str_eq(name, STR("recentTrades"));
    } else if (r->depth == ITEM_MEMBER) {
        on_item_name(r, name);
    } else if (r->depth == INNER_MEMBER) {
        r->text = r->in_politician ? text_of(last(r), name) : NULL;
        r->number = r->in_counts && str_eq(name, STR("waiting")) ? &last(r)->waiting : NULL;
    }
    return 1;
}

/* yajl takes these two for white space. JSON does not, anywhere (RFC 8259), and a client that gets
 * them in a result drops the whole message. */
static bool has_other_space(struct str body)
{
    return str_find_char(body, '\v') >= 0 || str_find_char(body, '\f') >= 0;
}

bool api_page_read(struct str body, struct api_page *ret)
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
    struct reader r = {.body = body, .page = ret, .only_objects = true};
    *ret = (struct api_page){.count = 0};
    arena_init(&ret->arena);
    r.yajl = yajl_alloc(&callbacks, NULL, &r);
    if (!r.yajl)
        no_memory(0);
    bool good = !has_other_space(body) &&
                yajl_parse(r.yajl, (const unsigned char *)body.p, body.n) == yajl_status_ok &&
                yajl_complete_parse(r.yajl) == yajl_status_ok;
    yajl_free(r.yajl);
    ret->is_one = r.data_kind == OBJECT;
    ret->is_list = r.data_kind == ARRAY && r.only_objects &&
                   (r.next_kind == STRING || r.next_kind == NULL_VALUE);
    return good && r.body_kind == OBJECT;
}

void api_page_finish(struct api_page *page)
{
    mem_free(page->items);
    arena_finish(&page->arena);
}

/* Builds the tree of a view; see view.h. */
#include "html/view.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/json_out.h"
#include "html/view_parts.h"

enum { FORMATTED_MAX = 1024, COUNT_TEXT_MAX = 32 };

struct view *view_node(struct arena *arena, enum view_kind kind)
{
    struct view *node = ARENA_NEW(arena, struct view);
    node->arena = arena;
    node->kind = kind;
    return node;
}

struct view *view_create(struct arena *arena)
{
    return view_node(arena, VIEW_OBJECT);
}

struct view *view_add(struct view *to, struct str name, enum view_kind kind)
{
    struct view *node = view_node(to->arena, kind);
    node->name = name;
    if (to->children.last)
        to->children.last->next = node;
    else
        to->children.first = node;
    to->children.last = node;
    return node;
}

const struct view *view_find(const struct view *object, struct str name)
{
    if (object->kind != VIEW_OBJECT)
        return NULL;
    for (const struct view *node = object->children.first; node; node = node->next)
        if (str_eq(node->name, name))
            return node;
    return NULL;
}

struct view *view_member(struct view *v, const char *name)
{
    return (struct view *)(uintptr_t)view_find(v, str_from(name));
}

/* The member with this name, emptied if it exists. */
static struct view *set(struct view *v, struct str name, enum view_kind kind)
{
    assert(v->kind == VIEW_OBJECT);
    struct view *node = (struct view *)(uintptr_t)view_find(v, name);
    if (!node)
        return view_add(v, name, kind);
    node->kind = kind;
    node->children.first = node->children.last = NULL;
    return node;
}

static void set_text(struct view *v, struct str name, enum view_kind kind, struct str value)
{
    struct view *node = set(v, name, str_is_null(value) ? VIEW_NULL : kind);
    if (!str_is_null(value))
        node->text = arena_str(v->arena, value);
}

void view_str(struct view *v, const char *name, struct str value)
{
    set_text(v, str_from(name), VIEW_STR, value);
}

void view_text(struct view *v, const char *name, const char *value)
{
    set_text(v, str_from(name), VIEW_STR, str_from(value));
}

void view_fmt(struct view *v, const char *name, const char *format, ...)
{
    char text[FORMATTED_MAX];
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (n < 0)
        n = 0;
    if ((size_t)n < sizeof text) {
        set_text(v, str_from(name), VIEW_STR, str_of(text, (size_t)n));
    } else {
        char *large = arena_alloc(v->arena, (size_t)n + 1);
        vsnprintf(large, (size_t)n + 1, format, again);
        set(v, str_from(name), VIEW_STR)->text = str_of(large, (size_t)n);
    }
    va_end(again);
}

void view_int(struct view *v, const char *name, int64_t value)
{
    set(v, str_from(name), VIEW_INT)->number = value;
}

void view_bool(struct view *v, const char *name, bool value)
{
    set(v, str_from(name), VIEW_BOOL)->yes = value;
}

void view_null(struct view *v, const char *name)
{
    set(v, str_from(name), VIEW_NULL);
}

void view_typed(struct view *v, const char *name, struct str value)
{
    set_text(v, str_from(name), VIEW_TYPED, value);
}

void view_html(struct view *v, const char *name, struct str html)
{
    set_text(v, str_from(name), VIEW_HTML, html);
}

/* Sets "createdAtText" for "createdAt". */
static void set_derived(struct view *v, const char *name, const char *suffix, struct str value)
{
    set_text(v, arena_fmt(v->arena, "%s%s", name, suffix), VIEW_STR, value);
}

static void put_grouped(struct buf *b, uint64_t value)
{
    if (value >= 1000) {
        put_grouped(b, value / 1000);
        buf_fmt(b, ",%03u", (unsigned)(value % 1000));
    } else {
        buf_u64(b, value);
    }
}

void view_count_put(struct buf *b, int64_t value)
{
    if (value < 0)
        buf_char(b, '-');
    put_grouped(b, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

void view_count(struct view *v, const char *name, int64_t value)
{
    char space[COUNT_TEXT_MAX];
    struct buf text = buf_over(space, sizeof space);
    view_int(v, name, value);
    view_count_put(&text, value);
    set_derived(v, name, "Text", buf_view(&text));
}

void view_instant(struct view *v, const char *name, int64_t ms)
{
    char space[INSTANT_TEXT_SIZE];
    struct buf text = buf_over(space, sizeof space);
    if (ms == INSTANT_NONE) {
        view_null(v, name);
        set_derived(v, name, "Text", STR_NULL);
        return;
    }
    instant_put(&text, ms);
    view_str(v, name, buf_view(&text));
    buf_reset(&text);
    instant_put_new_york_date(&text, ms);
    set_derived(v, name, "Text", buf_view(&text));
}

static struct str ago_text(struct arena *arena, int64_t ms, int64_t now_ms)
{
    static const struct {
        int64_t ms, from;
        const char *name;
    } units[] = {
        {365LL * DAY_MS, 730LL * DAY_MS, "year"},
        {DAY_MS, DAY_MS, "day"},
        {HOUR_MS, HOUR_MS, "hour"},
        {MINUTE_MS, MINUTE_MS, "minute"}};
    int64_t past = now_ms - ms, distance = past < 0 ? -past : past;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        int64_t count = distance / units[i].ms;
        if (distance >= units[i].from)
            return arena_fmt(
                arena, "%s%lld %s%s%s", past < 0 ? "in " : "", (long long)count, units[i].name,
                count == 1 ? "" : "s", past < 0 ? "" : " ago");
    }
    return past < 0 ? STR("in less than a minute") : STR("just now");
}

void view_ago(struct view *v, const char *name, int64_t ms, int64_t now_ms)
{
    view_instant(v, name, ms);
    set_derived(v, name, "Ago", ms == INSTANT_NONE ? STR_NULL : ago_text(v->arena, ms, now_ms));
}

struct view *view_object(struct view *v, const char *name)
{
    return set(v, str_from(name), VIEW_OBJECT);
}

struct view *view_list(struct view *v, const char *name)
{
    return set(v, str_from(name), VIEW_LIST);
}

struct view *view_item(struct view *list)
{
    assert(list->kind == VIEW_LIST);
    return view_add(list, STR_NULL, VIEW_OBJECT);
}

void view_item_str(struct view *list, struct str value)
{
    assert(list->kind == VIEW_LIST && !str_is_null(value));
    view_add(list, STR_NULL, VIEW_STR)->text = arena_str(list->arena, value);
}

struct arena *view_arena(const struct view *v)
{
    return v->arena;
}

static void put_json(struct json_out *j, const struct view *node)
{
    switch (node->kind) {
    case VIEW_NULL:
    case VIEW_HTML:
        json_no_value(j);
        break;
    case VIEW_BOOL:
        json_bool(j, node->yes);
        break;
    case VIEW_INT:
        json_i64(j, node->number);
        break;
    case VIEW_STR:
    case VIEW_TYPED:
        json_str(j, node->text);
        break;
    case VIEW_OBJECT:
        json_object_begin(j);
        for (const struct view *member = node->children.first; member; member = member->next)
            if (member->kind != VIEW_HTML) {
                json_key(j, member->name);
                put_json(j, member);
            }
        json_object_end(j);
        break;
    case VIEW_LIST:
        json_array_begin(j);
        for (const struct view *item = node->children.first; item; item = item->next)
            put_json(j, item);
        json_array_end(j);
        break;
    }
}

void view_json(struct buf *b, const struct view *view)
{
    struct json_out j;
    json_init(&j, b);
    put_json(&j, view);
}

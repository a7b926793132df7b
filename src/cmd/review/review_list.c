/* The list of drafts on a terminal; see review_list.h. */
#include "cmd/review/review_list.h"

#include "base/hidden.h"
#include "cmd/term/layout.h"
#include "cmd/term/next_steps.h"
#include "status/words.h"

enum { TEXT_MAX = 256 << 20, MARGIN = 2, GAP = 2, NAME_MIN = 12 };

struct review_list_item {
    enum report_state state;
    struct str id, day, who, more; /* escaped */
};

struct review_list {
    struct arena arena;
    struct review_list_item *items;
    size_t count, max;
    size_t id_columns;
    int64_t of_state[REPORT_STATE_COUNT];
};

/* In the order of the count. */
static const struct {
    enum report_state state;
    enum glyph glyph;
    enum paint paint;
} looks[] = {
    {REPORT_NEEDS_MANUAL, GLYPH_DOUBT, PAINT_DOUBT},    {REPORT_DRAFT, GLYPH_DOT, PAINT_NONE},
    {REPORT_IN_REVIEW, GLYPH_ARROW, PAINT_DOUBT},       {REPORT_ACCEPTED, GLYPH_TICK, PAINT_DOUBT},
    {REPORT_PUBLISHED, GLYPH_TICK, PAINT_GOOD},         {REPORT_AMENDED, GLYPH_TICK, PAINT_GOOD},
    {REPORT_REJECTED, GLYPH_CROSS, PAINT_BAD},          {REPORT_WITHDRAWN, GLYPH_CROSS, PAINT_BAD},
    {REPORT_NOTHING_REPORTED, GLYPH_TICK, PAINT_FAINT}, {REPORT_SUPERSEDED, GLYPH_DOT, PAINT_FAINT},
};
enum { LOOK_COUNT = sizeof looks / sizeof *looks };

static size_t look_of(enum report_state state)
{
    for (size_t i = 0; i < LOOK_COUNT; i++)
        if (looks[i].state == state)
            return i;
    return LOOK_COUNT - 1;
}

struct review_list *review_list_create(void)
{
    struct review_list *list = MEM_NEW(struct review_list);
    arena_init(&list->arena);
    return list;
}

void review_list_destroy(struct review_list *list)
{
    if (!list)
        return;
    arena_finish(&list->arena);
    mem_free(list->items);
    mem_free(list);
}

static struct str shown(struct review_list *list, struct str text)
{
    BUF_SCOPED(b, TEXT_MAX);
    hidden_show(&b, text);
    return arena_str(&list->arena, buf_view(&b));
}

static struct str day_text(struct review_list *list, int64_t filed_at)
{
    return filed_at == INSTANT_NONE ? STR("no date   ")
                                    : day_str(&list->arena, instant_day_new_york(filed_at));
}

/* What the first line does not say. */
static struct str more_of(struct review_list *list, const struct draft *d)
{
    struct arena *a = &list->arena;
    struct str text = STR("");
    if (d->shown != REPORT_DRAFT)
        text = report_state_name(d->shown);
    if (d->claimed_by.n)
        text = arena_fmt(
            a, "%.*s%sclaimed by %.*s", STR_ARG(text), text.n ? ", " : "", STR_ARG(d->claimed_by));
    if (d->doubts && (d->state == DRAFT_WAITING || d->state == DRAFT_IN_REVIEW))
        text = arena_fmt(
            a, "%.*s%s%.*s", STR_ARG(text), text.n ? ", " : "",
            STR_ARG(words_count(a, d->doubts, "doubt", "doubts")));
    if (d->is.reason.n)
        text = arena_fmt(a, "%.*s%s%.*s", STR_ARG(text), text.n ? ": " : "", STR_ARG(d->is.reason));
    return shown(list, text);
}

enum err review_list_add(void *ctx, const struct draft *draft)
{
    struct review_list *list = ctx;
    list->items = mem_grow(list->items, list->count, &list->max, sizeof *list->items);
    struct str who = draft->name.n ? draft->name : draft->is.filer;
    list->items[list->count++] = (struct review_list_item){
        .state = draft->shown,
        .id = shown(list, draft->is.filing_id),
        .day = day_text(list, draft->is.filed_at),
        .who = who.n ? shown(list, who) : STR("filer not known"),
        .more = more_of(list, draft),
    };
    size_t columns = layout_columns(list->items[list->count - 1].id);
    if (columns > list->id_columns)
        list->id_columns = columns;
    list->of_state[draft->shown]++;
    return OK;
}

static void put_mark(struct buf *to, const struct terminal *t, size_t look)
{
    struct str mark = str_from(terminal_glyph(t, looks[look].glyph));
    terminal_paint(t, to, looks[look].paint, mark);
    layout_spaces(to, MARGIN + (t->utf8 ? 0 : 1) - layout_columns(mark));
}

static void put_item(
    struct buf *to, const struct terminal *t, const struct review_list *list,
    const struct review_list_item *item)
{
    size_t look = look_of(item->state), begin = MARGIN + (t->utf8 ? 0 : 1);
    size_t at = begin + list->id_columns + GAP + DAY_TEXT_SIZE + GAP;
    put_mark(to, t, look);
    buf_str(to, item->id);
    layout_spaces(to, list->id_columns - layout_columns(item->id) + GAP);
    buf_str(to, item->day);
    size_t indent = at + NAME_MIN > (size_t)t->columns ? begin : at;
    layout_wrap(to, item->who, at - GAP, indent, (size_t)t->columns);
    struct str rest = item->more, line;
    size_t room = (size_t)t->columns - begin - GAP;
    while (item->more.n && layout_next_line(&rest, room, &line)) {
        layout_spaces(to, begin + GAP);
        terminal_paint(t, to, looks[look].paint, line);
        buf_char(to, '\n');
    }
}

static void put_counts(struct buf *to, const struct terminal *t, struct review_list *list)
{
    size_t widest = words_number(&list->arena, (int64_t)list->count).n;
    buf_char(to, '\n');
    terminal_paint(
        t, to, PAINT_STRONG, words_count(&list->arena, (int64_t)list->count, "draft", "drafts"));
    buf_char(to, '\n');
    for (size_t i = 0; i < LOOK_COUNT; i++) {
        const struct report_state_info *info = report_state_info(looks[i].state);
        struct str number = words_number(&list->arena, list->of_state[looks[i].state]);
        if (!list->of_state[looks[i].state])
            continue;
        layout_spaces(to, MARGIN);
        put_mark(to, t, i);
        layout_spaces(to, widest - number.n);
        size_t indent = MARGIN + MARGIN + (t->utf8 ? 0 : 1) + widest + 1;
        buf_str(to, number);
        struct str meaning =
            arena_fmt(&list->arena, "%.*s: %.*s", STR_ARG(info->name), STR_ARG(info->meaning));
        layout_wrap(to, meaning, indent - 1, indent, (size_t)t->columns);
    }
}

void review_list_print(struct review_list *list, struct out *out, struct str base_url)
{
    const struct terminal *t = &out->terminal;
    BUF_SCOPED(to, TEXT_MAX);
    for (size_t i = 0; i < list->count; i++)
        put_item(&to, t, list, &list->items[i]);
    put_counts(&to, t, list);
    if (list->count) {
        struct str id = list->count == 1 ? list->items[0].id : STR("ID");
        bool known = !str_is_null(base_url);
        struct next_step next[2] = {
            {arena_fmt(&list->arena, "stockact review show %.*s", STR_ARG(id)),
             known ? "look at a draft" : NULL}};
        if (known)
            next[1] = next_steps_desk(&list->arena, base_url);
        next_steps_put(&to, t, next, known ? 2 : 1);
    }
    out_page(out, &to);
}

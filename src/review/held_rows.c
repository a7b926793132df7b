/* Rows that are held back; see held_rows.h. */
#include "review/held_rows.h"

#include "rule/draft_state.h"
#include "store/desk/draft_history.h"

/* Lines of publications. */

struct str published_line_make(const struct published_line *line, struct arena *arena)
{
    return arena_fmt(
        arena, "%zu added, %zu corrected, %zu withdrawn, %zu linked, %zu held, %zu overtaken",
        line->added, line->corrected, line->withdrawn, line->linked, line->held, line->overtaken);
}

struct str published_line_bulk(const struct published_line *line, struct arena *arena)
{
    return arena_fmt(arena, "%zu added as bulk history, %zu held", line->added, line->held);
}

int64_t published_line_count(struct str text, struct str what)
{
    struct str part, number;
    int64_t count = 0;
    while (str_split(&text, ',', &part))
        if (str_next_word(&part, &number) && str_starts(str_trim(part), what) &&
            str_to_i64(number, &count))
            return count;
    return 0;
}

struct held_walk {
    int64_t before_ms;
    bool any, hidden;
    int64_t held;
};

/* The first publication is visible: its filing is. The trades of bulk history are older than it. */
static void visit(void *ctx, const struct draft_event *event)
{
    struct held_walk *walk = ctx;
    bool adds = published_line_count(event->new, STR("added")) > 0;
    walk->hidden |= walk->any && adds && event->at >= walk->before_ms;
    walk->any = true;
    if (!walk->hidden)
        walk->held = published_line_count(event->new, STR("held"));
}

enum err held_rows_count(
    struct db *db, struct str filing_id, int64_t before_ms, int64_t *ret, struct fail *fail)
{
    struct held_walk walk = {.before_ms = before_ms};
    TRY(draft_history_each_action(
        db, filing_id, draft_action_name(DRAFT_PUBLISH), visit, &walk, fail));
    *ret = walk.held;
    return OK;
}

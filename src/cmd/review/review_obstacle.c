/* Commands beside obstacles; see review_obstacle.h. */
#include "cmd/review/review_obstacle.h"

/* What follows the name of the program; `%i` is the filing, `%r` the row, `%n` the name. */
static const char *const commands[OBSTACLE_KIND_COUNT] = {
    [OBSTACLE_FILER] = "review set-filer %i SLUG",
    [OBSTACLE_FILED_AT] = "review set %i 0 filed YYYY-MM-DD",
    [OBSTACLE_URL] = "review set %i 0 url %n",
    [OBSTACLE_OPEN_ROW] = "review set %i %r trade TRADE",
    [OBSTACLE_NO_ROW] = "review add-row %i FIELD=VALUE...",
    [OBSTACLE_NO_DATE] = "review set %i %r %n YYYY-MM-DD",
    [OBSTACLE_HIDDEN] = "review set %i %r %n VALUE",
    [OBSTACLE_WITHDRAWN] = "reinstate %i --reason TEXT",
    [OBSTACLE_OTHER_FILER] = "review set-filer %i SLUG --reason TEXT",
    [OBSTACLE_ENTRY] = NULL, /* by another person: review_next.c */
    [OBSTACLE_CHECK] = "review accept %i --despite %n --reason TEXT",
};

enum { COMMAND_SIZE_MAX = 400 };

static struct str command_of(
    const char *at, const struct obstacle *obstacle, struct str filing_id, struct str by,
    struct arena *arena)
{
    char space[COMMAND_SIZE_MAX];
    struct buf b = buf_over(space, sizeof space);
    if (!at)
        return STR_NULL;
    buf_text(&b, "stockact ");
    for (; *at; at++) {
        if (*at != '%') {
            buf_char(&b, *at);
            continue;
        }
        at++;
        if (*at == 'r')
            buf_fmt(&b, "%d", obstacle->row);
        else
            buf_str(&b, *at == 'i' ? filing_id : obstacle->name);
    }
    buf_fmt(&b, " --by %.*s", STR_ARG(by));
    return b.overflow ? STR_NULL : arena_str(arena, buf_view(&b));
}

struct str review_obstacle_command(
    const struct obstacle *obstacle, struct str filing_id, struct str by, struct arena *arena)
{
    return command_of(commands[obstacle->kind], obstacle, filing_id, by, arena);
}

struct str review_obstacle_answer(
    const struct obstacle *obstacle, struct str filing_id, struct str by, struct arena *arena)
{
    bool dated = obstacle->kind == OBSTACLE_NO_DATE;
    return command_of(dated ? "review set %i %r %n \"\"" : NULL, obstacle, filing_id, by, arena);
}

static void add_command(
    const struct desk_view *view, struct str filing_id, struct str by, struct arena *arena,
    struct fail *fail)
{
    const struct fail refused = *fail;
    for (size_t i = 0; i < view->obstacles.count; i++) {
        struct fail same;
        const struct obstacle *obstacle = &view->obstacles.items[i];
        struct str command = review_obstacle_command(obstacle, filing_id, by, arena);
        if (obstacle_refuse(obstacle, &same) == refused.err && !strcmp(same.text, refused.text) &&
            !str_is_null(command)) {
            struct str answer = review_obstacle_answer(obstacle, filing_id, by, arena);
            (void)fail_set(
                fail, refused.err, "%s: `%.*s`%s%.*s%s", refused.text, STR_ARG(command),
                answer.n ? ", or `" : "", STR_ARG(answer), answer.n ? "`" : "");
            return;
        }
    }
}

enum err review_obstacle_explain(
    struct db *db, struct str filing_id, struct str by, enum err err, struct fail *fail)
{
    struct desk_view view;
    ARENA_SCOPED(arena);
    if (err != ERR_REFUSED || !db)
        return err;
    if (desk_show(db, filing_id, &arena, &view, NULL) == OK)
        add_command(&view, filing_id, by, &arena, fail);
    return err;
}

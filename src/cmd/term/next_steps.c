/* See next_steps.h. */
#include "cmd/term/next_steps.h"

#include "cmd/term/layout.h"

enum { MARGIN = 2, GAP = 2, WHY_MIN = 24 };

struct next_step next_steps_desk(struct arena *arena, struct str base_url)
{
    return (struct next_step){
        arena_fmt(arena, "%.*s/desk", STR_ARG(base_url)), "review in the browser"};
}

void next_steps_title(struct buf *to, const struct terminal *t)
{
    buf_char(to, '\n');
    terminal_paint(t, to, PAINT_STRONG, STR("Next"));
    buf_char(to, '\n');
}

void next_steps_put(
    struct buf *to, const struct terminal *t, const struct next_step *steps, size_t count)
{
    size_t widest = 0, columns = (size_t)t->columns;
    for (size_t i = 0; i < count; i++) {
        size_t wide = layout_columns(steps[i].command);
        widest = wide > widest ? wide : widest;
    }
    size_t indent = MARGIN + widest + GAP;
    if (indent + WHY_MIN > columns)
        indent = 2 * MARGIN;
    next_steps_title(to, t);
    for (size_t i = 0; i < count; i++) {
        layout_spaces(to, MARGIN);
        terminal_paint(t, to, PAINT_NAME, steps[i].command);
        if (steps[i].why)
            layout_wrap(
                to, str_from(steps[i].why), MARGIN + layout_columns(steps[i].command), indent,
                columns);
        else
            buf_char(to, '\n');
    }
}

void next_steps_put_below(struct buf *to, const struct terminal *t, const struct next_step *step)
{
    layout_spaces(to, MARGIN);
    terminal_paint(t, to, PAINT_FAINT, str_from(step->why));
    buf_char(to, '\n');
    layout_spaces(to, 2 * MARGIN);
    terminal_paint(t, to, PAINT_NAME, step->command);
    buf_char(to, '\n');
}

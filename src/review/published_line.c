/* Lines of publications; see published_line.h. */
#include "review/published_line.h"

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

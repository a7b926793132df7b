/* Words of a publication; see published_words.h. */
#include "review/published_words.h"

struct str published_words(const struct publish_draft_result *r, struct arena *arena)
{
    const struct {
        size_t count;
        const char *one, *many;
    } parts[] = {
        {r->added, "trade added", "trades added"},
        {r->corrected, "trade corrected", "trades corrected"},
        {r->withdrawn, "trade withdrawn", "trades withdrawn"},
        {r->linked, "row was already public", "rows were already public"},
        {r->overtaken, "row overtaken by an amendment", "rows overtaken by an amendment"},
        {r->held, "row held back", "rows held back"},
        {r->deliveries, "webhook delivery", "webhook deliveries"},
    };
    struct str text = STR("");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].count)
            text = arena_fmt(
                arena, "%.*s%s%zu %s", STR_ARG(text), text.n ? ", " : "", parts[i].count,
                parts[i].count == 1 ? parts[i].one : parts[i].many);
    return text.n ? text : STR("nothing new");
}

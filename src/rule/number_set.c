/* Sets of numbers; see number_set.h. */
#include "rule/number_set.h"

void number_set_read(struct number_set *set, struct str text)
{
    struct str part, first;
    while (str_split(&text, ',', &part)) {
        int64_t from, to;
        str_split(&part, '-', &first);
        if (!str_to_i64(first, &from) || !str_to_i64(str_is_null(part) ? first : part, &to))
            continue;
        for (int64_t n = from; n > 0 && n <= to && n <= NUMBER_SET_MAX; n++)
            number_set_add(set, (int)n);
    }
}

struct str number_set_text(const struct number_set *set, struct arena *arena)
{
    BUF_SCOPED(b, SIZE_MAX);
    for (int from = 1; from <= NUMBER_SET_MAX; from++) {
        int to = from;
        if (!number_set_has(set, from))
            continue;
        while (number_set_has(set, to + 1))
            to++;
        buf_fmt(&b, "%s%d", b.n ? "," : "", from);
        if (to > from)
            buf_fmt(&b, "-%d", to);
        from = to;
    }
    return arena_str(arena, b.n ? buf_view(&b) : STR(""));
}

bool number_set_within(const struct number_set *set, const struct number_set *all)
{
    for (size_t i = 0; i < NUMBER_SET_WORDS; i++)
        if (set->words[i] & ~all->words[i])
            return false;
    return true;
}

int number_set_count(const struct number_set *set)
{
    int count = 0;
    for (size_t i = 0; i < NUMBER_SET_WORDS; i++)
        count += __builtin_popcountll(set->words[i]);
    return count;
}

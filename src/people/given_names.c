/* Comparing given names strictly; see given_names.h. */
#include "people/given_names.h"

#include "names/given_name.h"

enum fit { FIT_NOT, FIT_INITIAL, FIT_WHOLE };

static enum fit words_fit(struct str a, struct str b, bool short_forms)
{
    const struct given_name exact = {.word = a}, known = short_forms ? given_name_find(a) : exact;
    switch (given_name_fit(&known, b)) {
    case GIVEN_SAME:
        return a.n > 1 ? FIT_WHOLE : FIT_INITIAL;
    case GIVEN_USUAL:
        return FIT_WHOLE;
    case GIVEN_INITIAL:
        return FIT_INITIAL;
    default:
        return FIT_NOT;
    }
}

static bool sequences_fit(
    const struct str *a, int a_count, const struct str *b, int b_count, bool wide)
{
    enum fit first = FIT_NOT, second = FIT_NOT;
    for (int i = 0; i < a_count && i < b_count; i++) {
        /* The name somebody goes by is the first or, behind an initial, the second. */
        enum fit fit = words_fit(a[i], b[i], wide && i < 2);
        if (fit == FIT_NOT)
            return false;
        if (i == 0)
            first = fit;
        if (i == 1)
            second = fit;
    }
    return first == FIT_WHOLE || (first == FIT_INITIAL && second == FIT_WHOLE);
}

/* Whether b is what is left of a without its first name. */
static bool tail_fits(const struct str *a, int a_count, const struct str *b, int b_count, bool wide)
{
    if (a_count < 2 || b_count < 1 || (a[0].n > 1 && !wide))
        return false;
    return words_fit(a[1], b[0], wide) == FIT_WHOLE &&
           sequences_fit(a + 1, a_count - 1, b, b_count, wide);
}

bool given_names_fit(const struct str *a, int a_count, const struct str *b, int b_count, bool wide)
{
    return sequences_fit(a, a_count, b, b_count, wide) || tail_fits(a, a_count, b, b_count, wide) ||
           tail_fits(b, b_count, a, a_count, wide);
}

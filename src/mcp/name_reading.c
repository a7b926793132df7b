/* Readings of a name; see name_reading.h. */
#include "mcp/name_reading.h"

enum {
    LAST_WORDS_MAX = 3,

    /* a whole name is this of its last and first name */
    WEIGHT_LAST = 550,
    WEIGHT_FIRST = 450,

    /* what a fit is worth in its place, permille */
    PLACE_PART = 930,           /* "Wasserman" of "Wasserman Schultz" */
    PLACE_MIDDLE_AS_LAST = 800, /* "Taylor" of "Marjorie Taylor Greene" */
    PLACE_TYPED_MIDDLE = 960,   /* behind another given name that was typed */
    PLACE_MIDDLE = 950,         /* behind another given name of the member */
    PLACE_BOTH_MIDDLE = 850,
    FIT_FAR_INITIAL = 500, /* of a given name in any of these three places */
    FIT_ALL_INITIALS = 870,

    GIVEN_MIN = 600,     /* below: another first name */
    GIVEN_SURE = 850,    /* where the last name alone says little */
    GIVEN_CERTAIN = 960, /* where it is hardly the same */

    SCORE_NAMES = 990, /* first and last name; more has only the whole name */
    SCORE_LAST_ONLY = 750,
    SCORE_FIRST_ONLY = 450,
    SCORE_OTHER_FIRST = 420,

    COST_ORDER = 20,
    COST_BEHIND = 40,        /* words behind the last name, others in front of it */
    COST_WORD = 30,          /* typed, and not in the member's name */
    COST_INITIAL = 8,        /* the same of a middle initial, where the member has no middle name */
    COST_OTHER_INITIAL = 40, /* and where the member has */
};

/* These words are the last name, on either side. q_count 0: only given names were typed. */
struct name_reading_parts {
    const struct name_query *q;
    const struct name_view *v;
    int q_from, q_count;
    int v_from, v_count;
};

static bool is_typed_given(const struct name_reading_parts *r, int at)
{
    return at < r->q_from || at >= r->q_from + r->q_count;
}

static bool is_given(const struct name_reading_parts *r, int at)
{
    return at < r->v_from || at >= r->v_from + r->v_count;
}

static bool is_at_end(const struct name_reading_parts *r)
{
    return r->q_from + r->q_count == r->q->parts.count;
}

static struct name_fit fit_given(const struct name_reading_parts *r, int at, struct str given)
{
    return name_fit_given(name_parts_word(&r->q->parts, at), &r->q->nicknames[at], given);
}

/* --- the given names */

/* The first of the typed given names, or the one behind its initial. */
static bool is_typed_first(const struct name_reading_parts *r, int at)
{
    int first = r->q_from == 0 ? r->q_count : 0;
    int second = first + 1 == r->q_from ? first + 1 + r->q_count : first + 1;
    return at == first || (at == second && r->q->parts.word[first].n == 1);
}

static bool is_first(const struct name_view *v, int at)
{
    return at == 0 || (at == 1 && v->name->word[0].n == 1);
}

static struct name_fit in_place(struct name_fit fit, bool typed_first, bool first)
{
    if ((typed_first && first) || fit.permille == 0)
        return fit;
    if (fit.why == WHY_INITIAL)
        return (struct name_fit){FIT_FAR_INITIAL, WHY_INITIAL};
    int place = typed_first ? PLACE_MIDDLE : first ? PLACE_TYPED_MIDDLE : PLACE_BOTH_MIDDLE;
    enum name_why why = fit.why == WHY_NAMES && !first ? WHY_MIDDLE : fit.why;
    return (struct name_fit){fit.permille * place / 1000, why};
}

static void keep_better(struct name_fit *best, struct name_fit fit)
{
    if (fit.permille > best->permille)
        *best = fit;
}

/* A typed word against each given name. Words of the last name that the reading leaves over are
 * none. */
static struct name_fit among_given(const struct name_reading_parts *r, int at)
{
    const struct name_view *v = r->v;
    bool typed_first = is_typed_first(r, at);
    struct name_fit best = {0};
    for (int k = 0; k < v->name->count && k < v->family; k++)
        if (is_given(r, k)) {
            struct name_fit fit = fit_given(r, at, name_parts_word(v->name, k));
            keep_better(&best, in_place(fit, typed_first, is_first(v, k)));
        }
    if (!str_is_null(v->first))
        keep_better(&best, in_place(fit_given(r, at, v->first), typed_first, true));
    return best;
}

/* All typed given names as one, "jd" or "maryjo", against all of the member's. */
static struct name_fit given_together(const struct name_reading_parts *r)
{
    const struct name_parts *typed = &r->q->parts, *name = r->v->name;
    int from = r->q_from == 0 ? r->q_count : 0, count = typed->count - r->q_count;
    bool side_by_side = r->q_from == 0 || is_at_end(r);
    if (!side_by_side || r->v_from == 0)
        return (struct name_fit){0};
    struct str mine = name_parts_span(typed, from, count),
               theirs = name_parts_span(name, 0, r->v_from);
    if (str_eq(mine, theirs))
        return (struct name_fit){FIT_SAME, WHY_NAMES};
    if ((count == 1 && r->v_from > 1 && name_parts_initials(name, 0, r->v_from, mine)) ||
        (count > 1 && r->v_from == 1 && name_parts_initials(typed, from, count, theirs)))
        return (struct name_fit){FIT_ALL_INITIALS, WHY_INITIAL};
    return (struct name_fit){0};
}

/* What a typed word costs that is not the given name the reading rests on. */
static int surplus(const struct name_reading_parts *r, int at)
{
    const struct name_view *v = r->v;
    bool middle = false;
    if (!str_is_null(v->first) && fit_given(r, at, v->first).permille)
        return 0;
    for (int k = 0; k < v->name->count; k++)
        if (is_given(r, k)) {
            if (fit_given(r, at, name_parts_word(v->name, k)).permille)
                return 0;
            middle = middle || k > 0;
        }
    if (r->q->parts.word[at].n > 1)
        return COST_WORD;
    return middle ? COST_OTHER_INITIAL : COST_INITIAL;
}

/* The best of the typed given names, and what the others cost together. */
static struct name_fit best_given(const struct name_reading_parts *r, int *ret_surplus)
{
    struct name_fit best = given_together(r);
    int used = -1;
    *ret_surplus = 0;
    if (best.permille)
        return best;
    for (int i = 0; i < r->q->parts.count; i++) {
        struct name_fit fit = is_typed_given(r, i) ? among_given(r, i) : (struct name_fit){0};
        if (fit.permille > best.permille) {
            best = fit;
            used = i;
        }
    }
    for (int i = 0; i < r->q->parts.count; i++)
        if (is_typed_given(r, i) && i != used)
            *ret_surplus += surplus(r, i);
    return best;
}

/* --- the last name */

static struct name_fit in_part(const struct name_reading_parts *r, struct name_fit fit)
{
    int end = r->v_from + r->v_count, family = r->v->family;
    bool whole = r->v_from == family && end == r->v->name->count;
    if (fit.permille == 0 || whole)
        return fit;
    if (fit.why == WHY_LAST_INITIAL || (r->v_from < family && fit.permille < FIT_SAME))
        return (struct name_fit){0};
    if (end <= family)
        return (struct name_fit){PLACE_MIDDLE_AS_LAST, WHY_MIDDLE_AS_LAST};
    if (r->v_from < family && end == r->v->name->count)
        return fit; /* a middle name that belongs to the last one */
    return (struct name_fit){
        fit.permille * PLACE_PART / 1000, fit.why == WHY_NAMES ? WHY_PART : fit.why};
}

/* Words run together or apart and several slips beside: that would be anybody. */
static bool is_far_fetched(const struct name_reading_parts *r, struct name_fit fit)
{
    return r->q_count != r->v_count && (fit.why == WHY_SPELLING || fit.why == WHY_SOUND);
}

static struct name_fit fit_last(const struct name_reading_parts *r)
{
    struct str last = name_parts_span(r->v->name, r->v_from, r->v_count);
    struct str typed = name_parts_span(&r->q->parts, r->q_from, r->q_count);
    if (last.n == 1 || (typed.n == 1 && !is_at_end(r)))
        return (struct name_fit){0}; /* a middle initial */
    struct name_fit fit = name_fit_last(typed, last);
    if (is_far_fetched(r, fit))
        return (struct name_fit){0};
    return in_part(r, fit);
}

/* Whether it would name too many without a first name. */
static bool says_little(struct name_fit last)
{
    return last.why == WHY_MIDDLE_AS_LAST || last.permille < FIT_BEGINNING;
}

static int given_needed(struct name_fit last)
{
    if (last.permille <= FIT_FAR_SLIP && last.why == WHY_SPELLING)
        return GIVEN_CERTAIN;
    return says_little(last) ? GIVEN_SURE : GIVEN_MIN;
}

static struct name_score last_score(struct name_fit last)
{
    bool exact = last.why == WHY_NAMES || last.why == WHY_PART;
    if (says_little(last))
        return (struct name_score){0};
    return (struct name_score){
        last.permille * SCORE_LAST_ONLY / 1000, exact ? WHY_LAST_ONLY : last.why};
}

/* --- both */

static void keep_dearest(int *most, enum name_why *why, int cost, enum name_why reason)
{
    if (cost > *most) {
        *most = cost;
        *why = reason;
    }
}

/* The reason is what costs most. */
static struct name_score both_score(
    const struct name_reading_parts *r, struct name_fit last, struct name_fit given, int more)
{
    bool in_front = r->q_from == 0;
    int order = is_at_end(r) ? 0 : in_front ? COST_ORDER : COST_BEHIND, most = 0;
    int last_loss = (1000 - last.permille) * WEIGHT_LAST / 1000;
    int given_loss = (1000 - given.permille) * WEIGHT_FIRST / 1000;
    enum name_why why = WHY_NAMES;
    keep_dearest(&most, &why, last_loss, last.why);
    keep_dearest(&most, &why, given_loss, given.why);
    keep_dearest(&most, &why, order + more, in_front && more <= order ? WHY_ORDER : WHY_SURPLUS);
    int permille = SCORE_NAMES - last_loss - given_loss - order - more;
    return permille > 0 ? (struct name_score){permille, why} : (struct name_score){0};
}

static struct name_score reading_score(const struct name_reading_parts *r)
{
    struct name_fit last = fit_last(r);
    int more;
    if (last.permille == 0)
        return (struct name_score){0};
    if (r->q_count == r->q->parts.count)
        return last_score(last);
    struct name_fit given = best_given(r, &more);
    if (given.permille >= given_needed(last))
        return both_score(r, last, given, more);
    if (last.permille == FIT_SAME && is_at_end(r))
        return (struct name_score){SCORE_OTHER_FIRST + given.permille / 20, WHY_OTHER_FIRST};
    return (struct name_score){0};
}

static void keep_higher(struct name_score *best, struct name_score score)
{
    if (score.permille > best->permille)
        *best = score;
}

/* These typed words against every place for a last name. */
static void try_places(struct name_reading_parts *r, struct name_score *best)
{
    int count = r->v->name->count;
    for (r->v_from = count > 1; r->v_from < count; r->v_from++)
        for (r->v_count = 1; r->v_count <= LAST_WORDS_MAX && r->v_from + r->v_count <= count;
             r->v_count++)
            keep_higher(best, reading_score(r));
}

struct name_score name_reading_best(const struct name_query *q, const struct name_view *v)
{
    struct name_score best = {0};
    struct name_reading_parts r = {.q = q, .v = v};
    int count = q->parts.count;
    for (r.q_from = 0; r.q_from < count; r.q_from++)
        for (r.q_count = 1; r.q_count <= LAST_WORDS_MAX && r.q_from + r.q_count <= count;
             r.q_count++)
            try_places(&r, &best);
    return best;
}

struct name_score name_reading_given(const struct name_query *q, const struct name_view *v)
{
    const struct name_reading_parts r = {
        .q = q, .v = v, .v_from = v->family, .v_count = v->name->count - v->family};
    struct name_fit given = given_together(&r);
    if (q->parts.count == 1)
        keep_better(&given, among_given(&r, 0));
    if (given.permille < GIVEN_MIN)
        return (struct name_score){0};
    return (struct name_score){given.permille * SCORE_FIRST_ONLY / 1000, WHY_FIRST_ONLY};
}

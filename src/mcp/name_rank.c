/*
 * Ranking names; see name_rank.h. No typed text says which of its words are the last name. So every
 * reading is tried: some typed words side by side as the last name, the other ones as given names.
 * The best reading counts. The numbers were set by the tables of the unit tests; only their order
 * matters.
 */
#include "mcp/name_rank.h"

#include "names/likeness.h"

enum {
    LAST_WORDS_MAX = 3, /* typed */

    /* one word for another, permille */
    FIT_SAME = 1000,
    FIT_NICKNAME = 965,
    FIT_SLIP = 940, /* less FIT_SLIP_COST for each typing error, divided by the word's letters */
    FIT_SLIP_COST = 600,
    FIT_SHORT_FORM = 930, /* the beginning of the other, in no list */
    FIT_BOTH_SHORT = 900, /* two nicknames, or two initials */
    FIT_INITIAL = 850,
    FIT_SOUND = 780,
    FIT_BEGINNING = 700, /* of a last name */
    FIT_FAR_SLIP = 600,  /* of a last name, with an edit more than FIT_SLIP allows */
    FIT_FAR_INITIAL = 500,
    FIT_LAST_INITIAL = 400, /* "Nancy P." */

    /* a word in another place of the name, permille of its fit */
    PLACE_MIDDLE = 950, /* a given name that is not the first one on both sides */
    PLACE_PART = 930,   /* "Wasserman" of "Wasserman Schultz" */
    PLACE_MIDDLE_AS_LAST = 800,

    /* last and first name; only the whole name has more */
    SCORE_NAMES = 990,
    WEIGHT_LAST = 550, /* permille of what the fit lacks */
    WEIGHT_GIVEN = 450,
    GIVEN_MIN = 600,     /* below: another first name */
    GIVEN_SURE = 850,    /* needed where the last name says little */
    GIVEN_CERTAIN = 960, /* needed for FIT_FAR_SLIP */
    COST_ORDER = 20,
    COST_WORD = 30,          /* typed, and not in the member's name */
    COST_INITIAL = 8,        /* the same of an initial, where the member has no middle name */
    COST_OTHER_INITIAL = 40, /* and where the member has */

    SCORE_NAMESAKE = 985, /* the same name, but another member has this slug */
    SCORE_TOGETHER = 950,
    SCORE_LAST_ONLY = 750,
    SCORE_INITIALS = 700,
    SCORE_SOME_INITIALS = 650, /* where the member's name has initials itself */
    SCORE_FIRST_ONLY = 450,
    SCORE_OTHER_FIRST = 420,
    COST_GENERATION = 10,   /* only typed */
    COST_NO_GENERATION = 5, /* only in the member's name */
    COST_OTHER_GENERATION = 150,

    /* letters that it takes */
    LAST_MIN = 4, /* for FIT_BEGINNING and FIT_FAR_SLIP */
    TOGETHER_MIN = 8,
    INITIALS_MIN = 3,
};

static const struct name_score nothing = {0, WHY_NOTHING};

const char *name_why_text(enum name_why why)
{
#define NAME_WHY_TEXT(why, text) [why] = (text),
    static const char *const texts[WHY_COUNT] = {NAME_WHYS(NAME_WHY_TEXT)};
    return texts[why];
}

static struct name_score score_of(int permille, enum name_why why)
{
    return permille > 0 ? (struct name_score){permille, why} : nothing;
}

static void keep_higher(struct name_score *best, struct name_score score)
{
    if (score.permille > best->permille)
        *best = score;
}

static struct str all_of(const struct name *name)
{
    return name_span(name, 0, name->count);
}

/* --- one word for another */

/* The fit of words with that many typing errors. */
static int slip(struct str a, struct str b, int edits)
{
    return FIT_SLIP - edits * FIT_SLIP_COST / (int)(a.n > b.n ? a.n : b.n);
}

static struct name_score fit_last(struct str typed, struct str last)
{
    int slips = likeness_slips(typed, last), edits = likeness_edits(typed, last, slips + 1);
    bool begins = typed.p[0] == last.p[0], far = edits == slips + 1;
    if (edits == 0)
        return score_of(FIT_SAME, WHY_NAMES);
    if (typed.n == 1)
        return score_of(begins ? FIT_LAST_INITIAL : 0, WHY_LAST_INITIAL);
    if (edits <= slips)
        return score_of(slip(typed, last, edits), edits == 1 ? WHY_ONE_LETTER : WHY_SPELLING);
    if (far && likeness_sounds(typed, last))
        return score_of(FIT_SOUND, WHY_SOUND);
    if (typed.n < LAST_MIN || last.n < LAST_MIN)
        return nothing;
    if (str_starts(last, typed))
        return score_of(FIT_BEGINNING, WHY_BEGINNING);
    return score_of(far && begins ? FIT_FAR_SLIP : 0, WHY_SPELLING);
}

static struct name_score fit_given(const struct given_name *typed, struct str given)
{
    static const struct name_score known[] = {
        [GIVEN_BOTH_SHORT] = {FIT_BOTH_SHORT, WHY_NICKNAME},
        [GIVEN_INITIAL] = {FIT_INITIAL, WHY_INITIAL},
        [GIVEN_FORM] = {FIT_NICKNAME, WHY_NICKNAME},
        [GIVEN_USUAL] = {FIT_NICKNAME, WHY_NICKNAME},
        [GIVEN_SAME] = {FIT_SAME, WHY_NAMES},
    };
    struct str word = typed->word, shorter = word.n < given.n ? word : given;
    enum given_fit fit = given_name_fit(typed, given);
    if (fit == GIVEN_SAME && shorter.n == 1)
        return score_of(FIT_BOTH_SHORT, WHY_INITIAL);
    if (fit != GIVEN_DIFFERENT || shorter.n == 1)
        return known[fit];
    if (typed->count > 0 && given_name_find(given).count > 0)
        return nothing; /* Mark and Mary are two names, not a typing error */
    if (str_starts(word, shorter) && str_starts(given, shorter))
        return score_of(FIT_SHORT_FORM, WHY_NICKNAME);
    int slips = likeness_slips(word, given), edits = likeness_edits(word, given, slips);
    return score_of(edits <= slips ? slip(word, given, edits) : 0, WHY_FIRST_SPELLING);
}

/* --- a reading: `count` typed words from `from` on are the last name */

/* The displayed name, or the slug without its id. */
struct name_form {
    struct name name;
    int family; /* where the last name begins */
};

struct name_reading {
    const struct name_query *q;
    const struct name_form *form;
    int from, count;
    bool at_end; /* no typed words behind them */
};

/* The typed last name against `words` words from `at` on: all of the last name, a part of it, or a
 * middle name. */
static struct name_score fit_place(const struct name_reading *r, int at, int words)
{
    const struct name *name = &r->form->name, *typed = &r->q->name;
    int family = r->form->family;
    bool whole = at == family && at + words == name->count, middle = at + words <= family;
    struct str last = name_span(name, at, words);
    if (last.n == 1 || (at < family && !middle))
        return nothing;
    struct name_score fit = fit_last(name_span(typed, r->from, r->count), last);
    /* Words run together and typing errors: that would be anybody. */
    bool initial = typed->word[r->from].n == 1;
    enum name_why least = initial ? WHY_ONE_LETTER : WHY_SPELLING;
    if ((initial || r->count != words) && fit.why >= least && fit.why <= WHY_SOUND)
        return nothing;
    if (whole || fit.why == WHY_LAST_INITIAL)
        return whole ? fit : nothing;
    if (middle)
        return score_of(
            fit.permille == FIT_SAME && r->at_end ? PLACE_MIDDLE_AS_LAST : 0, WHY_MIDDLE_AS_LAST);
    return score_of(fit.permille * PLACE_PART / 1000, fit.why == WHY_NAMES ? WHY_PART : fit.why);
}

static struct name_score best_last(const struct name_reading *r)
{
    struct name_score best = nothing;
    int count = r->form->name.count;
    if (r->q->name.word[r->from].n == 1 && r->count == 1 && !r->at_end)
        return nothing; /* a middle initial */
    for (int at = count > 1; at < count; at++)
        for (int words = 1; at + words <= count; words++)
            keep_higher(&best, fit_place(r, at, words));
    return best;
}

/* A typed word as one of the given names. */
static struct name_score fit_each(
    const struct name_form *form, const struct given_name *typed, bool typed_first)
{
    const struct name *name = &form->name;
    struct name_score best = nothing;
    for (int i = 0; i < form->family; i++) {
        bool first = i == 0 || (i == 1 && name->word[0].n == 1);
        struct name_score fit = fit_given(typed, name->word[i]);
        if (fit.permille && !(first && typed_first)) {
            bool initial = fit.why == WHY_INITIAL;
            fit.permille = initial ? FIT_FAR_INITIAL : fit.permille * PLACE_MIDDLE / 1000;
            fit.why = fit.why == WHY_NAMES && !first ? WHY_MIDDLE : fit.why;
        }
        keep_higher(&best, fit);
    }
    if (name_initials(name, 0, form->family, typed->word))
        keep_higher(&best, score_of(FIT_INITIAL, WHY_INITIAL)); /* "JD" */
    return best;
}

/* The best of the typed given names, and the cost of those that the member does not have. */
static struct name_score best_given(const struct name_reading *r, int *ret_surplus)
{
    struct name_score best = nothing;
    int seen = 0, initials = 0;
    *ret_surplus = 0;
    for (int i = 0; i < r->q->name.count; i++) {
        bool initial = r->q->name.word[i].n == 1;
        if (i >= r->from && i < r->from + r->count)
            continue;
        bool first = seen == 0 || (seen == 1 && initials == 1); /* or the one behind its initial */
        struct name_score fit = fit_each(r->form, &r->q->given[i], first);
        keep_higher(&best, fit);
        if (fit.permille == 0)
            *ret_surplus += !initial              ? COST_WORD
                            : r->form->family > 1 ? COST_OTHER_INITIAL
                                                  : COST_INITIAL;
        initials += initial;
        seen++;
    }
    return best;
}

/* The reason is what costs most. */
static struct name_score last_and_given(
    const struct name_reading *r, struct name_score last, struct name_score given, int surplus)
{
    int order = r->at_end ? 0 : COST_ORDER;
    const struct name_score losses[] = {
        {(FIT_SAME - last.permille) * WEIGHT_LAST / 1000, last.why},
        {(FIT_SAME - given.permille) * WEIGHT_GIVEN / 1000, given.why},
        {order + surplus, r->from == 0 && surplus <= order ? WHY_ORDER : WHY_SURPLUS},
    };
    struct name_score most = {0, WHY_NAMES};
    int permille = SCORE_NAMES;
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++) {
        keep_higher(&most, losses[i]);
        permille -= losses[i].permille;
    }
    return score_of(permille, most.why);
}

static struct name_score reading_score(const struct name_reading *r)
{
    int surplus;
    struct name_score last = best_last(r);
    if (last.permille == 0)
        return nothing;
    /* The last name alone would find too many. */
    bool little = last.why == WHY_MIDDLE_AS_LAST || last.permille < FIT_BEGINNING;
    bool far = last.why == WHY_SPELLING && last.permille <= FIT_FAR_SLIP;
    bool exact = last.why == WHY_NAMES || last.why == WHY_PART;
    if (r->count == r->q->name.count)
        return score_of(
            little ? 0 : last.permille * SCORE_LAST_ONLY / 1000, exact ? WHY_LAST_ONLY : last.why);
    struct name_score given = best_given(r, &surplus);
    if (given.permille >= (far ? GIVEN_CERTAIN : little ? GIVEN_SURE : GIVEN_MIN))
        return last_and_given(r, last, given, surplus);
    if (last.permille == FIT_SAME && r->at_end)
        return score_of(SCORE_OTHER_FIRST + given.permille / 20, WHY_OTHER_FIRST);
    return nothing;
}

/* --- the whole name */

/* One word: a given name, "AOC", or "nancypelosi" with one typing error at most. */
static struct name_score word_score(const struct given_name *typed, const struct name_form *form)
{
    const struct name *name = &form->name;
    struct str all = all_of(name), word = typed->word;
    struct name_score given = fit_each(form, typed, true);
    int edits = likeness_edits(word, all, 1);
    bool some = false;
    if (word.n >= INITIALS_MIN && name_initials(name, 0, name->count, word)) {
        for (int i = 0; i < name->count; i++)
            some = some || name->word[i].n == 1;
        return score_of(some ? SCORE_SOME_INITIALS : SCORE_INITIALS, WHY_INITIALS);
    }
    if (word.n >= TOGETHER_MIN && name->count > 1 && edits <= 1)
        return score_of(
            (edits ? slip(word, all, edits) : FIT_SAME) * SCORE_TOGETHER / 1000, WHY_TOGETHER);
    return score_of(
        given.permille < GIVEN_MIN ? 0 : given.permille * SCORE_FIRST_ONLY / 1000, WHY_FIRST_ONLY);
}

static struct name_score form_score(const struct name_query *q, const struct name_form *form)
{
    int words = q->name.count;
    struct name_score best = words == 1 ? word_score(&q->given[0], form) : nothing;
    for (int from = 0; from < words; from++)
        for (int count = 1; count <= LAST_WORDS_MAX && from + count <= words; count++) {
            const struct name_reading r = {q, form, from, count, from + count == words};
            keep_higher(&best, reading_score(&r));
        }
    return best;
}

/* Where the last name begins: where a name and its slug start to end alike, but not with an initial
 * or with the first name of either. */
static int family_of(const struct name *name, const struct name *other, int otherwise)
{
    struct str other_last = name_span(other, 1, other->count - 1);
    for (int at = 1; at < name->count; at++)
        if (name->word[at].n > 1 && str_ends(other_last, name_span(name, at, name->count - at)))
            return at;
    return otherwise;
}

static struct str last_of(const struct name_form *form)
{
    return name_span(&form->name, form->family, form->name.count - form->family);
}

/* Drops "p000197" at the end. */
static void drop_id(struct name *slug)
{
    for (; slug->count > 1; slug->count--) {
        struct str last = slug->word[slug->count - 1];
        if (!ascii_is_digit(last.p[last.n - 1]))
            return;
    }
}

static struct name_score best_score(
    const struct name_query *q, struct name_form *name, struct name_form *slug)
{
    struct str typed = all_of(&q->name);
    if (q->slug && str_eq(typed, all_of(&slug->name)))
        return score_of(NAME_SCORE_SAME, WHY_SLUG);
    drop_id(&slug->name);
    if (q->slug && str_eq(typed, all_of(&slug->name)))
        return score_of(SCORE_NAMESAKE, WHY_NAMES);
    if (str_eq(typed, all_of(&name->name)))
        return score_of(NAME_SCORE_SAME, WHY_SAME);
    name->family = family_of(&name->name, &slug->name, name->name.count - 1);
    slug->family = family_of(&slug->name, &name->name, slug->name.count > 1);
    struct name_score best = form_score(q, name);
    /* Otherwise the slug says nothing new. */
    if (!str_eq(slug->name.word[0], name->name.word[0]) || !str_eq(last_of(slug), last_of(name)))
        keep_higher(&best, form_score(q, slug));
    return best;
}

/* "Jr." and "II" are one generation. */
static struct str generation_of(const struct name *name)
{
    return str_eq(name->generation, STR("ii")) ? STR("jr") : name->generation;
}

struct name_score name_query_score(const struct name_query *q, struct str name, struct str slug)
{
    struct name_form named, slugged;
    if (name_read_typed(&slugged.name, q->arena, slug, NULL) != OK)
        slugged.name.count = 0;
    if (name_read_typed(&named.name, q->arena, name, NULL) != OK)
        named.name = slugged.name;
    if (named.name.count == 0)
        return nothing;
    struct name_score score = best_score(q, &named, &slugged);
    struct str typed = generation_of(&q->name), theirs = generation_of(&named.name);
    if (str_eq(typed, theirs) || score.why == WHY_SLUG)
        return score;
    if (!str_is_null(typed) && !str_is_null(theirs))
        return score_of(score.permille - COST_OTHER_GENERATION, WHY_GENERATION);
    return score_of(
        score.permille - (str_is_null(typed) ? COST_NO_GENERATION : COST_GENERATION), score.why);
}

enum err name_query_init(
    struct name_query *q, struct str text, struct arena *arena, struct fail *fail)
{
    struct str trimmed = str_trim(text);
    *q = (struct name_query){.arena = arena};
    enum err err = name_read_typed(&q->name, arena, text, fail);
    for (int i = 0; i < q->name.count && !err; i++)
        q->given[i] = given_name_find(q->name.word[i]);
    bool joined = str_find_char(trimmed, '-') > 0 || str_find_char(trimmed, '_') > 0;
    q->slug = joined && str_find_char(trimmed, ' ') < 0;
    return err;
}

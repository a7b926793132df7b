/* Comparing names; see name_rank.h. What is looked at as a whole is here; which words are what, in
 * name_reading.c; one word against another, in name_fit.c. */
#include "mcp/name_rank.h"

#include "mcp/name_reading.h"
#include "mcp/word_like.h"

enum {
    TOGETHER_MIN = 8, /* letters of a whole name in one word */
    TOGETHER_SLIPS = 1,
    INITIALS_MIN = 3,
    INITIALS_MAX = 5,

    SCORE_NAMESAKE = 985, /* somebody else has this slug, and the same name */
    SCORE_TOGETHER = 950,
    SCORE_INITIALS = 700,
    SCORE_SOME_INITIALS = 650,

    COST_GENERATION = 10,   /* only typed */
    COST_NO_GENERATION = 5, /* only in the member's name */
    COST_OTHER_GENERATION = 150,
};

struct name_rank_person {
    struct name_parts name; /* the slug's, where none is displayed */
    struct name_parts slug; /* without an id; count 0: there is none */
    struct str whole_slug;  /* its letters, with the id; null: there is none */
    struct name_view views[2];
    int view_count;
};

/* --- the member */

static bool has_digit(struct str word)
{
    for (size_t i = 0; i < word.n; i++)
        if (ascii_is_digit(word.p[i]))
            return true;
    return false;
}

/* How many words at the end of both are the same. A slug's first word is a first name. */
static int common_end(const struct name_parts *name, const struct name_parts *slug)
{
    int n = 0;
    while (
        n < name->count - 1 && n < slug->count - 1 &&
        str_eq(
            name_parts_word(name, name->count - 1 - n), name_parts_word(slug, slug->count - 1 - n)))
        n++;
    return n;
}

static struct str other_first(const struct name_parts *here, const struct name_parts *there)
{
    struct str first = name_parts_word(there, 0);
    return there->count < 2 || str_eq(first, name_parts_word(here, 0)) ? STR_NULL : first;
}

/* The slug is a view of its own only where the displayed name has not the slug's last name. */
static void set_views(struct name_rank_person *p)
{
    bool slug = p->slug.count > 0;
    int common = slug ? common_end(&p->name, &p->slug) : 0;
    int family = common ? p->name.count - common : 1;
    while (family < p->name.count - 1 && p->name.word[family].n == 1)
        family++; /* an initial */
    p->views[p->view_count++] =
        (struct name_view){&p->name, family, slug ? other_first(&p->name, &p->slug) : STR_NULL};
    if (slug && common < p->slug.count - 1)
        p->views[p->view_count++] =
            (struct name_view){&p->slug, 1, other_first(&p->slug, &p->name)};
}

static void read_slug(struct name_rank_person *p, struct str slug)
{
    if (name_parts_read(&p->slug, slug, NULL) != OK) {
        p->slug.count = 0;
        return;
    }
    p->whole_slug = name_parts_all(&p->slug);
    while (p->slug.count > 1 && has_digit(name_parts_word(&p->slug, p->slug.count - 1)))
        p->slug.count--;
}

/* False: there is nothing to compare with. */
static bool read_person(struct name_rank_person *p, struct str name, struct str slug)
{
    *p = (struct name_rank_person){0};
    bool named = name_parts_read(&p->name, name, NULL) == OK;
    read_slug(p, slug);
    if (!named && p->slug.count == 0)
        return false;
    if (!named)
        p->name = p->slug;
    set_views(p);
    return true;
}

/* --- whole names */

/* The very name, or slug. */
static struct name_score same_score(const struct name_query *q, const struct name_rank_person *p)
{
    struct str typed = name_parts_all(&q->parts);
    if (q->slug && p->slug.count) {
        if (str_eq(typed, p->whole_slug))
            return (struct name_score){NAME_SCORE_SAME, WHY_SLUG};
        if (str_eq(typed, name_parts_all(&p->slug)))
            return (struct name_score){SCORE_NAMESAKE, WHY_NAMES};
    }
    if (str_eq(typed, name_parts_all(&p->name)))
        return (struct name_score){NAME_SCORE_SAME, WHY_SAME};
    return (struct name_score){0};
}

/* "AOC" or "A.O.C."; somebody whose middle name is written as an initial hardly goes by them. */
static struct name_score initials_score(const struct name_query *q, const struct name_parts *name)
{
    struct str typed = name_parts_all(&q->parts);
    bool together = q->parts.count == 1 || (size_t)q->parts.count == typed.n, whole = true;
    if (!together || typed.n < INITIALS_MIN || typed.n > INITIALS_MAX ||
        !name_parts_initials(name, 0, name->count, typed))
        return (struct name_score){0};
    for (int i = 0; i < name->count; i++)
        whole = whole && name->word[i].n > 1;
    return (struct name_score){whole ? SCORE_INITIALS : SCORE_SOME_INITIALS, WHY_INITIALS};
}

/* "nancypelosi" */
static struct name_score one_word_score(const struct name_query *q, const struct name_parts *name)
{
    struct str typed = name_parts_all(&q->parts), all = name_parts_all(name);
    if (q->parts.count > 1 || typed.n < TOGETHER_MIN || name->count == 1)
        return (struct name_score){0};
    int edits = word_edits(typed, all, TOGETHER_SLIPS);
    if (edits > TOGETHER_SLIPS)
        return (struct name_score){0};
    int permille = edits ? name_fit_slip(typed, all, edits) : FIT_SAME;
    return (struct name_score){permille * SCORE_TOGETHER / 1000, WHY_TOGETHER};
}

static struct name_score with_generation(
    struct name_score score, enum name_generation typed, enum name_generation theirs)
{
    if (typed == theirs || score.why == WHY_SLUG)
        return score;
    if (typed != GENERATION_NONE && theirs != GENERATION_NONE) {
        score.permille -= COST_OTHER_GENERATION;
        score.why = WHY_GENERATION;
    } else {
        score.permille -= typed == GENERATION_NONE ? COST_NO_GENERATION : COST_GENERATION;
    }
    return score.permille > 0 ? score : (struct name_score){0};
}

/* --- */

static void keep_higher(struct name_score *best, struct name_score score)
{
    if (score.permille > best->permille)
        *best = score;
}

static struct name_score best_score(const struct name_query *q, const struct name_rank_person *p)
{
    struct name_score best = same_score(q, p);
    if (best.permille)
        return best;
    for (int i = 0; i < p->view_count; i++) {
        keep_higher(&best, name_reading_best(q, &p->views[i]));
        keep_higher(&best, name_reading_given(q, &p->views[i]));
    }
    keep_higher(&best, initials_score(q, &p->name));
    keep_higher(&best, one_word_score(q, &p->name));
    if (p->slug.count) {
        keep_higher(&best, initials_score(q, &p->slug));
        keep_higher(&best, one_word_score(q, &p->slug));
    }
    return best;
}

struct name_score name_query_score(const struct name_query *q, struct str name, struct str slug)
{
    struct name_rank_person p;
    if (!read_person(&p, name, slug))
        return (struct name_score){0};
    return with_generation(best_score(q, &p), q->parts.generation, p.name.generation);
}

enum err name_query_init(struct name_query *q, struct str text, struct fail *fail)
{
    struct str trimmed = str_trim(text);
    *q = (struct name_query){0};
    enum err err = name_parts_read(&q->parts, text, fail);
    if (err)
        return err;
    for (int i = 0; i < q->parts.count; i++)
        nicknames_find(name_parts_word(&q->parts, i), &q->nicknames[i]);
    bool joined = str_find_char(trimmed, '-') > 0 || str_find_char(trimmed, '_') > 0;
    q->slug = joined && str_find_char(trimmed, ' ') < 0;
    return OK;
}

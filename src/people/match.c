/* The index of names and the search in it; see match.h. */
#include "people/match.h"

#include <assert.h>
#include <stdlib.h>

#include "base/search.h"
#include "names/given_name.h"
#include "names/name.h"

/* Comparing given names strictly. */

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

enum { FOUND_MAX = 64 };

/* One way in which one member is written. */
struct entry {
    struct str last; /* words of the last name, joined */
    const struct member *member;
    struct str *given;
    int given_count;
    struct str generation; /* of the member, from whichever name states it */
};

struct match {
    struct arena arena;
    struct entry *entries; /* by last */
    size_t count;
};

static int entry_order(const void *a, const void *b)
{
    return str_cmp(((const struct entry *)a)->last, ((const struct entry *)b)->last);
}

static void index_add(
    struct match *m, const struct member *member, struct str first, struct str last,
    struct str *generation)
{
    struct name given, family;
    if (!name_read_printed(&given, &m->arena, first, STR_NULL) ||
        !name_read_printed(&family, &m->arena, STR_NULL, last))
        return;
    if (!str_is_null(family.generation))
        *generation = family.generation;
    struct str *words = ARENA_ARRAY(&m->arena, struct str, (size_t)given.count);
    for (int i = 0; i < given.count; i++)
        words[i] = given.word[i];
    m->entries[m->count++] = (struct entry){
        .last = name_span(&family, 0, family.count),
        .member = member,
        .given = words,
        .given_count = given.count,
    };
}

static void index_member(struct match *m, const struct member *member)
{
    size_t from = m->count;
    struct str generation = STR_NULL;
    index_add(m, member, member->first, member->last, &generation);
    for (size_t i = 0; i < member->name_count; i++) {
        const struct member_name *name = &member->names[i];
        index_add(
            m, member, name->first, str_is_null(name->last) ? member->last : name->last,
            &generation);
    }
    for (size_t i = from; i < m->count; i++)
        m->entries[i].generation = generation;
}

struct match *match_create(const struct member_list *members)
{
    struct match *m = MEM_NEW(struct match);
    arena_init(&m->arena);
    size_t room = members->count;
    for (size_t i = 0; i < members->count; i++)
        room += members->items[i].name_count;
    m->entries = mem_array(room ? room : 1, sizeof *m->entries);
    for (size_t i = 0; i < members->count; i++)
        index_member(m, &members->items[i]);
    qsort(m->entries, m->count, sizeof *m->entries, entry_order);
    return m;
}

void match_destroy(struct match *m)
{
    if (!m)
        return;
    arena_finish(&m->arena);
    mem_free(m->entries);
    mem_free(m);
}

/* Members whose name fits, each once. */
struct found {
    const struct member *member[FOUND_MAX];
    struct str generation[FOUND_MAX];
    size_t count;
    bool overflow;
};

static void found_add(struct found *f, const struct entry *e)
{
    for (size_t i = 0; i < f->count; i++)
        if (f->member[i] == e->member)
            return;
    if (f->count == FOUND_MAX) {
        f->overflow = true;
        return;
    }
    f->member[f->count] = e->member;
    f->generation[f->count++] = e->generation;
}

static size_t entries_from(const struct match *m, struct str last)
{
    return FIRST_NOT(i, m->count, str_cmp(m->entries[i].last, last) < 0);
}

/* Where the given names end and the last name begins is tried at every word, since forms split
 * double names differently ("Cathy McMorris" "Rodgers"). */
static void found_by_name(
    const struct match *m, const struct name *name, bool wide, struct found *ret)
{
    for (int given = 1; given < name->count; given++) {
        struct str last = name_span(name, given, name->count - given);
        for (size_t i = entries_from(m, last); i < m->count; i++) {
            const struct entry *e = &m->entries[i];
            if (!str_eq(e->last, last))
                break;
            if (!str_is_null(name->generation) && !str_is_null(e->generation) &&
                !str_eq(name->generation, e->generation))
                continue;
            if (given_names_fit(name->word, given, e->given, e->given_count, wide))
                found_add(ret, e);
        }
    }
}

/* "John Duncan Jr." is the one who is stated to be Jr., where there is one. */
static void found_prefer_generation(struct found *f, struct str generation)
{
    size_t kept = 0;
    if (str_is_null(generation))
        return;
    for (size_t i = 0; i < f->count; i++)
        kept += str_eq(f->generation[i], generation);
    if (kept == 0)
        return;
    kept = 0;
    for (size_t i = 0; i < f->count; i++)
        if (str_eq(f->generation[i], generation))
            f->member[kept++] = f->member[i];
    f->count = kept;
}

static bool term_is_dated(const struct member_term *t)
{
    return t->start != DAY_NONE && t->end != DAY_NONE;
}

static bool age_serves(int32_t birthday, int32_t date)
{
    if (birthday == DAY_NONE)
        return false;
    int64_t days = (int64_t)date - birthday;
    return days * 4 >= MATCH_AGE_MIN * INT64_C(1461) && days * 4 <= MATCH_AGE_MAX * INT64_C(1461);
}

static bool term_agrees(
    const struct member *member, const struct member_term *t, const struct match_query *q)
{
    if (t->chamber != q->chamber)
        return false;
    if (!str_is_null(q->state) && !str_eq(q->state, t->state))
        return false;
    if (q->chamber == CHAMBER_HOUSE && q->district != MEMBER_DISTRICT_NONE &&
        q->district != t->district)
        return false;
    if (!term_is_dated(t))
        return age_serves(member->birthday, q->date);
    return t->start <= q->date && q->date <= t->end + MEMBER_AFTER_TERM_DAYS;
}

/* The latest term that agrees. */
static const struct member_term *agreeing_term(
    const struct member *member, const struct match_query *q, bool dated)
{
    for (size_t i = member->term_count; i-- > 0;) {
        const struct member_term *t = &member->terms[i];
        if (term_is_dated(t) == dated && term_agrees(member, t, q))
            return t;
    }
    return NULL;
}

static struct match_answer answer_among(
    const struct found *f, const struct match_query *q, bool undated_too)
{
    struct match_answer answer = {.verdict = f->count ? MATCH_NO_TERM : MATCH_NO_NAME};
    if (f->overflow)
        return (struct match_answer){.verdict = MATCH_AMBIGUOUS};
    for (int pass = 0; pass < (undated_too ? 2 : 1) && answer.verdict != MATCH_ONE; pass++)
        for (size_t i = 0; i < f->count; i++) {
            const struct member_term *t = agreeing_term(f->member[i], q, pass == 0);
            if (!t)
                continue;
            if (answer.verdict == MATCH_ONE)
                return (struct match_answer){.verdict = MATCH_AMBIGUOUS};
            answer = (struct match_answer){MATCH_ONE, f->member[i], t};
        }
    return answer;
}

static struct match_answer match_name(
    const struct match *m, const struct name *name, const struct match_query *q, bool wide,
    bool undated_too)
{
    struct found found = {0};
    found_by_name(m, name, wide, &found);
    found_prefer_generation(&found, name->generation);
    return answer_among(&found, q, undated_too);
}

struct match_answer match_find(const struct match *m, const struct match_query *q)
{
    struct name name;
    struct match_answer answer = {.verdict = MATCH_NO_NAME};
    ARENA_SCOPED(arena);
    if (name_read_printed(&name, &arena, q->first, q->last)) {
        bool placed = !str_is_null(q->state);
        answer = match_name(m, &name, q, placed, true);
        /* Of a hundred senators at a time, a last name and a short form name one. */
        bool none = answer.verdict == MATCH_NO_NAME || answer.verdict == MATCH_NO_TERM;
        if (!placed && q->chamber == CHAMBER_SENATE && none)
            answer = match_agree(answer, match_name(m, &name, q, true, false));
    }
    return answer;
}

struct match_answer match_agree(struct match_answer a, struct match_answer b)
{
    if (a.verdict == MATCH_ONE && b.verdict == MATCH_ONE && a.member != b.member)
        return (struct match_answer){.verdict = MATCH_AMBIGUOUS};
    if (a.verdict == MATCH_ONE)
        return a;
    if (b.verdict == MATCH_ONE)
        return b;
    return a.verdict > b.verdict ? a : b;
}

const char *match_verdict_text(enum match_verdict verdict)
{
    static const char *const texts[] = {
        [MATCH_ONE] = "one member fits",
        [MATCH_NO_NAME] = "no member has that name",
        [MATCH_NO_TERM] = "a member has that name but did not serve there then",
        [MATCH_AMBIGUOUS] = "more than one member fits",
    };
    assert(verdict < sizeof texts / sizeof *texts);
    return texts[verdict];
}

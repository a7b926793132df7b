/*
 * Reads the data set's JSON (legislators-current, legislators-historical): an array of people, each
 * with id.bioguide, name and terms, and optionally bio.birthday and other_names.
 *
 * The "party" of a term is the party at its end. A term with "party_affiliations" is split where
 * the member changed parties, so that each struct member_term has one party.
 *
 * A file in which at least SITTING_MIN people all serve on one day, that on which the newest of
 * them began, is the list of all sitting members of about that day: who is not in it had left.
 */
#include "base/json_in.h"
#include "market/bioguide.h"
#include "people/members_read.h"

enum { TERMS_MAX = 100, AFFILIATIONS_MAX = 20, OTHER_NAMES_MAX = 50, SITTING_MIN = 500 };

static struct str keep(struct members_read *m, struct str s)
{
    return s.n ? arena_str(m->arena, s) : STR_NULL;
}

static void read_term(
    struct members_read *m, struct json_in *j, const json_t *value, struct member_term *ret)
{
    struct str type = json_in_str(j, value, "type");
    int64_t district = json_in_opt_i64(j, value, "district", MEMBER_DISTRICT_NONE);
    int64_t senate_class = json_in_opt_i64(j, value, "class", 0);
    *ret = (struct member_term){
        .chamber = str_eq(type, STR("sen"))   ? CHAMBER_SENATE
                   : str_eq(type, STR("rep")) ? CHAMBER_HOUSE
                                              : CHAMBER_NONE,
        .state = keep(m, json_in_str(j, value, "state")),
        .district = (int)district,
        .senate_class = (int)senate_class,
        .party = keep(m, json_in_opt_str(j, value, "party")),
        .start = json_in_day(j, value, "start"),
        .end = json_in_day(j, value, "end"),
    };
    if (ret->chamber == CHAMBER_NONE)
        json_in_complain(j, "a term is neither \"rep\" nor \"sen\"");
    else if (!members_state_valid(ret->state))
        json_in_complain(j, "a term's \"state\" is not two capital letters");
    else if (district < MEMBER_DISTRICT_NONE || district > 99)
        json_in_complain(j, "a term's \"district\" is not 0 to 99");
    else if (senate_class < 0 || senate_class > 3)
        json_in_complain(j, "a term's \"class\" is not 1 to 3");
    else if (ret->end < ret->start)
        json_in_complain(j, "a term ends before it starts");
    if (ret->chamber == CHAMBER_SENATE)
        ret->district = MEMBER_DISTRICT_NONE;
    else
        ret->senate_class = 0;
}

/* Sorts the oldest first, the usual order of the data set; a few files are not sorted. */
static void sort_terms(struct member_term *terms, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && terms[k].start < terms[k - 1].start; k--) {
            struct member_term t = terms[k];
            terms[k] = terms[k - 1];
            terms[k - 1] = t;
        }
}

/* Writes one part of the term for each party; returns how many, at most count + 1. A party lasts
 * until the next one begins. A part before the first party has none. */
static size_t split_term(
    const struct member_term *term, const struct member_term *parties, size_t count,
    struct member_term *ret)
{
    size_t n = 1;
    ret[0] = *term;
    ret[0].party = STR_NULL;
    for (size_t i = 0; i < count && parties[i].start <= term->end; i++) {
        if (parties[i].start > ret[n - 1].start) {
            ret[n - 1].end = parties[i].start - 1;
            ret[n] = *term;
            ret[n++].start = parties[i].start;
        }
        ret[n - 1].party = parties[i].party;
    }
    return n;
}

/* Reads one term into `ret`, which has room for its parts; returns their number. */
static size_t read_parts(
    struct members_read *m, struct json_in *j, const json_t *value, struct member_term *ret)
{
    struct member_term parties[AFFILIATIONS_MAX];
    const json_t *list = json_in_opt_array(j, value, "party_affiliations");
    size_t count = json_array_size(list);
    read_term(m, j, value, ret);
    if (count > AFFILIATIONS_MAX)
        json_in_complain(j, "a term has %zu party affiliations", count);
    for (size_t i = 0; i < count && !j->err; i++) {
        const json_t *party = json_in_element(j, list, i, "a party affiliation");
        parties[i] = (struct member_term){
            .start = json_in_day(j, party, "start"),
            .party = keep(m, json_in_str(j, party, "party")),
        };
    }
    if (j->err || count == 0)
        return 1;
    const struct member_term term = *ret;
    sort_terms(parties, count);
    return split_term(&term, parties, count, ret);
}

static size_t parts_max(const json_t *terms)
{
    size_t max = 0;
    for (size_t i = 0; i < json_array_size(terms); i++)
        max += 1 + json_array_size(json_object_get(json_array_get(terms, i), "party_affiliations"));
    return max;
}

static void read_terms(
    struct members_read *m, struct json_in *j, const json_t *person, struct member *ret)
{
    const json_t *terms = json_in_array(j, person, "terms");
    size_t count = json_array_size(terms);
    if (!j->err && (count == 0 || count > TERMS_MAX))
        json_in_complain(j, "%zu terms", count);
    if (j->err)
        return;
    ret->terms = ARENA_ARRAY(m->arena, struct member_term, parts_max(terms));
    for (size_t i = 0; i < count && !j->err; i++)
        ret->term_count +=
            read_parts(m, j, json_in_element(j, terms, i, "a term"), &ret->terms[ret->term_count]);
    sort_terms(ret->terms, ret->term_count);
}

static void read_other_names(
    struct members_read *m, struct json_in *j, const json_t *person, struct member *ret,
    size_t room)
{
    const json_t *others = json_in_opt_array(j, person, "other_names");
    size_t count = json_array_size(others);
    if (count > OTHER_NAMES_MAX)
        json_in_complain(j, "%zu other names", count);
    for (size_t i = 0; i < count && !j->err; i++) {
        const json_t *other = json_in_element(j, others, i, "another name");
        struct str first = json_in_opt_str(j, other, "first");
        struct str middle = json_in_opt_str(j, other, "middle");
        struct str last = json_in_opt_str(j, other, "last");
        if (first.n == 0)
            first = ret->first;
        member_name_add(
            ret, room, keep(m, members_join(m->arena, first, middle)),
            last.n ? keep(m, last) : ret->last);
    }
}

/* The text in brackets; null: none. */
static struct str in_brackets(struct str text)
{
    ptrdiff_t open = str_find_char(text, '('), close = str_find_char(text, ')');
    if (open < 0 || close < open)
        return STR_NULL;
    return str_trim(str_slice(text, (size_t)open + 1, (size_t)close));
}

static void read_names(
    struct members_read *m, struct json_in *j, const json_t *person, struct member *ret)
{
    const json_t *name = json_in_object(j, person, "name");
    struct str middle = json_in_opt_str(j, name, "middle");
    struct str suffix = json_in_opt_str(j, name, "suffix");
    struct str nickname = json_in_opt_str(j, name, "nickname");
    struct str full = str_trim(json_in_opt_str(j, name, "official_full"));
    size_t room = OTHER_NAMES_MAX + 4;
    ret->first = keep(m, str_trim(json_in_str(j, name, "first")));
    ret->last = keep(m, str_trim(json_in_str(j, name, "last")));
    if (ret->first.n == 0 || ret->last.n == 0)
        json_in_complain(j, "the name is empty");
    if (j->err)
        return;
    struct str given = keep(m, members_join(m->arena, ret->first, middle));
    struct str family = keep(m, members_join(m->arena, ret->last, suffix));
    /* "Zachary (Zach)"; "J.D. (James)" and "(David)": comparing drops what is in brackets. */
    struct str other = members_join(m->arena, in_brackets(ret->first), in_brackets(middle));
    ret->names = ARENA_ARRAY(m->arena, struct member_name, room);
    member_name_add(ret, room, given, family);
    if (full.n) {
        struct member_name split = members_split_full(m->arena, full, ret->last);
        member_name_add(ret, room, split.first, split.last);
    }
    member_name_add(ret, room, keep(m, nickname), STR_NULL);
    member_name_add(ret, room, keep(m, other), STR_NULL);
    read_other_names(m, j, person, ret, room);
    ret->name = full.n ? keep(m, full) : members_join(m->arena, given, family);
}

static const struct member_term *last_term(const struct member *m)
{
    return &m->terms[m->term_count - 1];
}

/* The day of a list of sitting members; DAY_NONE: it is another list. */
static int32_t sitting_day(const struct member *items, size_t count)
{
    int32_t day = DAY_NONE;
    for (size_t i = 0; i < count; i++)
        day = last_term(&items[i])->start > day ? last_term(&items[i])->start : day;
    for (size_t i = 0; i < count; i++)
        if (last_term(&items[i])->end < day)
            return DAY_NONE;
    return count < SITTING_MIN ? DAY_NONE : day;
}

enum err members_read_json(
    struct members_read *m, const struct import_file *file, struct fail *fail)
{
    struct json_in j;
    size_t first = m->count;
    TRY(json_in_open(&j, file->name, file->text, fail));
    for (size_t i = 0; i < json_array_size(j.root) && !j.err; i++) {
        j.record = i + 1;
        j.within = STR_NULL;
        const json_t *person = json_in_element(&j, j.root, i, "it");
        const json_t *ids = json_in_object(&j, person, "id");
        struct str id = json_in_str(&j, ids, "bioguide");
        if (!bioguide_is_valid(id))
            json_in_complain(&j, "id.bioguide is not a letter and six digits");
        if (j.err)
            break;
        struct member *member = members_read_add(m);
        j.within = member->id = keep(m, id);
        read_names(m, &j, person, member);
        if (json_object_get(person, "bio"))
            member->birthday = json_in_opt_day(&j, json_in_object(&j, person, "bio"), "birthday");
        read_terms(m, &j, person, member);
        const char *wrong = members_hidden(m->arena, member);
        if (wrong)
            json_in_complain(&j, "%s", wrong);
    }
    enum err err = j.err;
    json_in_close(&j);
    int32_t day =
        err || m->count == first ? DAY_NONE : sitting_day(&m->items[first], m->count - first);
    for (size_t i = first; i < m->count; i++)
        m->items[i].listed_on = day;
    return err;
}

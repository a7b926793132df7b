/* Shared by the readers of both formats; see members_read.h. */
#include "people/members_read.h"

#include "base/csv_in.h"
#include "base/hidden.h"
#include "base/json_in.h"
#include "market/bioguide.h"

static struct member *members_read_add(struct members_read *m)
{
    m->items = mem_grow(m->items, m->count, &m->room, sizeof *m->items);
    struct member *member = &m->items[m->count++];
    *member = (struct member){.birthday = DAY_NONE, .listed_on = DAY_NONE};
    return member;
}

void members_read_finish(struct members_read *m)
{
    mem_free(m->items);
    *m = (struct members_read){.arena = m->arena};
}

void member_name_add(struct member *member, size_t room, struct str first, struct str last)
{
    if (first.n == 0)
        return;
    for (size_t i = 0; i < member->name_count; i++)
        if (str_eq(member->names[i].first, first) && str_eq(member->names[i].last, last))
            return;
    if (member->name_count < room)
        member->names[member->name_count++] = (struct member_name){first, last};
}

/* "James", "M." give "James M."; an empty or null part is left out. */
static struct str members_join(struct arena *arena, struct str a, struct str b)
{
    if (a.n == 0 || b.n == 0)
        return a.n ? a : b;
    return arena_fmt(arena, "%.*s %.*s", STR_ARG(a), STR_ARG(b));
}

/* The last position where `last` occurs as complete words after a space; -1: none. */
static ptrdiff_t last_name_at(struct str full, struct str last)
{
    for (size_t i = full.n; last.n && i-- > 1;) {
        size_t end = i + last.n;
        if (full.p[i - 1] == ' ' && end <= full.n && memcmp(full.p + i, last.p, last.n) == 0 &&
            (end == full.n || full.p[end] == ' ' || full.p[end] == ','))
            return (ptrdiff_t)i;
    }
    return -1;
}

/* Splits a full name into given names and last name: `last` where the name ends in it, otherwise
 * its final word. Generations and degrees stay with the last name. */
static struct member_name members_split_full(struct arena *arena, struct str full, struct str last)
{
    ptrdiff_t at = last_name_at(full, last);
    if (at < 0)
        for (size_t i = full.n; i-- > 1 && at < 0;)
            if (full.p[i - 1] == ' ')
                at = (ptrdiff_t)i;
    if (at < 0)
        return (struct member_name){STR_NULL, STR_NULL};
    return (struct member_name){
        arena_str(arena, str_trim(str_slice(full, 0, (size_t)at))),
        arena_str(arena, str_trim(str_slice(full, (size_t)at, full.n))),
    };
}

/* Why the member is refused: a name or a party has a hidden character. NULL: none has. */
static const char *members_hidden(struct arena *arena, const struct member *member)
{
    const char *wrong = hidden_reason(arena, "the displayed name", member->name);
    if (!wrong)
        wrong = hidden_reason(arena, "the first name", member->first);
    if (!wrong)
        wrong = hidden_reason(arena, "the last name", member->last);
    for (size_t i = 0; i < member->name_count && !wrong; i++) {
        wrong = hidden_reason(arena, "another name", member->names[i].first);
        if (!wrong)
            wrong = hidden_reason(arena, "another name", member->names[i].last);
    }
    for (size_t i = 0; i < member->term_count && !wrong; i++)
        wrong = hidden_reason(arena, "a party", member->terms[i].party);
    return wrong;
}

/* two capital letters */
static bool members_state_valid(struct str state)
{
    return state.n == 2 && state.p[0] >= 'A' && state.p[0] <= 'Z' && state.p[1] >= 'A' &&
           state.p[1] <= 'Z';
}

/*
 * Reads the data set's CSV of historical members: one line per person with only the last term,
 * which has no start or end.
 */

/* The columns that are read; the header line gives their positions. */
enum column {
    COLUMN_LAST,
    COLUMN_FIRST,
    COLUMN_MIDDLE,
    COLUMN_SUFFIX,
    COLUMN_NICKNAME,
    COLUMN_FULL,
    COLUMN_BIRTHDAY,
    COLUMN_TYPE,
    COLUMN_STATE,
    COLUMN_DISTRICT,
    COLUMN_PARTY,
    COLUMN_ID,
    COLUMN_COUNT
};

static const char *const column_names[COLUMN_COUNT] = {
    [COLUMN_LAST] = "last_name",    [COLUMN_FIRST] = "first_name",  [COLUMN_MIDDLE] = "middle_name",
    [COLUMN_SUFFIX] = "suffix",     [COLUMN_NICKNAME] = "nickname", [COLUMN_FULL] = "full_name",
    [COLUMN_BIRTHDAY] = "birthday", [COLUMN_TYPE] = "type",         [COLUMN_STATE] = "state",
    [COLUMN_DISTRICT] = "district", [COLUMN_PARTY] = "party",       [COLUMN_ID] = "bioguide_id",
};

struct table {
    struct members_read *m;
    struct csv_in csv;
    int place[COLUMN_COUNT];
    int width; /* number of fields in the header */
};

static struct str cell(struct table *t, enum column column)
{
    struct str value = str_trim(t->csv.field[t->place[column]]);
    return value.n ? arena_str(t->m->arena, value) : STR_NULL;
}

/* Returns NULL, or the missing column. */
static const char *read_header(struct table *t)
{
    if (!csv_in_next(&t->csv))
        return column_names[0];
    t->width = t->csv.count;
    for (int c = 0; c < COLUMN_COUNT; c++) {
        t->place[c] = -1;
        for (int i = 0; i < t->width; i++)
            if (str_eq(t->csv.field[i], str_from(column_names[c])))
                t->place[c] = i;
        if (t->place[c] < 0)
            return column_names[c];
    }
    return NULL;
}

/* Returns NULL, or the error. */
static const char *read_term(struct table *t, struct member_term *ret)
{
    struct str type = cell(t, COLUMN_TYPE), district = cell(t, COLUMN_DISTRICT);
    int64_t number = MEMBER_DISTRICT_NONE;
    *ret = (struct member_term){
        .state = cell(t, COLUMN_STATE),
        .party = cell(t, COLUMN_PARTY),
        .start = DAY_NONE,
        .end = DAY_NONE,
    };
    if (str_eq(type, STR("sen")))
        ret->chamber = CHAMBER_SENATE;
    else if (str_eq(type, STR("rep")))
        ret->chamber = CHAMBER_HOUSE;
    else
        return "type is neither \"rep\" nor \"sen\"";
    if (!members_state_valid(ret->state))
        return "state is not two capital letters";
    if (district.n && (!str_to_i64(district, &number) || number < -1 || number > 99))
        return "district is not -1 to 99";
    ret->district = ret->chamber == CHAMBER_HOUSE ? (int)number : MEMBER_DISTRICT_NONE;
    return NULL;
}

static void read_names(struct table *t, struct member *ret)
{
    struct arena *arena = t->m->arena;
    struct str given = members_join(arena, ret->first, cell(t, COLUMN_MIDDLE));
    struct str family = members_join(arena, ret->last, cell(t, COLUMN_SUFFIX));
    struct str full = cell(t, COLUMN_FULL);
    size_t room = 3;
    ret->names = ARENA_ARRAY(arena, struct member_name, room);
    member_name_add(ret, room, given, family);
    if (full.n) {
        struct member_name split = members_split_full(arena, full, ret->last);
        member_name_add(ret, room, split.first, split.last);
    }
    member_name_add(ret, room, cell(t, COLUMN_NICKNAME), STR_NULL);
    ret->name = full.n ? full : members_join(arena, given, family);
}

/* Returns NULL, or the error in the line. */
static const char *read_line(struct table *t)
{
    if (t->csv.count != t->width)
        return "the number of fields differs from the header";
    struct str id = cell(t, COLUMN_ID), birthday = cell(t, COLUMN_BIRTHDAY);
    if (!bioguide_is_valid(id))
        return "bioguide_id is not a letter and six digits";
    struct member *member = members_read_add(t->m);
    member->id = id;
    member->first = cell(t, COLUMN_FIRST);
    member->last = cell(t, COLUMN_LAST);
    if (member->first.n == 0 || member->last.n == 0)
        return "the name is empty";
    if (birthday.n && !day_parse(birthday, &member->birthday))
        return "birthday is not a date (yyyy-mm-dd)";
    read_names(t, member);
    member->terms = ARENA_ARRAY(t->m->arena, struct member_term, 1);
    member->term_count = 1;
    const char *wrong = read_term(t, &member->terms[0]);
    return wrong ? wrong : members_hidden(t->m->arena, member);
}

enum err members_read_csv(struct members_read *m, const struct import_file *file, struct fail *fail)
{
    struct table t = {.m = m};
    csv_in_init(&t.csv, file->text, m->arena);
    const char *missing = read_header(&t);
    if (missing && !t.csv.error)
        return fail_set(
            fail, ERR_INVALID,
            "%.*s: line 1: neither a JSON array nor the CSV of legislators (no column \"%s\")",
            STR_ARG(file->name), missing);
    while (!t.csv.error && csv_in_next(&t.csv)) {
        const char *wrong = read_line(&t);
        if (wrong)
            return fail_set(
                fail, ERR_INVALID, "%.*s: line %lld: %s", STR_ARG(file->name),
                (long long)t.csv.line, wrong);
    }
    if (t.csv.error)
        return fail_set(
            fail, ERR_INVALID, "%.*s: line %lld: %s", STR_ARG(file->name), (long long)t.csv.line,
            t.csv.error);
    return OK;
}

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

enum { TERMS_MAX = 100, AFFILIATIONS_MAX = 20, OTHER_NAMES_MAX = 50, SITTING_MIN = 500 };

static struct str keep(struct members_read *m, struct str s)
{
    return s.n ? arena_str(m->arena, s) : STR_NULL;
}

static void read_json_term(
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
    read_json_term(m, j, value, ret);
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

static void read_json_names(
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
        read_json_names(m, &j, person, member);
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

/*
 * Reads the data set's CSV of historical members: one line per person with only the last term,
 * which has no start or end.
 */
#include "base/csv_in.h"
#include "market/bioguide.h"
#include "people/members_read.h"

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

/* Reads files of seats over time; see spans_read.h. */
#include "conflict/spans_read.h"

#include <stdlib.h>

#include "base/csv_in.h"
#include "base/hidden.h"
#include "market/bioguide.h"

enum { COLUMNS_MAX = 5, NAME_SIZE_MAX = 300, FIRST_YEAR = 1789, ABSENT = -1 };

/* A file while it is read. */
struct spans_table {
    const struct import_file *file;
    struct csv_in csv;
    int column[COLUMNS_MAX]; /* places of the wanted columns */
};

static size_t count_lines(struct str text)
{
    size_t n = 1;
    for (size_t i = 0; i < text.n; i++)
        n += text.p[i] == '\n';
    return n;
}

static enum err open_table(
    struct spans_table *t, const struct import_file *file, const struct str *columns, size_t count,
    struct arena *arena, struct fail *fail)
{
    t->file = file;
    csv_in_init(&t->csv, file->text, arena);
    if (!csv_in_next(&t->csv))
        return fail_set(
            fail, ERR_INVALID, "%.*s: line 1: %s", STR_ARG(file->name),
            t->csv.error ? t->csv.error : "the file is empty");
    for (size_t i = 0; i < count; i++) {
        t->column[i] = ABSENT;
        for (int k = 0; k < t->csv.count; k++)
            if (str_eq(t->csv.field[k], columns[i]))
                t->column[i] = k;
        if (t->column[i] == ABSENT)
            return fail_set(
                fail, ERR_INVALID, "%.*s: line 1: there is no column \"%.*s\"", STR_ARG(file->name),
                STR_ARG(columns[i]));
    }
    if (count_lines(file->text) > SPANS_LINES_MAX)
        return fail_set(
            fail, ERR_INVALID, "%.*s: more than %d lines", STR_ARG(file->name), SPANS_LINES_MAX);
    return OK;
}

static struct str field(const struct spans_table *t, int column)
{
    int place = t->column[column];
    return place < t->csv.count ? str_trim(t->csv.field[place]) : STR("");
}

static enum err end_table(const struct spans_table *t, size_t kept, struct fail *fail)
{
    if (t->csv.error)
        return fail_set(
            fail, ERR_INVALID, "%.*s: line %lld: %s", STR_ARG(t->file->name),
            (long long)t->csv.line, t->csv.error);
    if (kept == 0)
        return fail_set(fail, ERR_INVALID, "%.*s: no line of it is valid", STR_ARG(t->file->name));
    return OK;
}

static void leave_out(struct spans_read *r, const struct spans_table *t, const char *what)
{
    const struct spans_odd odd = {t->file->name, t->csv.line, field(t, 0), what};
    r->left_out++;
    r->odd(r->ctx, &odd);
}

/* The days of a seat or name. NULL: valid. */
static const char *read_days(
    const struct spans_read *r, struct str from, struct str to, int32_t *ret_from, int32_t *ret_to)
{
    int32_t first;
    *ret_to = DAY_NONE;
    if (!day_parse(from, ret_from) || (to.n && !day_parse(to, ret_to)))
        return "a day is not of the form YYYY-MM-DD";
    if (!day_from_civil(FIRST_YEAR, 1, 1, &first) || *ret_from < first)
        return "it begins before the first Congress";
    if (*ret_from > r->today || *ret_to > r->today)
        return "a day is in the future";
    if (to.n && *ret_to <= *ret_from)
        return "it ends before it begins";
    return NULL;
}

/* --- seats */

enum { SEAT_COMMITTEE, SEAT_BIOGUIDE, SEAT_FROM, SEAT_TO, SEAT_TITLE, SEAT_COLUMNS };

static const struct str seat_columns[SEAT_COLUMNS] = {
    STR_INIT("committee"), STR_INIT("bioguide"), STR_INIT("seen_from"), STR_INIT("seen_to"),
    STR_INIT("title")};

static const char *read_seat(
    const struct spans_read *r, const struct spans_table *t, struct seat_span *ret)
{
    *ret = (struct seat_span){
        .committee = field(t, SEAT_COMMITTEE),
        .member = field(t, SEAT_BIOGUIDE),
        .title = field(t, SEAT_TITLE),
    };
    if (!committee_id_valid(ret->committee))
        return "the committee is not an id such as HSAG or HSAG15";
    if (!bioguide_is_valid(ret->member))
        return "bioguide is not a letter and six digits";
    const char *hidden = hidden_reason(r->arena, "the title", ret->title);
    if (hidden)
        return hidden;
    if (ret->title.n > NAME_SIZE_MAX || !hidden_free_line(ret->title))
        return "the title is not a line of at most 300 bytes";
    return read_days(r, field(t, SEAT_FROM), field(t, SEAT_TO), &ret->from, &ret->to);
}

static int by_day(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static void collect_days(struct spans_read *r)
{
    size_t n = 0, kept = 0;
    r->days = ARENA_ARRAY(r->arena, int32_t, 2 * r->span_count);
    for (size_t i = 0; i < r->span_count; i++) {
        r->days[n++] = r->spans[i].from;
        if (r->spans[i].to != DAY_NONE)
            r->days[n++] = r->spans[i].to;
    }
    qsort(r->days, n, sizeof *r->days, by_day);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || r->days[i] != r->days[i - 1])
            r->days[kept++] = r->days[i];
    r->day_count = kept;
}

/* A line with its number, for finding seats that overlap. */
struct numbered {
    struct seat_span span;
    int64_t line;
};

static int by_seat(const void *a, const void *b)
{
    const struct numbered *x = a, *y = b;
    int order = str_cmp(x->span.committee, y->span.committee);
    order = order ? order : str_cmp(x->span.member, y->span.member);
    order = order ? order : (x->span.from > y->span.from) - (x->span.from < y->span.from);
    return order ? order : (x->line > y->line) - (x->line < y->line);
}

/* A member has one seat on a committee at a time. Of two that overlap, the later one is left out.
 */
static void keep_apart(
    struct spans_read *r, struct spans_table *t, struct numbered *lines, size_t count)
{
    const struct numbered *before = NULL;
    qsort(lines, count, sizeof *lines, by_seat);
    for (size_t i = 0; i < count; i++) {
        const struct seat_span *span = &lines[i].span;
        if (before && str_eq(before->span.committee, span->committee) &&
            str_eq(before->span.member, span->member) &&
            (before->span.to == DAY_NONE || span->from < before->span.to)) {
            const struct spans_odd odd = {
                t->file->name, lines[i].line, span->committee,
                "the member already has a seat there"};
            r->left_out++;
            r->odd(r->ctx, &odd);
            continue;
        }
        r->spans[r->span_count++] = *span;
        before = &lines[i];
    }
}

enum err spans_read_seats(struct spans_read *r, const struct import_file *file, struct fail *fail)
{
    struct spans_table t;
    TRY(open_table(&t, file, seat_columns, SEAT_COLUMNS, r->arena, fail));
    size_t room = count_lines(file->text), count = 0;
    struct numbered *lines = mem_array(room, sizeof *lines);
    r->spans = ARENA_ARRAY(r->arena, struct seat_span, room);
    while (csv_in_next(&t.csv)) {
        const char *what = read_seat(r, &t, &lines[count].span);
        lines[count].line = t.csv.line;
        if (what)
            leave_out(r, &t, what);
        else
            count++;
    }
    if (!t.csv.error) {
        keep_apart(r, &t, lines, count);
        collect_days(r);
    }
    mem_free(lines);
    return end_table(&t, r->span_count, fail);
}

/* --- names */

enum { NAMING_COMMITTEE, NAMING_NAME, NAMING_FROM, NAMING_TO, NAMING_COLUMNS };

static const struct str naming_columns[NAMING_COLUMNS] = {
    STR_INIT("committee"), STR_INIT("name"), STR_INIT("seen_from"), STR_INIT("seen_to")};

static const char *read_naming(
    const struct spans_read *r, const struct spans_table *t, struct committee_naming *ret)
{
    int32_t to;
    *ret = (struct committee_naming){
        .committee = field(t, NAMING_COMMITTEE), .name = field(t, NAMING_NAME)};
    if (!committee_id_valid(ret->committee))
        return "the committee is not an id such as HSAG or HSAG15";
    const char *hidden = hidden_reason(r->arena, "the name", ret->name);
    if (hidden)
        return hidden;
    if (ret->name.n == 0 || ret->name.n > NAME_SIZE_MAX || !hidden_free_line(ret->name))
        return "the name is not a line of 1 to 300 bytes";
    return read_days(r, field(t, NAMING_FROM), field(t, NAMING_TO), &ret->from, &to);
}

static int by_naming(const void *a, const void *b)
{
    const struct committee_naming *x = a, *y = b;
    int order = str_cmp(x->committee, y->committee);
    order = order ? order : (x->from > y->from) - (x->from < y->from);
    return order ? order : str_cmp(x->name, y->name);
}

enum err spans_read_names(struct spans_read *r, const struct import_file *file, struct fail *fail)
{
    struct spans_table t;
    TRY(open_table(&t, file, naming_columns, NAMING_COLUMNS, r->arena, fail));
    size_t n = 0;
    r->namings = ARENA_ARRAY(r->arena, struct committee_naming, count_lines(file->text));
    while (csv_in_next(&t.csv)) {
        const char *what = read_naming(r, &t, &r->namings[n]);
        if (what)
            leave_out(r, &t, what);
        else
            n++;
    }
    qsort(r->namings, n, sizeof *r->namings, by_naming);
    for (size_t i = 0; i < n; i++) /* one name a day */
        if (i == 0 || r->namings[i].from != r->namings[i - 1].from ||
            !str_eq(r->namings[i].committee, r->namings[i - 1].committee))
            r->namings[r->naming_count++] = r->namings[i];
    return end_table(&t, r->naming_count, fail);
}

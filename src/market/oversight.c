/* Reads and words acts of oversight; see oversight.h. */
#include "market/oversight.h"

#include <assert.h>
#include <pthread.h>

#include "base/csv_in.h"
#include "base/hidden.h"
#include "base/search.h"
#include "market/committee.h"
#include "market/company.h"
#include "market/seats_shipped.h"

extern const char oversight_csv[];
extern const size_t oversight_csv_size;

enum { COMMITTEE, SYMBOL, COMPANY, FROM, TO, KIND, ABOUT, SOURCE, COLUMNS };

enum { ABOUT_SIZE_MAX = 120, SOURCE_SIZE_MAX = 500, ACTS_MAX = 10000 };

static const struct str columns[COLUMNS] = {
    [COMMITTEE] = STR_INIT("committee"),
    [SYMBOL] = STR_INIT("symbol"),
    [COMPANY] = STR_INIT("company"),
    [FROM] = STR_INIT("from"),
    [TO] = STR_INIT("to"),
    [KIND] = STR_INIT("kind"),
    [ABOUT] = STR_INIT("about"),
    [SOURCE] = STR_INIT("source"),
};

static const struct {
    struct str name, did; /* the sentence goes on with the subject */
} kinds[OVERSIGHT_KIND_COUNT] = {
    [OVERSIGHT_HEARING] = {STR_INIT("hearing"), STR_INIT("held a hearing on the company about ")},
    [OVERSIGHT_LETTER] = {STR_INIT("letter"), STR_INIT("wrote to the company about ")},
    [OVERSIGHT_REPORT] = {STR_INIT("report"), STR_INIT("reported on the company about ")},
    [OVERSIGHT_SUBPOENA] = {STR_INIT("subpoena"), STR_INIT("subpoenaed the company about ")},
};

void oversight_put(struct buf *b, const struct oversight *act)
{
    buf_text(b, "the committee ");
    buf_str(b, kinds[act->kind].did);
    buf_str(b, act->about);
    buf_text(b, act->from == act->to ? " on " : " from ");
    day_put(b, act->from);
    if (act->from != act->to) {
        buf_text(b, " to ");
        day_put(b, act->to);
    }
}

struct str oversight_key(struct str symbol, int32_t day)
{
    struct company company;
    return company_on(symbol, day, NULL, &company) ? company.name : symbol;
}

const struct oversight *oversight_of(
    const struct oversight_list *list, struct str key, size_t *ret_count)
{
    return equal_range(list->items, list->count, sizeof *list->items, key, ret_count);
}

uint32_t oversight_epoch(const struct oversight *acts, size_t count, int32_t day)
{
    uint32_t epoch = 0;
    for (size_t i = 0; i < count; i++)
        epoch += (acts[i].from <= day) + (acts[i].to < day);
    return epoch;
}

const struct committee_entry *oversight_entries(
    const struct oversight *acts, size_t count, int32_t day, int industry, struct arena *arena,
    size_t *ret_count)
{
    struct committee_entry *entries = ARENA_ARRAY(arena, struct committee_entry, count);
    *ret_count = 0;
    for (size_t i = 0; i < count; i++) {
        char space[2 * ABOUT_SIZE_MAX];
        struct buf words = buf_over(space, sizeof space);
        if (day < acts[i].from || acts[i].to < day)
            continue;
        oversight_put(&words, &acts[i]);
        entries[(*ret_count)++] = (struct committee_entry){
            .committee = acts[i].committee,
            .name = seats_shipped_name(acts[i].committee, day),
            .industry = industry,
            .jurisdiction = arena_str(arena, buf_view(&words)),
            .source = acts[i].source,
            .ground = GROUND_ACT,
            .from = DAY_NONE,
            .to = DAY_NONE,
        };
    }
    return entries;
}

static bool is_header(const struct csv_in *csv)
{
    for (int i = 0; i < COLUMNS; i++)
        if (csv->count != COLUMNS || !str_eq(csv->field[i], columns[i]))
            return false;
    return true;
}

static bool read_kind(struct str name, enum oversight_kind *ret)
{
    for (*ret = 0; *ret < OVERSIGHT_KIND_COUNT; ++*ret)
        if (str_eq(kinds[*ret].name, name))
            return true;
    return false;
}

static bool read_symbol(struct str text, struct arena *arena, struct str *ret)
{
    char space[TICKER_SIZE_MAX];
    size_t n = ticker_normalize(text, space);
    *ret = arena_str(arena, str_of(space, n));
    return n > 0;
}

static bool is_text(struct str text, size_t size_max)
{
    return text.n > 0 && text.n <= size_max && hidden_free_line(text) &&
           str_eq(str_trim(text), text);
}

/* An act without a last day counts on its own day. NULL: the line is good. */
static const char *read_act(const struct csv_in *csv, int32_t today, struct oversight *act)
{
    const struct str *f = csv->field;
    *act = (struct oversight){
        .line = csv->line,
        .committee = f[COMMITTEE],
        .company = f[COMPANY],
        .about = f[ABOUT],
        .source = f[SOURCE],
    };
    if (csv->count != COLUMNS)
        return "the number of fields differs from the header";
    if (!committee_id_valid(act->committee))
        return "the committee is no id of one";
    if (!read_symbol(f[SYMBOL], csv->arena, &act->symbol))
        return "the symbol is none";
    if (!day_parse(f[FROM], &act->from) || act->from > today)
        return "the first day is no day up to today";
    act->to = act->from;
    if (f[TO].n && (!day_parse(f[TO], &act->to) || act->to < act->from || act->to > today))
        return "the last day is no day from the first one to today";
    if (!read_kind(f[KIND], &act->kind))
        return "the kind is not hearing, letter, report or subpoena";
    if (!is_text(act->company, ABOUT_SIZE_MAX) || !is_text(act->about, ABOUT_SIZE_MAX))
        return "company and subject need a text of at most 120 bytes";
    if (!is_text(act->source, SOURCE_SIZE_MAX) || !str_starts(act->source, STR("https://")))
        return "the source is no https address";
    act->key = oversight_key(act->symbol, act->from);
    return NULL;
}

static bool is_same(const struct oversight *a, const struct oversight *b)
{
    return str_eq(a->committee, b->committee) && str_eq(a->symbol, b->symbol) &&
           a->from == b->from && a->kind == b->kind;
}

enum err oversight_read(
    const struct import_file *file, int32_t today, struct arena *arena, struct oversight_list *ret,
    struct fail *fail)
{
    struct oversight *acts = NULL;
    size_t count = 0, room = 0;
    struct csv_in csv;
    csv_in_init(&csv, file->text, arena);
    if (!csv_in_next(&csv) || !is_header(&csv))
        return fail_set(
            fail, ERR_INVALID,
            "%.*s: line 1: not committee,symbol,company,from,to,kind,about,source",
            STR_ARG(file->name));
    const char *fault = NULL;
    while (!fault && csv_in_next(&csv)) {
        acts = arena_grow(arena, acts, count, &room, sizeof *acts);
        fault = read_act(&csv, today, &acts[count]);
        for (size_t i = 0; i < count && !fault; i++)
            if (is_same(&acts[i], &acts[count]))
                fault = "the same act stands in an earlier line";
        if (++count > ACTS_MAX)
            fault = "more acts than 10000";
    }
    if (fault || csv.error)
        return fail_set(
            fail, ERR_INVALID, "%.*s: line %lld: %s", STR_ARG(file->name), (long long)csv.line,
            fault ? fault : csv.error);
    *ret = (struct oversight_list){acts, count};
    return OK;
}

static struct {
    struct arena arena;
    struct oversight_list list;
} shipped;

/* A malformed list is a mistake of the build; a unit test reads the same bytes. */
static void read_shipped(void)
{
    const struct import_file file = {STR("oversight.csv"), {oversight_csv, oversight_csv_size}};
    arena_init(&shipped.arena);
    enum err err = oversight_read(&file, INT32_MAX, &shipped.arena, &shipped.list, NULL);
    assert(!err);
}

struct oversight_list oversight_shipped(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_shipped);
    return shipped.list;
}

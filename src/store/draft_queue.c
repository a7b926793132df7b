/* The reviewers' queue; see draft_queue.h. */
#include "store/draft_queue.h"

#include <assert.h>

#include "base/buf.h"
#include "store/draft_shown.h"
#include "store/list.h"

static const struct str stages[] = {
    [QUEUE_WAITING] = STR_INIT("waiting"),
    [QUEUE_ACCEPTED] = STR_INIT("accepted"),
    [QUEUE_REJECTED] = STR_INIT("rejected"),
};

struct str draft_queue_stage_name(enum draft_queue_stage stage)
{
    assert(stage < QUEUE_STAGE_COUNT);
    return stages[stage];
}

bool draft_queue_stage_from_name(struct str name, enum draft_queue_stage *ret)
{
    for (int i = 0; i < QUEUE_STAGE_COUNT; i++)
        if (str_eq(stages[i], name)) {
            *ret = (enum draft_queue_stage)i;
            return true;
        }
    return false;
}

#define WAITING "d.state IN ('draft', 'in_review')"

/* A draft of these stages is the newest of its filing, as a newer one supersedes it. $1 is the
 * stage, $2 the chamber, $3 the kind, $4 "clean" or empty, $5 a pattern, $6 whose claims, $7 what
 * this reviewer can decide now, $8 the present instant. */
#define PASSING                                                                                    \
    " WHERE (($1 = 'waiting' AND " WAITING ")"                                                     \
    " OR ($1 <> 'waiting' AND d.state = $1))"                                                      \
    " AND ($2 = '' OR d.chamber = $2)"                                                             \
    " AND ($3 = '' OR ($3 = 'paper') = (d.manual = 1))"                                            \
    " AND ($4 = '' OR d.clean = 1)"                                                                \
    " AND ($5 = '' OR lower(d.filing_id) LIKE $5 ESCAPE '!'"                                       \
    " OR lower(coalesce(m.name, '')) LIKE $5 ESCAPE '!'"                                           \
    " OR coalesce(m.slug, '') LIKE $5 ESCAPE '!'"                                                  \
    " OR lower(coalesce(d.filer, '')) LIKE $5 ESCAPE '!')"                                         \
    " AND ($6 = '' OR (d.state = 'in_review' AND d.claimed_until > $8"                             \
    " AND lower(d.claimed_by) = $6))"                                                              \
    " AND ($7 = '' OR NOT " WAITING                                                                \
    " OR (lower(coalesce(d.accepted_by, '')) <> $7 AND (d.state = 'draft'"                         \
    " OR d.claimed_until <= $8 OR lower(d.claimed_by) = $7)))"

#define FROM " FROM draft d LEFT JOIN member m ON m.no = d.member_no"

#define AMENDS                                                                                     \
    " CASE WHEN coalesce(d.amendment, 0) > 0 OR d.amends IS NOT NULL OR EXISTS (SELECT 1"          \
    " FROM draft_row r WHERE r.draft_no = d.no AND r.status <> 'new') THEN 1 ELSE 0 END"

/* What follows from entered rows. $12 is "blind" or empty; blind, paper has none of it. */
#define OF_ROWS(column) "CASE WHEN $12 <> '' AND d.manual = 1 THEN NULL ELSE d." column " END"
#define DUE_DAY "coalesce(" OF_ROWS("due_day") ", 9999999)"
#define DOUBTS "coalesce(" OF_ROWS("doubt_count") ", 0)"
#define ROWS "coalesce(" OF_ROWS("row_count") ", 0)"

/* The page is found first, so that only its drafts are read whole. `keys` are numbers, the least
 * first. $9 is the filing after which the page begins, or empty. */
#define QUEUE(keys)                                                                                \
    "SELECT d.filing_id, d.chamber, d.filer, m.slug, m.name, d.filed_at, d.created_at, d.due_day," \
    " d.row_count, d.doubt_count, d.failed_count, d.clean, d.manual, d.reason, d.state,"           \
    " d.claimed_by, d.claimed_until, d.accepted_by, " DRAFT_SHOWN(                                 \
        "d") "," AMENDS ", d.entry" FROM " WHERE d.no IN (SELECT d.no" FROM PASSING                \
             " AND ($9 = '' OR (" keys ", d.filing_id) > (SELECT " keys ", d.filing_id"            \
             " FROM draft d WHERE d.filing_id = $9 ORDER BY d.revision DESC LIMIT 1))"             \
             " ORDER BY " keys ", d.filing_id LIMIT $10 OFFSET $11) ORDER BY " keys                \
             ", d.filing_id"

static const struct {
    struct str name;
    const char *sql;
    bool of_rows; /* OF_ROWS is in the keys */
} sorts[] = {
    [QUEUE_OLDEST] = {STR_INIT("oldest"), QUEUE("coalesce(d.filed_at, 0)"), false},
    [QUEUE_NEWEST] = {STR_INIT("newest"), QUEUE("-coalesce(d.filed_at, 0)"), false},
    [QUEUE_DUE] = {STR_INIT("due"), QUEUE(DUE_DAY), true},
    [QUEUE_CLEAN] =
        {STR_INIT("clean"),
         QUEUE("-d.clean, d.manual, d.failed_count, " DOUBTS ", coalesce(d.amendment, 0), " ROWS
               ", coalesce(d.filed_at, 0)"),
         true},
    [QUEUE_DOUBTS] = {STR_INIT("doubts"), QUEUE("-" DOUBTS), true},
    [QUEUE_CHECKS] = {STR_INIT("checks"), QUEUE("-d.failed_count"), false},
    [QUEUE_ROWS] = {STR_INIT("rows"), QUEUE("-" ROWS), true},
};

struct str draft_queue_sort_name(enum draft_queue_sort sort)
{
    assert(sort < QUEUE_SORT_COUNT);
    return sorts[sort].name;
}

bool draft_queue_sort_from_name(struct str name, enum draft_queue_sort *ret)
{
    for (int i = 0; i < QUEUE_SORT_COUNT; i++)
        if (str_eq(sorts[i].name, name)) {
            *ret = (enum draft_queue_sort)i;
            return true;
        }
    return false;
}

/* "%text%" in lower case, where `!` makes a wildcard an ordinary character. The databases lower
 * ASCII only, so any other letter passes for any letter: "MUÑOZ" finds "Muñoz". */
static struct str pattern(struct str text, struct arena *arena)
{
    const size_t size = 2 * text.n + 2;
    struct buf b = buf_over(arena_alloc(arena, size), size);
    if (str_trim(text).n == 0)
        return STR("");
    buf_char(&b, '%');
    for (size_t i = 0; i < text.n; i++) {
        bool ascii = (uint8_t)text.p[i] < 0x80, begins = ((uint8_t)text.p[i] & 0xC0) == 0xC0;
        if (str_find_char(STR("%_!"), text.p[i]) >= 0)
            buf_char(&b, '!');
        if (ascii || begins)
            buf_char(&b, ascii ? ascii_lower(text.p[i]) : '_');
    }
    buf_char(&b, '%');
    return buf_view(&b);
}

/* Empty for null, which a parameter cannot be compared with. */
static struct str lower(struct str text, struct arena *arena)
{
    char *p = arena_alloc(arena, text.n + 1);
    for (size_t i = 0; i < text.n; i++)
        p[i] = ascii_lower(text.p[i]);
    return str_of(p, text.n);
}

static void bind(struct query *q, const struct draft_queue_filter *f, struct arena *arena)
{
    static const char *const kinds[] = {
        [QUEUE_ANY_KIND] = "", [QUEUE_READ] = "read", [QUEUE_PAPER] = "paper"};
    query_str(q, stages[f->stage]);
    query_str(q, f->chamber == CHAMBER_NONE ? STR("") : chamber_name(f->chamber));
    query_str(q, str_from(kinds[f->kind]));
    query_str(q, f->clean ? STR("clean") : STR(""));
    query_str(q, pattern(f->text, arena));
    query_str(q, lower(f->mine, arena));
    query_str(q, lower(f->for_whom, arena));
    query_i64(q, f->now_ms);
}

static struct draft_queued read_item(const struct query *q, int64_t now_ms, struct arena *arena)
{
    struct draft_queued item = {
        .filing_id = arena_str(arena, query_get_str(q, 0)),
        .chamber = chamber_from_name(query_get_str(q, 1)),
        .filer = arena_str(arena, query_get_str(q, 2)),
        .slug = arena_str(arena, query_get_str(q, 3)),
        .name = arena_str(arena, query_get_str(q, 4)),
        .filed_at = query_get_opt_i64(q, 5, INSTANT_NONE),
        .created_at = query_get_i64(q, 6),
        .due_day = (int32_t)query_get_opt_i64(q, 7, DAY_NONE),
        .rows = query_get_i64(q, 8),
        .doubts = query_get_i64(q, 9),
        .failed = query_get_i64(q, 10),
        .clean = query_get_i64(q, 11) != 0,
        .paper = query_get_i64(q, 12) != 0,
        .reason = arena_str(arena, query_get_str(q, 13)),
        .claimed_until = query_get_opt_i64(q, 16, INSTANT_NONE),
        .accepted_by = arena_str(arena, query_get_str(q, 17)),
        .amends = query_get_i64(q, 19) != 0,
        .entry = draft_entry_from_name(query_get_str(q, 20)),
    };
    bool known = report_state_from_name(query_get_str(q, 18), &item.shown);
    assert(known);
    (void)known;
    if (str_eq(query_get_str(q, 14), STR("in_review")) && item.claimed_until > now_ms)
        item.claimed_by = arena_str(arena, query_get_str(q, 15));
    return item;
}

enum err draft_queue_page(
    struct db *db, const struct draft_queue_filter *filter, int64_t from, int64_t limit,
    struct arena *arena, struct draft_queue *ret, struct fail *fail)
{
    struct query q;
    struct list list;
    list_init(&list, sizeof(struct draft_queued));
    query_start(&q, db, sorts[filter->sort].sql);
    bind(&q, filter, arena);
    query_str(&q, lower(filter->after, arena));
    query_i64(&q, limit);
    query_i64(&q, from);
    if (sorts[filter->sort].of_rows)
        query_str(&q, filter->blind ? STR("blind") : STR(""));
    while (query_row(&q))
        *(struct draft_queued *)list_add(&list) = read_item(&q, filter->now_ms, arena);
    ret->count = list.count;
    ret->items = list_keep(&list, arena);
    return query_end(&q, fail);
}

enum err draft_queue_total(
    struct db *db, const struct draft_queue_filter *filter, int64_t *ret, struct fail *fail)
{
    struct query q;
    struct arena arena;
    arena_init(&arena);
    query_start(&q, db, "SELECT count(*)" FROM PASSING);
    bind(&q, filter, &arena);
    *ret = query_row(&q) ? query_get_i64(&q, 0) : 0;
    arena_finish(&arena);
    return query_end(&q, fail);
}

enum err draft_queue_count(
    struct db *db, int64_t now_ms, struct draft_queue_counts *ret, struct fail *fail)
{
    struct query q;
    query_start(
        &q, db,
        "SELECT count(CASE WHEN " WAITING " THEN 1 END),"
        " count(CASE WHEN " WAITING " AND d.clean = 1 THEN 1 END),"
        " count(CASE WHEN " WAITING " AND d.manual = 1 THEN 1 END),"
        " count(CASE WHEN d.state = 'in_review' AND d.claimed_until > $1 THEN 1 END),"
        " count(CASE WHEN d.state = 'accepted' THEN 1 END),"
        " min(CASE WHEN " WAITING " THEN d.created_at END),"
        " min(CASE WHEN " WAITING " THEN d.due_day END)"
        " FROM draft d WHERE d.state IN ('draft', 'in_review', 'accepted')");
    query_i64(&q, now_ms);
    *ret = (struct draft_queue_counts){.oldest_at = INSTANT_NONE, .earliest_due = DAY_NONE};
    if (query_row(&q)) {
        ret->waiting = query_get_i64(&q, 0);
        ret->clean = query_get_i64(&q, 1);
        ret->paper = query_get_i64(&q, 2);
        ret->claimed = query_get_i64(&q, 3);
        ret->accepted = query_get_i64(&q, 4);
        ret->oldest_at = query_get_opt_i64(&q, 5, INSTANT_NONE);
        ret->earliest_due = (int32_t)query_get_opt_i64(&q, 6, DAY_NONE);
    }
    return query_end(&q, fail);
}

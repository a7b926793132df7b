/* The reviewers' queue; see draft_queue.h. */
#include "store/desk/draft_queue.h"

#include <assert.h>

#include "base/closed_list.h"
#include "store/public/draft_shown.h"
#include "store/row/list.h"

static const struct str stages[] = {
    [QUEUE_WAITING] = STR_INIT("waiting"),
    [QUEUE_ACCEPTED] = STR_INIT("accepted"),
    [QUEUE_REJECTED] = STR_INIT("rejected"),
    [QUEUE_NOTHING] = STR_INIT("nothing_reported"),
};

ENUM_NAME(draft_queue_stage_name, draft_queue_stage, stages[value], QUEUE_STAGE_COUNT)
ENUM_FIND(draft_queue_stage_from_name, draft_queue_stage, stages[value], 0, QUEUE_STAGE_COUNT)

/* The words of the indexes of step 36. Nothing but those indexes can serve inequalities: SQLite
 * would otherwise take draft_state, and sort. */
#define WAITING                                                                                    \
    "d.state <> 'accepted' AND d.state <> 'rejected' AND d.state <> 'published'"                   \
    " AND d.state <> 'amended' AND d.state <> 'superseded'"

/* A draft of these stages is the newest of its filing, as a newer one supersedes it. $1 is the
 * stage. */
#define OF_WAITING "$1 <> '' AND " WAITING
#define OF_STAGE                                                                                   \
    "d.state = CASE $1 WHEN 'nothing_reported' THEN 'rejected' ELSE $1 END"                        \
    " AND d.nothing_reported = CASE $1 WHEN 'nothing_reported' THEN 1 ELSE 0 END"

/* $2 is the chamber, $3 the kind, $4 "clean" or empty, $5 a pattern, $6 whose claims, $7 what this
 * reviewer can decide now, $8 the present instant. */
#define PASSING(stage)                                                                             \
    " FROM draft d WHERE " stage " AND ($2 = '' OR d.chamber = $2)"                                \
    " AND ($3 = '' OR ($3 = 'paper') = (d.manual = 1))"                                            \
    " AND ($4 = '' OR d.clean = 1)"                                                                \
    " AND ($5 = '' OR lower(d.filing_id) LIKE $5 ESCAPE '!'"                                       \
    " OR lower(coalesce(d.filer, '')) LIKE $5 ESCAPE '!' OR d.member_no IN (SELECT m.no"           \
    " FROM member m WHERE lower(m.name) LIKE $5 ESCAPE '!' OR m.slug LIKE $5 ESCAPE '!'))"         \
    " AND ($6 = '' OR (d.state = 'in_review' AND d.claimed_until > $8"                             \
    " AND lower(d.claimed_by) = $6))"                                                              \
    " AND ($7 = '' OR d.state NOT IN ('draft', 'in_review')"                                       \
    " OR (lower(coalesce(d.accepted_by, '')) <> $7 AND (d.state = 'draft'"                         \
    " OR d.claimed_until <= $8 OR lower(d.claimed_by) = $7)))"

#define AMENDS                                                                                     \
    " CASE WHEN coalesce(d.amendment, 0) > 0 OR d.amends IS NOT NULL OR EXISTS (SELECT 1"          \
    " FROM draft_row r WHERE r.draft_no = d.no AND r.status <> 'new') THEN 1 ELSE 0 END"

/* What is asked about each draft is asked about those of the page only. */
#define QUEUE(stage, key, after)                                                                   \
    "SELECT d.filing_id, d.chamber, d.filer, m.slug, m.name, d.filed_at, d.created_at, d.due_day," \
    " d.row_count, d.doubt_count, d.failed_count, d.clean, d.manual, d.reason, d.state,"           \
    " d.claimed_by, d.claimed_until, d.accepted_by, " DRAFT_SHOWN(                                 \
        "d") "," AMENDS ", d.entry"                                                                \
             " FROM (SELECT d.*" PASSING(stage) after                                              \
        " ORDER BY " key ", d.filing_id LIMIT $9 OFFSET $10)"                                      \
        " AS d LEFT JOIN member m ON m.no = d.member_no ORDER BY " key ", d.filing_id"

/* An order is a number and the filing. $11 and $12 are those of the draft after which the page
 * begins. SQLite looks up the number alone in an index. */
#define AFTER(key) " AND " key " >= $11 AND (" key ", d.filing_id) > ($11, $12)"
#define ORDER(key)                                                                                 \
    {                                                                                              \
        .place = "SELECT " key " FROM draft d WHERE d.filing_id = $1"                              \
                 " ORDER BY d.revision DESC LIMIT 1",                                              \
        .first = {QUEUE(OF_STAGE, key, ""), QUEUE(OF_WAITING, key, "")},                           \
        .after = {QUEUE(OF_STAGE, key, AFTER(key)), QUEUE(OF_WAITING, key, AFTER(key))},           \
    }

/* Digits of one number: not clean, paper, failed checks, doubts, amendment, rows, day of filing. */
#define CLEAN(doubts, rows)                                                                        \
    "((1 - d.clean) * 2 + d.manual) * 1000000000000000000 + d.failed_count * 10000000000000000"    \
    " + " doubts " * 1000000000000"                                                                \
    " + CASE WHEN coalesce(d.amendment, 0) > 0 THEN 100000000000 ELSE 0 END"                       \
    " + " rows " * 10000000 + coalesce(d.filed_at, 0) / 86400000"
#define READ "(1 - d.manual)" /* 0: blind, what follows from entered rows does not count */

/* The keys are those of the indexes, the least first. */
static const struct {
    struct str name;
    bool of_rows; /* the second key is blind */
    struct order {
        const char *place, *first[2], *after[2]; /* [1]: of those that wait */
    } keys[2];
} sorts[] = {
    [QUEUE_OLDEST] = {STR_INIT("oldest"), false, {ORDER("coalesce(d.filed_at, 0)")}},
    [QUEUE_NEWEST] = {STR_INIT("newest"), false, {ORDER("-coalesce(d.filed_at, 0)")}},
    [QUEUE_DUE] =
        {STR_INIT("due"),
         true,
         {ORDER("coalesce(d.due_day, 9999999)"),
          ORDER("CASE WHEN d.manual = 1 THEN 9999999 ELSE coalesce(d.due_day, 9999999) END")}},
    [QUEUE_CLEAN] =
        {STR_INIT("clean"),
         true,
         {ORDER(CLEAN("d.doubt_count", "d.row_count")),
          ORDER(CLEAN(READ " * d.doubt_count", READ " * d.row_count"))}},
    [QUEUE_DOUBTS] =
        {STR_INIT("doubts"), true, {ORDER("-d.doubt_count"), ORDER("-" READ " * d.doubt_count")}},
    [QUEUE_CHECKS] = {STR_INIT("checks"), false, {ORDER("-d.failed_count")}},
    [QUEUE_ROWS] =
        {STR_INIT("rows"), true, {ORDER("-d.row_count"), ORDER("-" READ " * d.row_count")}},
};

ENUM_NAME(draft_queue_sort_name, draft_queue_sort, sorts[value].name, QUEUE_SORT_COUNT)
ENUM_FIND(draft_queue_sort_from_name, draft_queue_sort, sorts[value].name, 0, QUEUE_SORT_COUNT)

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
        .filing_id = query_text(q, 0, arena),
        .chamber = chamber_from_name(query_get_str(q, 1)),
        .filer = query_text(q, 2, arena),
        .slug = query_text(q, 3, arena),
        .name = query_text(q, 4, arena),
        .filed_at = query_get_opt_i64(q, 5, INSTANT_NONE),
        .created_at = query_get_i64(q, 6),
        .due_day = (int32_t)query_get_opt_i64(q, 7, DAY_NONE),
        .rows = query_get_i64(q, 8),
        .doubts = query_get_i64(q, 9),
        .failed = query_get_i64(q, 10),
        .clean = query_get_i64(q, 11) != 0,
        .paper = query_get_i64(q, 12) != 0,
        .reason = query_text(q, 13, arena),
        .claimed_until = query_get_opt_i64(q, 16, INSTANT_NONE),
        .accepted_by = query_text(q, 17, arena),
        .amends = query_get_i64(q, 19) != 0,
        .entry = draft_entry_from_name(query_get_str(q, 20)),
    };
    bool known = report_state_from_name(query_get_str(q, 18), &item.shown);
    assert(known);
    (void)known;
    if (str_eq(query_get_str(q, 14), STR("in_review")) && item.claimed_until > now_ms)
        item.claimed_by = query_text(q, 15, arena);
    return item;
}

/* The order and the place of the draft after which the page begins. *ret_found is false if there is
 * no such draft. */
static enum err find_place(
    struct db *db, const struct order *order, struct str filing_id, int64_t *ret_key,
    bool *ret_found, struct fail *fail)
{
    QUERY(q, db, order->place, V(filing_id));
    *ret_found = query_row(&q);
    *ret_key = *ret_found ? query_get_i64(&q, 0) : 0;
    return query_end(&q, fail);
}

enum err draft_queue_page(
    struct db *db, const struct draft_queue_filter *filter, int64_t from, int64_t limit,
    struct arena *arena, struct draft_queue *ret, struct fail *fail)
{
    struct str after = lower(filter->after, arena);
    int64_t key = 0;
    bool found = false, waiting = filter->stage == QUEUE_WAITING;
    const struct order *order =
        &sorts[filter->sort].keys[filter->blind && sorts[filter->sort].of_rows];
    *ret = (struct draft_queue){.count = 0};
    if (after.n) {
        enum err err = find_place(db, order, after, &key, &found, fail);
        if (err || !found)
            return err;
    }
    QUERY(q, db, after.n ? order->after[waiting] : order->first[waiting]);
    bind(&q, filter, arena);
    query_i64(&q, limit);
    query_i64(&q, from);
    if (after.n) {
        query_i64(&q, key);
        query_str(&q, after);
    }
    return list_read(&q, arena, ret, fail, read_item(&q, filter->now_ms, arena));
}

enum err draft_queue_total(
    struct db *db, const struct draft_queue_filter *filter, int64_t *ret, struct fail *fail)
{
    ARENA_SCOPED(arena);
    QUERY(
        q, db,
        filter->stage == QUEUE_WAITING ? "SELECT count(*)" PASSING(OF_WAITING)
                                       : "SELECT count(*)" PASSING(OF_STAGE));
    bind(&q, filter, &arena);
    *ret = query_row(&q) ? query_get_i64(&q, 0) : 0;
    return query_end(&q, fail);
}

/* An index has all that is counted. */
enum err draft_queue_count(
    struct db *db, int64_t now_ms, struct draft_queue_counts *ret, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT count(*), count(CASE WHEN d.clean = 1 THEN 1 END),"
        " count(CASE WHEN d.manual = 1 THEN 1 END),"
        " count(CASE WHEN d.state = 'in_review' AND d.claimed_until > $1 THEN 1 END),"
        " (SELECT count(*) FROM draft a WHERE a.state = 'accepted'),"
        " min(d.created_at), min(d.due_day) FROM draft d WHERE " WAITING,
        V(now_ms));
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

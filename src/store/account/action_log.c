/* The log of actions; see action_log.h. */
#include "store/account/action_log.h"

#include <assert.h>
#include <stdlib.h>

#include "base/closed_list.h"
#include "base/instant.h"
#include "store/row/list.h"

static const struct str kind_names[ACTOR_KIND_COUNT] = {
    [ACTOR_KIND_VISITOR] = STR_INIT("visitor"),
    [ACTOR_KIND_ACCOUNT] = STR_INIT("account"),
    [ACTOR_KIND_OPERATOR] = STR_INIT("operator"),
};

ENUM_NAME(actor_kind_name, actor_kind, kind_names[value], ACTOR_KIND_COUNT)

static enum actor_kind kind_from_name(struct str name)
{
    for (int i = 0; i < ACTOR_KIND_COUNT; i++)
        if (str_eq(kind_names[i], name))
            return (enum actor_kind)i;
    assert(!"the table's CHECK");
    return ACTOR_KIND_VISITOR;
}

struct act act_of_visitor(const struct act *act)
{
    static const struct actor visitor = {.kind = ACTOR_KIND_VISITOR};
    struct act ret = *act;
    ret.actor = &visitor;
    return ret;
}

enum err actor_check_admin(const struct actor *actor, struct fail *fail)
{
    return actor->role == ROLE_ADMIN ? OK
                                     : fail_set(fail, ERR_REFUSED, "only an admin may do this");
}

enum err action_log_add(
    const struct act *act, enum action action, struct str account_id, struct str subject_kind,
    struct str subject_id, struct str detail)
{
    bool account = act->actor->kind == ACTOR_KIND_ACCOUNT;
    return query_run(
        act->db, act->fail,
        "INSERT INTO action_log (at, actor, actor_id, session_id, action, account_id, subject_kind,"
        " subject_id, detail) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        V(act->now_ms), V(actor_kind_name(act->actor->kind)),
        V(account ? act->actor->account_id : STR_NULL),
        V(account ? act->actor->session_id : STR_NULL), V(action_info(action)->name), V(account_id),
        V(subject_kind), V(subject_id), V(detail));
}

enum err action_log_account(
    const struct act *act, enum action action, struct str account_id, struct str detail)
{
    return action_log_add(act, action, account_id, STR_NULL, STR_NULL, detail);
}

static void read_row(const struct query *q, struct arena *arena, struct action_entry *ret)
{
    *ret = (struct action_entry){
        .no = query_get_i64(q, 0),
        .at = query_get_i64(q, 1),
        .actor = kind_from_name(query_get_str(q, 2)),
        .actor_id = query_text(q, 3, arena),
        .session_id = query_text(q, 4, arena),
        .action = query_text(q, 5, arena),
        .account_id = query_text(q, 6, arena),
        .subject_kind = query_text(q, 7, arena),
        .subject_id = query_text(q, 8, arena),
        .detail = query_text(q, 9, arena),
    };
}

/* Absent filters are empty texts, or bounds that every row is within: PostgreSQL cannot tell the
 * type of a parameter that is only compared with NULL. */
static void bind_filter(struct query *q, const struct action_filter *filter, int64_t from_no)
{
    const struct str texts[] = {
        filter->actor_id, filter->account_id, filter->about_id, filter->action, filter->subject_id};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        query_str(q, str_is_null(texts[i]) ? STR("") : texts[i]);
    query_i64(q, filter->from_ms);
    query_i64(q, filter->to_ms == INSTANT_NONE ? INT64_MAX : filter->to_ms);
    query_i64(q, filter->before ? filter->before : INT64_MAX);
    query_i64(q, from_no);
}

/* One text for each filter that an index serves. The others are compared row by row. */
#define ACTOR "($1 = '' OR actor_id = $1)"
#define ACCOUNT "($2 = '' OR account_id = $2)"
#define ABOUT "($3 = '' OR actor_id = $3 OR account_id = $3)"
#define ACTION "($4 = '' OR action = $4)"
#define SUBJECT "($5 = '' OR subject_id = $5)"
#define SELECT_ENTRIES(actor, account, about, action, subject)                                     \
    "SELECT no, at, actor, actor_id, session_id, action, account_id, subject_kind, subject_id,"    \
    " detail FROM action_log WHERE " actor " AND " account " AND " about " AND " action            \
    " AND " subject " AND at >= $6 AND at < $7 AND no < $8 AND no >= $9"                           \
    " ORDER BY no DESC LIMIT $10"

static const char *select_of(const struct action_filter *filter)
{
    if (!str_is_null(filter->subject_id))
        return SELECT_ENTRIES(ACTOR, ACCOUNT, ABOUT, ACTION, "subject_id = $5");
    if (!str_is_null(filter->account_id))
        return SELECT_ENTRIES(ACTOR, "account_id = $2", ABOUT, ACTION, SUBJECT);
    if (!str_is_null(filter->actor_id))
        return SELECT_ENTRIES("actor_id = $1", ACCOUNT, ABOUT, ACTION, SUBJECT);
    if (!str_is_null(filter->about_id))
        return SELECT_ENTRIES(
            ACTOR, ACCOUNT, "(actor_id = $3 OR account_id = $3)", ACTION, SUBJECT);
    if (!str_is_null(filter->action))
        return SELECT_ENTRIES(ACTOR, ACCOUNT, ABOUT, "action = $4", SUBJECT);
    return SELECT_ENTRIES(ACTOR, ACCOUNT, ABOUT, ACTION, SUBJECT);
}

/* --- times. Rows are numbered in the order of commits, so their times rise, but for clocks of
 * several servers and clocks that were set. TIME_SLACK_MS allows for those. */

enum { TIME_SLACK_MS = DAY_MS };

/* The row with this number or the first one after it. *ret_no is 0 if there is none. */
static enum err row_from(const struct act *act, int64_t no, int64_t *ret_no, int64_t *ret_at)
{
    *ret_no = 0;
    QUERY(q, act->db, "SELECT no, at FROM action_log WHERE no >= $1 ORDER BY no LIMIT 1", V(no));
    if (query_row(&q)) {
        *ret_no = query_get_i64(&q, 0);
        *ret_at = query_get_i64(&q, 1);
    }
    return query_end(&q, act->fail);
}

/* The number of the first row at `at` or later, by bisection: no index has the times. */
static enum err number_at(const struct act *act, int64_t at, int64_t *ret)
{
    int64_t low = 1, high = 1;
    enum err err =
        query_number(act->db, &high, act->fail, "SELECT coalesce(max(no), 0) + 1 FROM action_log");
    while (!err && low < high) {
        int64_t middle = low + (high - low) / 2, no = 0, found_at = 0;
        err = row_from(act, middle, &no, &found_at);
        if (no == 0 || found_at >= at)
            high = middle;
        else
            low = no + 1;
    }
    *ret = low;
    return err;
}

/* Replaces the times of the filter by numbers where that leaves rows out. */
static enum err bound_numbers(
    const struct act *act, struct action_filter *filter, int64_t *ret_from)
{
    int64_t before = 0;
    enum err err = OK;
    *ret_from = 0;
    if (filter->from_ms != INSTANT_NONE)
        err = number_at(act, filter->from_ms - (int64_t)TIME_SLACK_MS, ret_from);
    if (!err && filter->to_ms != INSTANT_NONE)
        err = number_at(act, filter->to_ms + (int64_t)TIME_SLACK_MS, &before);
    if (before && (!filter->before || before < filter->before))
        filter->before = before;
    return err;
}

/* --- actions. The part of a name before the dot stands for all names with it; each is read by
 * itself, so that the index of actions serves it. */

/* The first name in the log after `name` that begins with `group`, in the arena; null: none. */
static enum err next_name(const struct act *act, struct str group, struct str name, struct str *ret)
{
    *ret = STR_NULL;
    QUERY(q, act->db, "SELECT min(action) FROM action_log WHERE action > $1", V(name));
    if (query_row(&q) && str_starts(query_get_str(&q, 0), group))
        *ret = query_text(&q, 0, act->arena);
    return query_end(&q, act->fail);
}

static enum err read_entries(
    const struct act *act, const struct action_filter *filter, int64_t from_no, int64_t limit,
    struct list *ret)
{
    QUERY(q, act->db, select_of(filter));
    bind_filter(&q, filter, from_no);
    query_i64(&q, limit);
    while (query_row(&q))
        read_row(&q, act->arena, list_add(ret));
    return query_end(&q, act->fail);
}

static int newest_first(const void *a, const void *b)
{
    const struct action_entry *x = a, *y = b;
    return (x->no < y->no) - (x->no > y->no);
}

static enum err read_group(
    const struct act *act, struct action_filter *filter, int64_t from_no, int64_t limit,
    struct list *ret)
{
    struct str group = arena_fmt(act->arena, "%.*s.", STR_ARG(filter->action));
    enum err err = next_name(act, group, group, &filter->action);
    while (!err && !str_is_null(filter->action)) {
        err = read_entries(act, filter, from_no, limit, ret);
        if (!err)
            err = next_name(act, group, filter->action, &filter->action);
    }
    if (ret->count)
        qsort(ret->items, ret->count, ret->size, newest_first);
    return err;
}

enum err action_log_list(
    const struct act *act, const struct action_filter *wanted, int64_t limit,
    struct action_list *ret)
{
    struct action_filter filter = *wanted;
    int64_t from_no;
    bool group = !str_is_null(filter.action) && str_find_char(filter.action, '.') < 0;
    TRY(bound_numbers(act, &filter, &from_no));
    LIST_SCOPED(list, struct action_entry);
    TRY(group ? read_group(act, &filter, from_no, limit, &list)
              : read_entries(act, &filter, from_no, limit, &list));
    size_t count = list.count < (size_t)limit ? list.count : (size_t)limit;
    *ret = (struct action_list){.count = count, .items = list_keep(&list, act->arena)};
    return OK;
}

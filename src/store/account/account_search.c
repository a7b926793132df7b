/* Search of accounts; see account_search.h. */
#include "store/account/account_search.h"

#include <assert.h>

#include "base/closed_list.h"
#include "base/instant.h"
#include "store/row/list.h"

static const struct str state_names[ACCOUNT_SEARCH_STATE_COUNT] = {
    [ACCOUNT_ANY] = STR_INIT("any"),
    [ACCOUNT_ENABLED] = STR_INIT("enabled"),
    [ACCOUNT_DISABLED] = STR_INIT("disabled"),
    [ACCOUNT_DELETED] = STR_INIT("deleted"),
};

ENUM_NAME(
    account_search_state_name, account_search_state, state_names[value], ACCOUNT_SEARCH_STATE_COUNT)
ENUM_FIND(
    account_search_state_from_name, account_search_state, state_names[value], 0,
    ACCOUNT_SEARCH_STATE_COUNT)

/* A pattern of LIKE for a text that contains this one. Folded like the addresses that it is
 * compared with. */
static struct str pattern_of(struct arena *arena, struct str text)
{
    BUF_SCOPED(b, 2 * ACCOUNT_SEARCH_TEXT_MAX + 2);
    buf_char(&b, '%');
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == '%' || text.p[i] == '_' || text.p[i] == '\\')
            buf_char(&b, '\\');
        buf_char(&b, ascii_lower(text.p[i]));
    }
    buf_char(&b, '%');
    return arena_str(arena, buf_view(&b));
}

static void read_row(const struct query *q, struct arena *arena, struct account_found *ret)
{
    *ret = (struct account_found){
        .no = query_get_i64(q, 0),
        .id = query_text(q, 1, arena),
        .email = query_text(q, 2, arena),
        .created_at = query_get_i64(q, 5),
        .disabled_at = query_get_opt_i64(q, 6, INSTANT_NONE),
        .deleted_at = query_get_opt_i64(q, 7, INSTANT_NONE),
        .has_password = query_get_i64(q, 8),
        .has_second_factor = query_get_i64(q, 9),
        .keys = query_get_i64(q, 10),
        .endpoints = query_get_i64(q, 11),
        .signed_in_at = query_get_opt_i64(q, 12, INSTANT_NONE),
    };
    bool known = plan_from_key(query_get_str(q, 3), &ret->plan) &&
                 role_from_name(query_get_str(q, 4), &ret->role);
    assert(known); /* CHECKs of the table */
    (void)known;
}

static struct str or_empty(struct str text)
{
    return str_is_null(text) ? STR("") : text;
}

/* The accounts of a page are found first; only theirs are counted. substr() keeps the database from
 * walking the index of actions, which has the sign-ins of all accounts. */
enum err account_search(
    const struct act *act, const struct account_search *search, size_t limit,
    struct account_found_list *ret)
{
    *ret = (struct account_found_list){.count = 0};
    if (search->text.n > ACCOUNT_SEARCH_TEXT_MAX)
        return OK;
    LIST_SCOPED(list, struct account_found);
    QUERY(
        q, act->db,
        "SELECT a.no, a.id, a.email, a.plan, a.role, a.created_at, a.disabled_at, a.deleted_at,"
        " CASE WHEN a.password_hash IS NULL THEN 0 ELSE 1 END,"
        " CASE WHEN a.totp_at IS NULL THEN 0 ELSE 1 END,"
        " (SELECT count(*) FROM api_key k WHERE k.account_no = a.no AND k.revoked_at IS NULL),"
        " (SELECT count(*) FROM endpoint e WHERE e.account_no = a.no AND e.state <> 'deleted'),"
        " (SELECT l.at FROM action_log l WHERE l.account_id = a.id AND substr(l.action, 1) = "
        "'session.start'"
        " ORDER BY l.no DESC LIMIT 1)"
        " FROM (SELECT no FROM account WHERE no < $1 AND (email_folded LIKE $2 ESCAPE '\\'"
        " OR id LIKE $2 ESCAPE '\\') AND ($3 = '' OR plan = $3) AND ($4 = '' OR role = $4)"
        " AND CASE $5 WHEN 'any' THEN deleted_at IS NULL WHEN 'deleted' THEN deleted_at IS NOT NULL"
        " WHEN 'disabled' THEN disabled_at IS NOT NULL AND deleted_at IS NULL"
        " ELSE disabled_at IS NULL AND deleted_at IS NULL END"
        " ORDER BY no DESC LIMIT $6) AS found JOIN account a ON a.no = found.no"
        " ORDER BY a.no DESC",
        V(search->before ? search->before : INT64_MAX),
        V(pattern_of(act->arena, or_empty(search->text))), V(or_empty(search->plan)),
        V(or_empty(search->role)), V(account_search_state_name(search->state)),
        V((int64_t)limit + 1));
    while (query_row(&q))
        read_row(&q, act->arena, list_add(&list));
    enum err err = query_end(&q, act->fail);
    ret->more = list.count > limit;
    ret->count = ret->more ? limit : list.count;
    ret->items = list_keep(&list, act->arena);
    return err;
}

/* Open invitations; see invitation.h. */
#include "store/account/invitation.h"

#include "store/row/list.h"

#define OPEN "purpose = 'invitation' AND used_at IS NULL AND expires_at > $2"

static void read_row(const struct query *q, struct arena *arena, struct invitation *ret)
{
    *ret = (struct invitation){
        .no = query_get_i64(q, 0),
        .email = query_text(q, 1, arena),
        .by_id = query_text(q, 4, arena),
        .by_email = query_text(q, 5, arena),
        .works = query_get_i64(q, 6),
        .created_at = query_get_i64(q, 7),
        .expires_at = query_get_i64(q, 8),
    };
    plan_from_key(query_get_str(q, 2), &ret->plan);
    role_from_name(query_get_str(q, 3), &ret->role);
}

enum err invitation_list(const struct act *act, size_t limit, struct invitation_list *ret)
{
    bool more = false;
    LIST_SCOPED(list, struct invitation);
    QUERY(
        q, act->db,
        "SELECT t.no, t.email, t.plan, t.role, t.by_id, a.email,"
        " CASE WHEN t.by_id IS NULL OR (a.role = 'admin' AND a.disabled_at IS NULL) THEN 1 ELSE 0"
        " END, t.created_at, t.expires_at"
        " FROM (SELECT * FROM token WHERE " OPEN " ORDER BY no DESC LIMIT $1) AS t"
        " LEFT JOIN account a ON a.id = t.by_id ORDER BY t.no DESC",
        V((int64_t)limit + 1), V(act->now_ms));
    while (query_row(&q)) {
        more = list.count == limit;
        if (!more)
            read_row(&q, act->arena, list_add(&list));
    }
    TRY(query_end(&q, act->fail));
    *ret = (struct invitation_list){
        .count = list.count, .items = list_keep(&list, act->arena), .more = more};
    return OK;
}

enum err invitation_withdraw(const struct act *act, int64_t no)
{
    QUERY(q, act->db, "DELETE FROM token WHERE no = $1 AND " OPEN, V(no), V(act->now_ms));
    return query_end_or(
        &q, ERR_NOT_FOUND, act->fail,
        "there is no open invitation %lld: it was accepted, withdrawn or replaced, or has expired",
        (long long)no);
}

/* Stored states of deliveries; see delivery_stored.h. */
#include "store/account/delivery_stored.h"

struct delivery_stored delivery_stored_read(const struct query *q, struct arena *arena)
{
    return (struct delivery_stored){
        .no = query_get_i64(q, 0),
        .endpoint_no = query_get_i64(q, 1),
        .attempts = query_get_i64(q, 2),
        .leased = !query_is_null(q, 7),
        .replayed_at = query_get_opt_i64(q, 10, INSTANT_NONE),
        .erased = query_get_str(q, 11).n == 0, /* endpoint_erase_all */
        .endpoint_id = query_text(q, 8, arena),
        .delivery =
            {
                .state = delivery_state_from_name(query_get_str(q, 3)),
                .cause = delivery_cause_from_name(query_get_str(q, 9)),
                .tries = (int)query_get_i64(q, 4),
                .counted_in = query_get_i64(q, 5),
                .due_at = query_get_i64(q, 6),
            },
        .endpoint = endpoint_is_read(q, 12),
    };
}

enum err delivery_stored_find_no(
    struct db *db, int64_t no, struct arena *arena, struct delivery_stored *ret, struct fail *fail)
{
    QUERY(q, db, DELIVERY_SELECT_STORED " WHERE d.no = $1", V(no));
    if (query_row(&q))
        *ret = delivery_stored_read(&q, arena);
    return query_end_or(&q, ERR_NOT_FOUND, fail, "there is no delivery with that number");
}

enum err delivery_stored_write(
    struct db *db, const struct delivery_stored *s, const struct delivery_is *before,
    int64_t ended_at, struct fail *fail)
{
    bool pending = s->delivery.state == DELIVERY_PENDING;
    QUERY(
        q, db,
        "UPDATE delivery SET state = $2, tries = $3, counted_in = $4, due_at = $5, ended_at = $6,"
        " cause = $10, replayed_at = $11, lease_node = NULL, lease_until = NULL"
        " WHERE no = $1 AND state = $7 AND tries = $8 AND attempts = $9",
        V(s->no), V(delivery_state_name(s->delivery.state)), V(s->delivery.tries),
        V(s->delivery.counted_in), V(s->delivery.due_at),
        V_OPT(pending ? INSTANT_NONE : ended_at, INSTANT_NONE),
        V(delivery_state_name(before->state)), V(before->tries), V(s->attempts),
        V(delivery_cause_name(s->delivery.cause)), V_OPT(s->replayed_at, INSTANT_NONE));
    return query_end_or(
        &q, ERR_BUSY, fail, "delivery %lld was moved by another server", (long long)s->no);
}

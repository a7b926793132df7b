/* Writes counts; see counts.h. */
#include "api/counts.h"

static void put_sides(struct json_out *j, const struct feed_counts *counts)
{
    JSON_KEY_I64(j, "trades", counts->trades);
    JSON_KEY_I64(j, "buys", counts->buys);
    JSON_KEY_I64(j, "sells", counts->sells);
    JSON_KEY_I64(j, "exchanges", counts->exchanges);
}

static void put_late(struct json_out *j, const struct feed_counts *counts)
{
    JSON_KEY_I64(j, "late", counts->late);
    JSON_KEY_I64(j, "lateUnknown", counts->late_unknown);
}

void counts_put_politician(struct json_out *j, const struct feed_politician *p)
{
    json_object_begin(j);
    put_sides(j, &p->counts);
    JSON_KEY_I64(j, "conflicts", p->counts.conflicts);
    JSON_KEY_I64(j, "conflictsLater", p->counts.conflicts_later);
    put_late(j, &p->counts);
    JSON_KEY_I64(j, "filings", p->filings);
    json_key(j, STR("indexed"));
    if (p->indexed < 0)
        json_no_value(j);
    else
        json_i64(j, p->indexed);
    JSON_KEY_I64(j, "waiting", p->waiting);
    json_object_end(j);
}

void counts_put_ticker(struct json_out *j, const struct feed_counts *counts, int64_t politicians)
{
    json_object_begin(j);
    put_sides(j, counts);
    JSON_KEY_I64(j, "politicians", politicians);
    JSON_KEY_I64(j, "conflicts", counts->conflicts);
    JSON_KEY_I64(j, "conflictsLater", counts->conflicts_later);
    put_late(j, counts);
    json_key(j, STR("firstActivity"));
    json_instant(j, counts->first_activity);
    json_key(j, STR("lastActivity"));
    json_instant(j, counts->last_activity);
    json_object_end(j);
}

/* Marks on the database; see meta.h. */
#include "store/row/meta.h"

#include <assert.h>

#include "store/row/name.h"

static const struct str data_names[] = {
    [META_DATA_NONE] = STR_INIT(""),
    [META_DATA_DEMO] = STR_INIT("demo"),
    [META_DATA_REAL] = STR_INIT("real"),
};

enum err meta_get(
    struct db *db, struct str name, struct arena *arena, struct str *ret, struct fail *fail)
{
    QUERY(q, db, "SELECT value FROM meta WHERE name = $1", V(name));
    if (query_row(&q))
        *ret = query_text(&q, 0, arena);
    return query_end_or(&q, ERR_NOT_FOUND, fail, "the database has no mark %.*s", STR_ARG(name));
}

enum err meta_set(struct db *db, struct str name, struct str value, struct fail *fail)
{
    return query_run(
        db, fail,
        "INSERT INTO meta (name, value) VALUES ($1, $2)"
        " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        V(name), V(value));
}

enum err meta_data_get(struct db *db, enum meta_data *ret, struct fail *fail)
{
    QUERY(q, db, "SELECT value FROM meta WHERE name = 'data'");
    int found = META_DATA_NONE;
    if (query_row(&q))
        found = name_find(data_names, NAME_COUNT(data_names), query_get_str(&q, 0));
    TRY(query_end(&q, fail));
    if (found < 0)
        return fail_set(fail, ERR_CORRUPT, "the database's mark of its data is unknown");
    *ret = (enum meta_data)found;
    return OK;
}

enum err meta_data_claim(struct db *db, enum meta_data data, struct fail *fail)
{
    assert(data != META_DATA_NONE);
    TRY(query_run(
        db, fail,
        "INSERT INTO meta (name, value) VALUES ('data', $1) ON CONFLICT (name) DO NOTHING",
        V(data_names[data])));
    enum meta_data now = META_DATA_NONE;
    TRY(meta_data_get(db, &now, fail));
    if (now != data)
        return fail_set(
            fail, ERR_REFUSED,
            now == META_DATA_DEMO
                ? "this database holds invented demonstration data, and real data cannot join it: "
                  "name a new database, `export STOCKACT_DATABASE=sqlite:var/real.db`, or delete "
                  "this one; then run `stockact setup`"
                : "this database holds real data, and invented data cannot join it: name a new "
                  "database, `stockact demo --database sqlite:var/demo.db`");
    return OK;
}

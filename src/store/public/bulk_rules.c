/* See bulk_rules.h. */
#include "store/public/bulk_rules.h"

#include <assert.h>

#include "db/dialect.h"
#include "store/row/list.h"
#include "store/row/node.h"

/* Those with a row or more for each trade or filing. change_log is filled after the rules are back,
 * and has no foreign keys. */
static const struct str tables[] = {
    STR_INIT("filing"),
    STR_INIT("finding_history"),
    STR_INIT("trade"),
    STR_INIT("trade_finding"),
};

struct statements {
    struct arena *arena;
    struct list drop, add; /* of const char * */
};

static bool is_filled(struct str table)
{
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (str_eq(tables[i], table))
            return true;
    return false;
}

static void keep(struct list *list, struct arena *arena, struct str text)
{
    const char **statement = list_add(list);
    *statement = arena_str(arena, text).p;
}

/* Rows of `what` begin with a table, the statement that drops a rule and the one that adds it. */
static enum err read(
    struct db *db, enum dialect what, struct statements *statements, struct fail *fail)
{
    const char *sql = dialect_text(db_kind(db), what);
    struct query q;
    if (!sql)
        return OK;
    query_start(&q, db, sql);
    while (query_row(&q)) {
        if (!is_filled(query_get_str(&q, 0)))
            continue;
        keep(&statements->drop, statements->arena, query_get_str(&q, 1));
        keep(&statements->add, statements->arena, query_get_str(&q, 2));
    }
    return query_end(&q, fail);
}

static enum err run(struct db *db, const char *const *statements, size_t count, struct fail *fail)
{
    enum err err = OK;
    for (size_t i = 0; i < count && !err; i++)
        err = db_exec(db, statements[i], fail);
    return err;
}

static enum err drop_all(
    struct db *db, struct arena *arena, struct bulk_rules *ret, struct fail *fail)
{
    struct statements statements = {.arena = arena};
    list_init(&statements.drop, sizeof(const char *));
    list_init(&statements.add, sizeof(const char *));
    enum err err = read(db, DIALECT_PLAIN_INDEXES, &statements, fail);
    if (!err)
        err = read(db, DIALECT_FOREIGN_KEYS, &statements, fail);
    const char **drop = list_keep(&statements.drop, arena);
    size_t count = statements.drop.count;
    const struct bulk_rules rules = {list_keep(&statements.add, arena), count};
    list_finish(&statements.drop);
    list_finish(&statements.add);
    if (!err)
        err = run(db, drop, count, fail);
    if (!err)
        *ret = rules;
    return err;
}

static enum err has_trades(struct db *db, bool *ret, struct fail *fail)
{
    return query_any(db, ret, fail, "SELECT 1 FROM trade LIMIT 1");
}

/* Without them it is only slower, so a lock that others hold, and tables of another user, do not
 * matter. */
static enum err try_to_drop(
    struct db *db, struct arena *arena, struct bulk_rules *ret, struct fail *fail)
{
    enum err err = db_savepoint(db, fail);
    if (err)
        return err;
    err = drop_all(db, arena, ret, fail);
    if (err == ERR_BUSY || err == ERR_REFUSED)
        return db_savepoint_rollback(db, fail);
    return err ? err : db_savepoint_release(db, fail);
}

enum err bulk_rules_drop(
    struct db *db, struct arena *arena, struct bulk_rules *ret, struct fail *fail)
{
    bool trades = false;
    int64_t servers, seq;
    struct str label;
    assert(db_in_transaction(db));
    *ret = (struct bulk_rules){NULL, 0};
    if (!dialect_text(db_kind(db), DIALECT_PLAIN_INDEXES))
        return OK;
    db_be_patient(db);
    enum err err = node_slowest(db, arena, &servers, &seq, &label, fail);
    if (err || servers)
        return err;
    err = has_trades(db, &trades, fail);
    return err || trades ? err : try_to_drop(db, arena, ret, fail);
}

enum err bulk_rules_add(struct db *db, const struct bulk_rules *rules, struct fail *fail)
{
    return run(db, rules->add, rules->count, fail);
}

/* Opening a database by its address: which driver; see db.h. */
#include "db/db.h"
#include "db/db_driver.h"

static bool is_postgresql(struct str url)
{
    return str_starts(url, STR("postgresql://")) || str_starts(url, STR("postgres://"));
}

enum err db_check_built(struct str url, struct fail *fail)
{
    return is_postgresql(url) ? db_postgresql_check_built(fail) : OK;
}

enum err db_open(
    struct str url, const struct db_options *options, struct db **ret, struct fail *fail)
{
    static const struct str sqlite = STR_INIT("sqlite:");
    if (str_starts(url, sqlite) && url.n > sqlite.n)
        return db_sqlite_open(str_slice(url, sqlite.n, url.n), options, ret, fail);
    if (is_postgresql(url))
        return db_postgresql_open(url, options, ret, fail);
    return fail_set(
        fail, ERR_INVALID, "the database address must be sqlite:PATH or postgresql://HOST/NAME");
}

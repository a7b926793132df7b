/* Stands in for the PostgreSQL driver in a build without it (meson -Dpostgresql=false) and rejects
 * every address. */
#include <assert.h>

#include "base/instant.h"
#include "db/client_files.h"
#include "db/db_certificate.h"
#include "db/db_driver.h"
#include "db/db_hosts.h"

enum err db_postgresql_check_built(struct fail *fail)
{
    return fail_set(
        fail, ERR_INVALID,
        "this build has no PostgreSQL: use a database address sqlite:PATH, or build stockact with "
        "-Dpostgresql=true");
}

enum err db_postgresql_open(
    struct str url, const struct db_options *options, struct db **ret, struct fail *fail)
{
    return db_postgresql_check_built(fail);
}

int db_postgresql_socket(struct db *db)
{
    assert(!"no connection to PostgreSQL");
    return -1;
}

bool db_postgresql_notified(struct db *db)
{
    assert(!"no connection to PostgreSQL");
    return false;
}

unsigned db_postgresql_generation(struct db *db)
{
    assert(!"no connection to PostgreSQL");
    return 0;
}

void client_files_each(struct str url, client_file_visit *visit, void *ctx)
{
}

bool client_uses_abstract_socket(struct str url)
{
    return false;
}

int64_t db_certificate_ends(struct db *db)
{
    return INSTANT_NONE;
}

void db_hosts_look(
    struct str url, int time_max_ms, struct arena *arena, struct db_host **ret, size_t *ret_count)
{
    *ret = NULL;
    *ret_count = 0;
}

/* Queries each host of a database URL separately, for `stockact doctor`. */
#pragma once

#include "base/err.h"
#include "base/mem.h"

struct db_host {
    struct str host, port; /* these and the reason are in the arena */
    enum err err;          /* why the host did not answer; then the rest is empty */
    struct str reason;
    bool standby;     /* it follows a primary, and takes no writes */
    int64_t position; /* bytes of the log that it has written or received */
};

/* Queries the hosts of a PostgreSQL URL with several hosts, one after the other. *ret_count is 0 if
 * it has only one. Blocks for about `time_max_ms` in total, but allows two seconds for each
 * host. */
void db_hosts_look(
    struct str url, int time_max_ms, struct arena *arena, struct db_host **ret, size_t *ret_count);

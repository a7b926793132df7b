/* Access of commands to the store; see session.h. */
#include "cmd/session.h"

#include <stdio.h>

#include "store/change.h"

enum err session_open(struct cmd *cmd, enum store_mode mode, struct db **ret, struct fail *fail)
{
    return store_open(cmd->settings->database, mode, ret, fail);
}

enum err session_write(struct db *db, session_write_fn *fn, void *ctx, struct fail *fail)
{
    enum err err = db_begin(db, fail);
    if (err)
        return err;
    err = fn(db, ctx, fail);
    return db_end(db, err, fail);
}

void session_wait_servers(struct db *db)
{
    struct fail fail = {0};
    int64_t seq;
    enum err err = change_last(db, &seq, &fail);
    if (!err)
        err = change_wait_nodes(db, seq, SESSION_SERVERS_TIMEOUT_MS, &fail);
    if (err == ERR_TIMEOUT)
        fprintf(stderr, "stockact: %s\n", fail.text);
    else if (err)
        fprintf(
            stderr, "stockact: the change is stored, but not confirmed by running servers: %s\n",
            fail.text);
}

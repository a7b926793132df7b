/* `stockact nodes`: the servers that share the database. */
#include "cmd/operate/store_access.h"
#include "store/row/change.h"
#include "store/row/node.h"

enum err cmd_nodes_list(struct store_read *read, struct fail *fail)
{
    struct node_list list = {.count = 0};
    int64_t seq = 0;
    enum err err = change_last(read->db, &seq, fail);
    if (!err)
        err = node_list(read->db, seq, &read->arena, &list, fail);
    for (size_t i = 0; i < list.count && !err; i++) {
        const struct node *node = &list.items[i];
        out_begin(read->out, OUT_TABLE);
        out_str(read->out, "server", node->label);
        out_bool(read->out, "running", node->running);
        out_i64(read->out, "silentMs", node->silent_ms);
        out_i64(read->out, "behind", node->behind);
        out_i64_unless(read->out, "upMs", node->up_ms, -1);
        out_str(read->out, "version", node->version);
        out_end(read->out);
    }
    return err;
}

static enum err forget(struct db *db, void *ctx, struct fail *fail)
{
    struct cmd *cmd = ctx;
    struct str label = cmd->options->operands[0];
    bool found;
    enum err err = node_forget(db, label, &found, fail);
    return err || found ? err
                        : fail_set(
                              fail, ERR_NOT_FOUND,
                              "no silent server is called \"%.*s\": see `stockact nodes list`; a "
                              "server that runs cannot be forgotten",
                              STR_ARG(label));
}

enum err cmd_nodes_forget(struct cmd *cmd, struct fail *fail)
{
    DB_SCOPED(db);
    TRY(store_access_open(cmd, STORE_WRITE, &db, fail));
    return store_access_write(db, forget, cmd, fail);
}

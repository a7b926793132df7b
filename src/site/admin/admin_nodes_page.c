/* /admin/nodes: the servers that share the database. */
#include "site/admin/admin_parts.h"
#include "site/frame/handlers.h"
#include "status/words.h"
#include "store/row/change.h"
#include "store/row/node.h"

enum err admin_nodes_load(struct page_call *call, struct fail *fail)
{
    struct node_list list = {.count = 0};
    int64_t seq = 0;
    TRY(change_last(call->db, &seq, fail));
    TRY(node_list(call->db, seq, call->arena, &list, fail));
    struct view *table = table_begin(
        call->view, "nodes", "Server|State|Heartbeat|#Behind|Up for|Version",
        "No server is known.");
    for (size_t i = 0; i < list.count; i++) {
        const struct node *node = &list.items[i];
        struct view *row = table_row(table);
        view_str(row, "server", node->label);
        view_bool(row, "running", node->running);
        admin_badge(
            row, "badge", node->running ? "good" : "bad",
            node->running ? STR("Running") : STR("Silent"));
        view_int(row, "silentMs", node->silent_ms);
        view_str(row, "silent", words_duration(call->arena, node->silent_ms));
        view_count(row, "behind", node->behind);
        view_str(row, "up", node->up_ms < 0 ? STR_NULL : words_duration(call->arena, node->up_ms));
        view_str(row, "version", node->version);
    }
    view_count(call->view, "seq", seq);
    return OK;
}

/* Waits for servers; see page_applied.h. */
#include "site/frame/page_applied.h"

#include "base/log.h"
#include "store/row/change.h"

enum { WAIT_MAX_MS = 1000 };

void page_wait_applied(struct page_call *call)
{
    struct fail fail = {0};
    int64_t seq;
    db_rollback(call->db); /* the snapshot is from before the change */
    enum err err = change_last(call->db, &seq, &fail);
    if (!err)
        err = change_wait_nodes(call->db, seq, WAIT_MAX_MS, &fail);
    if (err)
        log_line(
            LOG_WARN, "a change is stored, but not every server has confirmed it",
            LOG_S("reason", str_from(fail.text)), LOG_S("id", http_id(call->x)));
    if (db_begin_read(call->db, &fail) != OK)
        log_line(LOG_WARN, "cannot begin a snapshot", LOG_S("reason", str_from(fail.text)));
}

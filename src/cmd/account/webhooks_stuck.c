/* `stockact webhooks stuck`: endpoints whose deliveries do not get on. */
#include "cmd/operate/store_access.h"
#include "store/account/delivery_stuck.h"

enum { PAGE = 100 };

enum err cmd_webhooks_stuck(struct store_read *read, struct fail *fail)
{
    struct delivery_stuck_list list = {.more = true};
    int64_t after = 0;
    enum err err = OK;
    while (list.more && !err) {
        err = delivery_stuck_list(read->db, after, PAGE, read->now_ms, &read->arena, &list, fail);
        for (size_t i = 0; i < list.count && !err; i++) {
            const struct delivery_stuck *stuck = &list.items[i];
            out_begin(read->out, OUT_TABLE);
            out_str(read->out, "endpoint", stuck->endpoint_id);
            out_str(read->out, "url", stuck->url);
            out_str(read->out, "email", stuck->email);
            out_str(read->out, "reason", stuck_reason_name(stuck->reason));
            out_i64(read->out, "queued", stuck->queued);
            out_bool(read->out, "more", stuck->more);
            out_instant(read->out, "oldestDueAt", stuck->oldest_due);
            out_i64(read->out, "failures", stuck->failures);
            out_str(read->out, "error", stuck->error);
            out_end(read->out);
            after = stuck->endpoint_no;
        }
    }
    return err;
}

/* The second purge of keys; see again.h. */
#include "purge/again.h"

void purge_again_init(struct purge_again *again)
{
    *again = (struct purge_again){.due_ms = 0};
    purge_keys_init(&again->due);
    purge_keys_init(&again->later);
}

void purge_again_finish(struct purge_again *again)
{
    purge_keys_finish(&again->due);
    purge_keys_finish(&again->later);
}

void purge_again_add(struct purge_again *again, struct str batch, int64_t now_ms)
{
    purge_keys_add_batch(&again->later, batch);
    again->later_ms = now_ms + PURGE_AGAIN_MS;
}

bool purge_again_take(struct purge_again *again, int64_t now_ms, struct buf *batch)
{
    if (!purge_keys_any(&again->due)) {
        purge_keys_merge(&again->due, &again->later);
        purge_keys_reset(&again->later);
        again->due_ms = again->later_ms;
    }
    if (!purge_keys_any(&again->due) || now_ms < again->due_ms)
        return false;
    purge_keys_take(&again->due, batch);
    return true;
}

void purge_again_return(struct purge_again *again, struct str batch)
{
    purge_keys_add_batch(&again->due, batch);
}

/* `stockact status`: what needs attention (docs/operate.md). */
#include "admin/overview.h"
#include "cmd/store_access.h"

static enum err show_status(struct store_read *read, struct fail *fail)
{
    const struct settings *settings = read->cmd->settings;
    struct overview overview;
    const struct overview_config config = {
        .now_ms = read->now_ms,
        .mail = !str_is_null(settings->smtp_url),
        .sync = settings->sync_at != CLOCK_TIME_NONE,
        .sweep = settings->sweep_at != CLOCK_TIME_NONE,
    };
    enum err err = overview_read(read->db, read->now_ms, &read->arena, &overview, fail);
    if (err)
        return err;
    struct overview_items items = overview_judge(&overview, &config, &read->arena);
    for (size_t i = 0; i < items.count; i++) {
        const struct overview_item *item = &items.items[i];
        out_begin(read->out, OUT_TABLE);
        out_str(read->out, "level", overview_level_name(item->level));
        out_str(read->out, "topic", item->topic);
        out_str(read->out, "text", item->text);
        out_str(
            read->out, "more", arena_fmt(&read->arena, "stockact %.*s", STR_ARG(item->command)));
        out_end(read->out);
    }
    if (!items.count)
        out_line(read->out, "Nothing needs attention.");
    return OK;
}

enum err cmd_status(struct cmd *cmd, struct fail *fail)
{
    return store_access_read(cmd, show_status, fail);
}

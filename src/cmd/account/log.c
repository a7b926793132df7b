/* `stockact log`: who did what (store/account/action_log.h). */
#include "cmd/operate/store_access.h"
#include "status/log_csv.h"

enum { LIMIT_DEFAULT = 100, LINE_SIZE_MAX = 1 << 20 };

static int64_t instant_option(const struct options *options, const char *name)
{
    int64_t at = INSTANT_NONE;
    if (options_given(options, name))
        instant_parse(options_value(options, name), &at);
    return at;
}

static void show_entry(struct out *out, const struct action_entry *entry)
{
    out_begin(out, OUT_TABLE);
    out_i64(out, "no", entry->no);
    out_instant(out, "at", entry->at);
    out_str(out, "actor", actor_kind_name(entry->actor));
    out_str(out, "actorId", entry->actor_id);
    out_str(out, "sessionId", entry->session_id);
    out_str(out, "action", entry->action);
    out_str(out, "accountId", entry->account_id);
    out_str(out, "subject", entry->subject_kind);
    out_str(out, "subjectId", entry->subject_id);
    out_str(out, "detail", entry->detail);
    out_end(out);
}

static void print_csv(struct out *out, const struct action_list *list)
{
    BUF_SCOPED(line, LINE_SIZE_MAX);
    log_csv_header(&line);
    for (size_t i = 0; i < list->count; i++) {
        fwrite(line.p, 1, line.n, out->to); /* out_finish checks for errors */
        buf_reset(&line);
        log_csv_row(&line, &list->items[i]);
    }
    fwrite(line.p, 1, line.n, out->to);
}

enum err cmd_log(struct store_read *read, struct fail *fail)
{
    const struct options *options = read->cmd->options;
    struct action_list list;
    const struct action_filter filter = {
        .actor_id = options_value(options, "actor"),
        .account_id = options_value(options, "account"),
        .action = options_value(options, "action"),
        .subject_id = options_value(options, "subject"),
        .from_ms = instant_option(options, "from"),
        .to_ms = instant_option(options, "to"),
        .before = options_i64(options, "before", 0),
    };
    if (options_given(options, "csv") && read->out->json)
        return fail_set(fail, ERR_INVALID, "choose --csv or --json, not both");
    TRY(action_log_list(
        store_reads(read, fail), &filter, options_i64(options, "limit", LIMIT_DEFAULT), &list));
    if (options_given(options, "csv"))
        print_csv(read->out, &list);
    else
        for (size_t i = 0; i < list.count; i++)
            show_entry(read->out, &list.items[i]);
    return OK;
}

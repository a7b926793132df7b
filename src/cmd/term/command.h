/*
 * One subcommand: its row in the table (commands.h), the context of its run, and the functions of
 * all of them. A command function reads its options, calls the part that does the work, and prints
 * the result.
 */
#pragma once

#include "cmd/term/out.h"
#include "config/options.h"
#include "config/settings.h"
#include "store/row/act.h"

/* Placeholder for the reader's address in proposed commands. --by refuses it. */
#define COMMANDS_YOU "YOU@EXAMPLE.ORG"

/* The context of one run of a command. All pointers are borrowed. */
struct cmd {
    const struct options *options;
    const struct settings *settings;
    struct out *out;
    const char *error_code; /* overrides the code derived from enum err (spec 7); NULL: none */
    act_run *act;           /* of the command's row */
    int64_t error_limit;    /* printed with error_code; LIMIT_NONE: none */
    bool content_invalid;   /* ERR_INVALID is about a file or a peer and not about arguments */
};

/* A command that only reads the store; see cmd/operate/store_access.h. */
struct store_read;
typedef enum err store_read_fn(struct store_read *read, struct fail *fail);

/* A command of a reviewer; see cmd/review/review_desk.h. */
struct review;
typedef enum err review_fn(struct review *r, struct fail *fail);

enum { LIMIT_NONE = -1 };

struct command {
    const char *name;    /* "serve", "keys mint" */
    const char *summary; /* one line without a final period */
    /* As printed in the help: "ID [ROW]"; NULL: none. In brackets from the start, any number may be
     * given, and if brackets or dots follow, at least one; else just as many as it has words. */
    const char *operands;
    enum settings_scope scope;
    const struct option *options;
    size_t option_count;
    const char *notes; /* more sentences for the manual; NULL: none */
    enum err (*run)(struct cmd *cmd, struct fail *fail);
    store_read_fn *read; /* instead: it prints what it reads */
    review_fn *review;   /* instead: it works at a desk */
    act_run *act;        /* what `run` does in a transaction (cmd->act); NULL: it says itself */
    /* Runs if settings are not valid, and prints them all; their number. NULL: prints nothing. */
    size_t (*list_refused)(struct out *out, const struct options *options);
};

enum err cmd_serve(struct cmd *cmd, struct fail *fail);
enum err cmd_demo(struct cmd *cmd, struct fail *fail);
enum err cmd_members_import(struct cmd *cmd, struct fail *fail);
enum err cmd_committees_import(struct cmd *cmd, struct fail *fail);
enum err cmd_tickers_import(struct cmd *cmd, struct fail *fail);
enum err cmd_oversight_import(struct cmd *cmd, struct fail *fail);
enum err cmd_backfill_stock_watcher(struct cmd *cmd, struct fail *fail);
enum err cmd_ingest(struct cmd *cmd, struct fail *fail);
enum err cmd_sync_house(struct cmd *cmd, struct fail *fail);
enum err cmd_sync_senate(struct cmd *cmd, struct fail *fail);
enum err cmd_snapshot(struct cmd *cmd, struct fail *fail);
enum err cmd_export(struct cmd *cmd, struct fail *fail);
enum err cmd_verify(struct cmd *cmd, struct fail *fail);
enum err cmd_redate(struct cmd *cmd, struct fail *fail);
enum err cmd_reread(struct cmd *cmd, struct fail *fail);
store_read_fn cmd_review_list;
store_read_fn cmd_review_batch;
review_fn cmd_review_look;
review_fn cmd_review_return;
store_read_fn cmd_review_show;
review_fn cmd_review_picture;
store_read_fn cmd_review_sample;
review_fn cmd_review_sample_count;
review_fn cmd_review_sample_decide;
store_read_fn cmd_review_sample_documents;
review_fn cmd_review_sample_draw;
review_fn cmd_review_sample_skip;
review_fn cmd_review_sample_type;
review_fn cmd_review_scan;
review_fn cmd_review_claim;
review_fn cmd_review_accept;
review_fn cmd_review_reject;
review_fn cmd_review_nothing_reported;
review_fn cmd_review_take_symbols;
review_fn cmd_review_set;
review_fn cmd_review_add_row;
review_fn cmd_review_delete_row;
review_fn cmd_review_set_filer;
review_fn cmd_review_enter;
store_read_fn cmd_review_differences;
review_fn cmd_review_decide;
store_read_fn cmd_review_agreement;
review_fn cmd_review_new;
review_fn cmd_publish;
enum err cmd_members_correct(struct cmd *cmd, struct fail *fail);
review_fn cmd_correct;
enum err cmd_coverage(struct cmd *cmd, struct fail *fail);
enum err cmd_sweep(struct cmd *cmd, struct fail *fail);
review_fn cmd_withdraw;
review_fn cmd_reinstate;
enum err cmd_accounts_act(struct cmd *cmd, struct fail *fail);
enum err cmd_accounts_link(struct cmd *cmd, struct fail *fail);
store_read_fn cmd_accounts_invitations;
enum err cmd_accounts_withdraw_invitation(struct cmd *cmd, struct fail *fail);
store_read_fn cmd_accounts_sessions;
enum err cmd_accounts_end_sessions(struct cmd *cmd, struct fail *fail);
enum err cmd_accounts_export(struct cmd *cmd, struct fail *fail);
enum err cmd_accounts_delete(struct cmd *cmd, struct fail *fail);
store_read_fn cmd_accounts_list;
enum err cmd_keys_act(struct cmd *cmd, struct fail *fail);
store_read_fn cmd_keys_list;
store_read_fn cmd_keys_usage;
store_read_fn cmd_alerts_list;
enum err cmd_alerts_add(struct cmd *cmd, struct fail *fail);
enum err cmd_alerts_change(struct cmd *cmd, struct fail *fail);
enum err cmd_alerts_act(struct cmd *cmd, struct fail *fail);
enum err cmd_alerts_confirm(struct cmd *cmd, struct fail *fail);
enum err cmd_webhooks_add(struct cmd *cmd, struct fail *fail);
store_read_fn cmd_webhooks_list;
store_read_fn cmd_webhooks_show;
enum err cmd_webhooks_act(struct cmd *cmd, struct fail *fail);
enum err cmd_webhooks_secret(struct cmd *cmd, struct fail *fail);
enum err cmd_webhooks_test(struct cmd *cmd, struct fail *fail);
enum err cmd_webhooks_deliveries(struct cmd *cmd, struct fail *fail);
enum err cmd_webhooks_replay(struct cmd *cmd, struct fail *fail);
enum err cmd_listen(struct cmd *cmd, struct fail *fail);
enum err cmd_trigger(struct cmd *cmd, struct fail *fail);
store_read_fn cmd_webhooks_stuck;
store_read_fn cmd_log;
store_read_fn cmd_accounts_search;
enum err cmd_setup(struct cmd *cmd, struct fail *fail);
enum err cmd_config_check(struct cmd *cmd, struct fail *fail);
size_t config_list_refused(struct out *out, const struct options *options);
enum err cmd_config_show(struct cmd *cmd, struct fail *fail);
enum err cmd_ready(struct cmd *cmd, struct fail *fail);
enum err cmd_doctor(struct cmd *cmd, struct fail *fail);
size_t doctor_list_refused(struct out *out, const struct options *options);
store_read_fn cmd_status;
store_read_fn cmd_jobs_list;
store_read_fn cmd_jobs_runs;
store_read_fn cmd_mail_list;
enum err cmd_mail_retry(struct cmd *cmd, struct fail *fail);
enum err cmd_mail_drop(struct cmd *cmd, struct fail *fail);
store_read_fn cmd_nodes_list;
enum err cmd_nodes_forget(struct cmd *cmd, struct fail *fail);
store_read_fn cmd_storage;
store_read_fn cmd_sync_status;
enum err cmd_migrate(struct cmd *cmd, struct fail *fail);
enum err cmd_audit(struct cmd *cmd, struct fail *fail);
enum err cmd_check(struct cmd *cmd, struct fail *fail);
enum err cmd_backup(struct cmd *cmd, struct fail *fail);
enum err cmd_restore(struct cmd *cmd, struct fail *fail);
enum err cmd_copy(struct cmd *cmd, struct fail *fail);
enum err cmd_secret_rotate(struct cmd *cmd, struct fail *fail);
enum err cmd_version(struct cmd *cmd, struct fail *fail);

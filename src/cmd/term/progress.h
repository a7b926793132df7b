/*
 * A bar on standard error while a command works: label, bar, how much of how many, rate and time
 * left. Drawn only if standard error is a terminal and --json is not given, after two seconds, and
 * ten times a second from then on. A thread of its own draws, so that the seconds run on while the
 * work is in one long statement.
 *
 *     static const struct progress_label importing = {"Importing", "file", "files"};
 *     struct progress *bar = progress_start(cmd->out, &importing);
 *     const struct progress_hook hook = progress_hook_of(bar);
 *     ...
 *     progress_stop(bar);
 */
#pragma once

#include "base/progress_hook.h"
#include "cmd/term/out.h"
#include "cmd/term/terminal.h"

struct progress_label {
    const char *doing;      /* "Importing" */
    const char *one, *many; /* "file", "files"; NULL: the amounts are bytes */
    const char *part;       /* of one that takes long: "page"; NULL: it has none */
};

struct progress;

/* NULL, which the other functions take: nothing is to be drawn. Until progress_stop, `out` prints
 * its lines in the bar's place, and the bar comes back below them. `labels` has one label for each
 * phase of the work. `out` and `labels` must outlive it. */
struct progress *progress_start(struct out *out, const struct progress_label *labels);

/* For the work; it tells `p`. */
struct progress_hook progress_hook_of(struct progress *p);

/* Starts another task, with its own labels. */
void progress_relabel(struct progress *p, const struct progress_label *labels);

/* A progress_fn; ctx is the struct progress, or NULL. */
void progress_note(void *ctx, int64_t done, int64_t total);

/* Erases the bar. Call it before an error is printed. */
void progress_stop(struct progress *p);

/* --- the line, for tests */

struct progress_state {
    int64_t done, total; /* total: 0 if not known */
    int64_t elapsed_ms;
    int64_t lately_done, lately_ms; /* of the last seconds: the rate. lately_ms 0: not known */
    int64_t part;                   /* of the one in work; 0: not known */
};

/* Appends the line without control characters but colour; shorter than the terminal is wide. */
void progress_put(
    struct buf *to, const struct terminal *t, const struct progress_label *label,
    const struct progress_state *state);

/* What the bars of several commands call the phases of their work. */

extern const struct progress_label members_labels[]; /* enum import_phase */
extern const struct progress_label symbols_labels[]; /* enum import_phase */
extern const struct progress_label check_labels[];   /* enum check_phase */
extern const struct progress_label migrate_labels[]; /* enum migrate_phase */
extern const struct progress_label copy_labels[];    /* enum copy_phase */

/* `stockact committees import`: imports committee seats of one day, or over time. */
#include <stdio.h>

#include "base/clock.h"
#include "cmd/operate/store_access.h"
#include "cmd/term/counts.h"
#include "cmd/term/progress.h"
#include "config/file.h"
#include "conflict/committees.h"
#include "conflict/spans.h"

static const struct progress_label importing_seats = {"Importing seats", "seat", "seats"};

enum { IMPORT_SIZE_MAX = 512 << 20, FILES = 2 };

/* Two texts: the list and its seats, or seats over time and names. */
struct texts {
    struct buf text[FILES];
};

static void texts_init(struct texts *t, size_t size_max)
{
    for (int i = 0; i < FILES; i++)
        buf_init(&t->text[i], size_max);
}

static void texts_finish(struct texts *t)
{
    for (int i = 0; i < FILES; i++)
        buf_finish(&t->text[i]);
}

static void out_day(struct out *out, const char *name, int32_t day)
{
    char text[DAY_TEXT_SIZE];
    day_print(day, text);
    out_str(out, name, str_of(text, sizeof text));
}

enum { TITLE_SIZE = 64 };
#define SEATS_UNCHANGED "the database has these seats already"
#define NEXT_WHY .why = "recompute the conflict signals of public trades"

/* --- the list of one day */

static void show_remark(void *ctx, const struct committees_remark *remark)
{
    struct out *out = ctx;
    out_begin(out, OUT_TABLE);
    out_str(out, "committee", remark->committee);
    out_str(out, "member", remark->member);
    out_str(out, "name", remark->name);
    out_i64(out, "seats", (int64_t)remark->seats);
    out_str(out, "remark", remark->what);
    out_end(out);
}

static void show_committees(struct out *out, int32_t as_of, const struct committees_report *report)
{
    const struct count_line counts[] = {
        {"committees", (int64_t)report->committees, "committee", "committees", OUT_PLAIN},
        {"subcommittees", (int64_t)report->subcommittees, "subcommittee", "subcommittees",
         OUT_PLAIN},
        {"seats", (int64_t)report->seats, "seat", "seats", OUT_GOOD},
        {"members", (int64_t)report->members, "member with a seat", "members with a seat",
         OUT_PLAIN},
        {"seatsLeftOut", (int64_t)report->seats_left_out, "seat left out", "seats left out",
         OUT_DOUBTFUL},
        {"membersUnknown", (int64_t)report->members_unknown,
         "member of these is not in the database", "members of these are not in the database",
         OUT_DOUBTFUL},
        {"entriesLeftOut", (int64_t)report->entries_left_out, "entry left out: it is not valid",
         "entries left out: they are not valid", OUT_DOUBTFUL},
        {"titlesUnknown", (int64_t)report->titles_unknown,
         "seat with an unknown title, which counts as member",
         "seats with an unknown title, which counts as member", OUT_DOUBTFUL},
    };
    enum { COUNT = sizeof counts / sizeof *counts };
    char day[DAY_TEXT_SIZE], title[TITLE_SIZE];
    day_print(as_of, day);
    snprintf(title, sizeof title, "Seats as of %.*s", DAY_TEXT_SIZE, day);
    const struct counts_words words = {
        .title = title,
        .unchanged = report->unchanged ? SEATS_UNCHANGED : NULL,
        .next = report->unchanged ? NULL : "stockact sweep",
        NEXT_WHY};
    if (counts_page(out, &words, counts, COUNT))
        return;
    out_begin(out, OUT_BLOCK);
    out_day(out, "asOf", as_of);
    counts_fields(out, counts, COUNT);
    out_bool(out, "unchanged", report->unchanged);
    out_end(out);
}

/* The day of the list. A future day is invalid: it would be the current list until then. */
static enum err choose_day(const struct cmd *cmd, int64_t now_ms, int32_t *ret, struct fail *fail)
{
    struct str day = options_value(cmd->options, "as-of");
    if (str_is_null(day))
        return fail_set(
            fail, ERR_INVALID,
            "--as-of is missing: give the day on which the list was valid; the files do not state "
            "it");
    day_parse(day, ret);
    if (*ret > instant_day_new_york(now_ms))
        return fail_set(
            fail, ERR_INVALID,
            "--as-of \"%.*s\" is in the future in Washington: give today or an earlier day",
            STR_ARG(day));
    return OK;
}

static enum err import_list(struct cmd *cmd, struct fail *fail)
{
    const struct str *names = cmd->options->operands;
    struct committees_report report;
    struct texts texts;
    DB_SCOPED(db);
    struct committees_import in = {.now_ms = clock_wall_ms()};
    enum err err = choose_day(cmd, in.now_ms, &in.as_of, fail);
    if (err)
        return err;
    cmd->content_invalid = true; /* from here on */
    texts_init(&texts, IMPORT_SIZE_MAX);
    for (int i = 0; i < FILES && !err; i++)
        err = file_read(names[i].p, &texts.text[i], fail);
    in.index = (struct import_file){names[0], buf_view(&texts.text[0])};
    in.membership = (struct import_file){names[1], buf_view(&texts.text[1])};
    if (!err)
        err = store_access_open(cmd, STORE_MIGRATE, &db, fail);
    if (!err) {
        struct progress *progress = progress_start(cmd->out, &importing_seats);
        const struct progress_hook hook = progress_hook_of(progress);
        in.progress = &hook;
        err = committees_import(db, &in, show_remark, cmd->out, &report, fail);
        progress_stop(progress);
    }
    if (!err) {
        store_access_note(db, LAST_IMPORT);
        store_access_wait_servers(db);
        show_committees(cmd->out, in.as_of, &report);
    }
    texts_finish(&texts);
    return err;
}

/* --- seats over time */

static void show_odd(void *ctx, const struct spans_odd *odd)
{
    struct out *out = ctx;
    out_begin(out, OUT_TABLE);
    out_str(out, "file", odd->file);
    out_i64(out, "line", odd->line);
    out_str(out, "committee", odd->committee);
    out_str(out, "leftOut", str_from(odd->what));
    out_end(out);
}

static void show_spans(struct out *out, const struct spans_report *report)
{
    const struct count_line counts[] = {
        {"lists", (int64_t)report->lists, "list", "lists", OUT_PLAIN},
        {"seats", (int64_t)report->seats, "seat", "seats", OUT_GOOD},
        {"members", (int64_t)report->members, "member with a seat", "members with a seat",
         OUT_PLAIN},
        {"linesLeftOut", (int64_t)report->lines_left_out, "line left out", "lines left out",
         OUT_DOUBTFUL},
    };
    enum { COUNT = sizeof counts / sizeof *counts };
    char first[DAY_TEXT_SIZE], last[DAY_TEXT_SIZE], title[TITLE_SIZE];
    day_print(report->first, first);
    day_print(report->last, last);
    snprintf(
        title, sizeof title, "Seats from %.*s to %.*s", DAY_TEXT_SIZE, first, DAY_TEXT_SIZE, last);
    const struct counts_words words = {
        .title = title,
        .unchanged = report->unchanged ? SEATS_UNCHANGED : NULL,
        .next = report->unchanged ? NULL : "stockact sweep",
        NEXT_WHY};
    if (counts_page(out, &words, counts, COUNT))
        return;
    out_begin(out, OUT_BLOCK);
    out_day(out, "from", report->first);
    out_day(out, "to", report->last);
    counts_fields(out, counts, COUNT);
    out_bool(out, "unchanged", report->unchanged);
    out_end(out);
}

static enum err import_spans(struct cmd *cmd, struct fail *fail)
{
    struct str seats = options_value(cmd->options, "spans");
    struct str names = options_value(cmd->options, "names");
    struct spans_report report;
    SCOPED(texts_finish) struct texts texts;
    DB_SCOPED(db);
    struct spans_import in = {
        .today = instant_day_new_york(clock_wall_ms()), .odd = show_odd, .ctx = cmd->out};
    cmd->content_invalid = true; /* from here on */
    texts_init(&texts, SPANS_FILE_SIZE_MAX);
    enum err err = file_read(seats.p, &texts.text[0], fail);
    if (!err && !str_is_null(names))
        err = file_read(names.p, &texts.text[1], fail);
    in.seats = (struct import_file){seats, buf_view(&texts.text[0])};
    if (!str_is_null(names))
        in.names = (struct import_file){names, buf_view(&texts.text[1])};
    if (!err)
        err = store_access_open(cmd, STORE_MIGRATE, &db, fail);
    if (!err) {
        struct progress *progress = progress_start(cmd->out, &importing_seats);
        const struct progress_hook hook = progress_hook_of(progress);
        in.progress = &hook;
        err = spans_import(db, &in, &report, fail);
        progress_stop(progress);
    }
    if (!err) {
        store_access_note(db, LAST_IMPORT);
        store_access_wait_servers(db);
        show_spans(cmd->out, &report);
    }
    return err;
}

enum err cmd_committees_import(struct cmd *cmd, struct fail *fail)
{
    size_t operands = cmd->options->operand_count;
    bool spans = options_given(cmd->options, "spans");
    if (spans && (operands || options_given(cmd->options, "as-of")))
        return fail_set(
            fail, ERR_INVALID, "--spans takes no other file and no --as-of: its lines have days");
    if (!spans && options_given(cmd->options, "names"))
        return fail_set(fail, ERR_INVALID, "--names goes with --spans only");
    if (!spans && operands != FILES)
        return fail_set(
            fail, ERR_INVALID,
            "give two files, COMMITTEES.json and MEMBERSHIP.json, or one with --spans");
    return spans ? import_spans(cmd, fail) : import_list(cmd, fail);
}

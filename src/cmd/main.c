/*
 * The main function of stockact: finds the subcommand, reads options and settings, and runs it. The
 * exit status is 0 for success, 2 if what was typed or set is invalid, and 1 for any other failure
 * (docs/architecture.md, "Commands and settings").
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/build.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/standard_streams.h"
#include "cmd/commands.h"
#include "cmd/operate/store_access.h"
#include "cmd/review/review_desk.h"
#include "cmd/term/layout.h"
#include "db/db.h"
#include "limits/limits.h"
#include "paper/extract.h"
#include "rule/action.h"
#include "site/pages.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

static void print_reason(const char *text, enum colour_when when)
{
    const struct str name = STR("stockact:");
    struct terminal terminal;
    BUF_SCOPED(line, 1 << 16);
    terminal_init(&terminal, stderr, when);
    terminal_paint(&terminal, &line, PAINT_BAD, name);
    if (terminal.is_tty)
        layout_wrap(&line, str_from(text), name.n, name.n + 1, (size_t)terminal.columns);
    else
        buf_fmt(&line, " %s\n", text);
    fwrite(line.p, 1, line.n, stderr);
}

static int usage_error(
    const struct command *command, enum colour_when when, const struct fail *fail)
{
    char text[sizeof fail->text + 128];
    snprintf(
        text, sizeof text, "%s; see `stockact %s%s--help`", fail->text,
        command ? command->name : "", command ? " " : "");
    print_reason(text, when);
    return EXIT_USAGE;
}

/* The API's name for a failure (spec 7, decision 18). */
static const char *error_code(enum err err)
{
    switch (err) {
    case ERR_INVALID:
        return "invalid_parameter";
    case ERR_NOT_FOUND:
        return "not_found";
    case ERR_EXISTS:
        return "already_exists";
    case ERR_REFUSED:
        return "refused";
    case ERR_LIMIT:
        return "limit_reached";
    case ERR_BUSY:
    case ERR_FULL:
    case ERR_UNAVAILABLE:
    case ERR_TIMEOUT:
        return "service_unavailable";
    case OK:
    case ERR_IO:
    case ERR_CORRUPT:
        break;
    }
    return "internal_error";
}

/* What was typed or set is invalid, or anything else has failed. */
static int exit_status(const struct cmd *cmd, enum err err)
{
    return err == ERR_INVALID && !cmd->content_invalid ? EXIT_USAGE : EXIT_FAILED;
}

/* After a commit whose end is not known: "keys mint" is looked at with `keys list`. */
static struct fail tell_unsure(const struct command *command, const struct fail *fail)
{
    struct fail ret = *fail;
    char noun[32];
    int words = 0;
    snprintf(noun, sizeof noun, "%.*s", (int)strcspn(command->name, " "), command->name);
    bool lists = command_find(2, (char *[]){noun, (char[]){"list"}}, &words) && words == 2;
    (void)fail_set(
        &ret, fail->err,
        "%.300s: the change may have been made: look with `stockact %s%s` before you repeat it",
        fail->text, lists ? noun : "log", lists ? " list" : "");
    return ret;
}

static int failed(
    struct cmd *cmd, const struct command *command, enum err err, const struct fail *reason)
{
    const struct fail told = reason->unsure ? tell_unsure(command, reason) : *reason;
    const struct fail *fail = &told;
    out_flush(cmd->out); /* what it printed before stands above the reason */
    print_reason(fail->text, cmd->out->colour);
    if (cmd->out->json) {
        out_begin(cmd->out, OUT_BLOCK);
        out_str(cmd->out, "error", str_from(cmd->error_code ? cmd->error_code : error_code(err)));
        out_str(cmd->out, "hint", str_from(fail->text));
        if (cmd->error_limit != LIMIT_NONE)
            out_i64(cmd->out, "limit", cmd->error_limit);
        out_end(cmd->out);
    }
    return exit_status(cmd, err);
}

static enum err missing_operands(const struct command *command, struct fail *fail)
{
    return fail_set(
        fail, ERR_INVALID, "missing argument: `stockact %s` needs %s", command->name,
        command->operands);
}

static enum err check_operands(
    const struct command *command, const struct options *options, struct fail *fail)
{
    struct str rest = str_from(command->operands), word;
    size_t given = options->operand_count, needed = 0;
    if (str_starts(rest, STR("[")))
        return OK;
    if (str_find_char(rest, '[') >= 0 || str_find_char(rest, '.') >= 0)
        return given > 0 ? OK : missing_operands(command, fail);
    while (str_split(&rest, ' ', &word))
        needed++;
    if (given < needed)
        return missing_operands(command, fail);
    if (given > needed)
        return fail_set(
            fail, ERR_INVALID, "unexpected argument \"%.*s\"", STR_ARG(options->operands[needed]));
    return OK;
}

/* A proposed command that is run unchanged would record the placeholder in the history. */
static enum err check_by(const struct options *options, struct fail *fail)
{
    if (options_knows(options, "by") && str_eq(options_value(options, "by"), STR(COMMANDS_YOU)))
        return fail_set(
            fail, ERR_INVALID, "--by needs your own e-mail address in place of %s", COMMANDS_YOU);
    return OK;
}

/* The option's `valid` has checked the value. */
static enum colour_when colour_of(const struct options *options)
{
    enum colour_when when = COLOUR_AUTO;
    colour_when_parse(options_value(options, "color"), &when);
    return when;
}

static void begin_output(struct out *out, const struct options *options)
{
    out_init(out, stdout, options_given(options, "json"), colour_of(options));
    if (options_given(options, "pretty"))
        out_lay_out(out);
}

static int run_with_settings(
    const struct command *command, const struct options *options, struct settings *settings)
{
    struct fail fail = {0};
    struct out out;
    struct cmd cmd = {
        .options = options,
        .settings = settings,
        .out = &out,
        .act = command->act,
        .error_limit = LIMIT_NONE};
    begin_output(&out, options);
    enum err err = settings_use_clock(settings, &fail);
    clock_check();
    if (!err)
        err = command->read     ? store_access_read(&cmd, command->read, &fail)
              : command->review ? review_run(&cmd, command->review, &fail)
                                : command->run(&cmd, &fail);
    int status = err ? failed(&cmd, command, err, &fail) : EXIT_DONE;
    const char *empty = command_empty(command);
    if (!err && empty)
        out_if_empty(&out, empty);
    return out_finish(&out) ? status : EXIT_FAILED;
}

/* Prints all settings that are not valid, for the command that looks for them. One of them is the
 * reason already. */
static void list_refused(
    const struct command *command, const struct options *options, struct fail *fail)
{
    struct out out;
    if (!command->list_refused)
        return;
    begin_output(&out, options);
    size_t count = command->list_refused(&out, options);
    if (out_finish(&out) && count > 1)
        (void)fail_set(fail, ERR_INVALID, "%zu settings are invalid, as listed above", count);
}

/* Fails if a setting needs a database or Redis driver that this build does not have. */
static enum err check_built(const struct settings *settings, struct fail *fail)
{
    TRY(db_check_built(settings->database, fail));
    return limits_check_built(settings->redis, fail);
}

static enum err load_settings(
    const struct command *command, const struct options *options, struct settings *ret,
    struct fail *fail)
{
    enum err err = settings_load(ret, options, fail);
    if (err == ERR_INVALID)
        list_refused(command, options, fail);
    return err;
}

static int run(const struct command *command, struct options *options)
{
    struct fail fail = {0};
    struct settings settings;
    enum err err = options_check_required(options, &fail);
    if (!err)
        err = check_operands(command, options, &fail);
    if (!err)
        err = check_by(options, &fail);
    if (!err)
        err = load_settings(command, options, &settings, &fail);
    if (!err) {
        err = check_built(&settings, &fail);
        if (err)
            settings_finish(&settings);
    }
    if (err == ERR_INVALID)
        return usage_error(command, colour_of(options), &fail);
    if (err) {
        print_reason(fail.text, COLOUR_AUTO);
        return EXIT_FAILED;
    }
    int status = run_with_settings(command, options, &settings);
    settings_finish(&settings);
    return status;
}

static int parse_and_run(const struct command *command, int argc, char **argv)
{
    struct fail fail = {0};
    SCOPED(options_finish) struct options options;
    int status = EXIT_DONE;
    options_init(&options);
    options_know(&options, command->options, command->option_count);
    options_know(&options, commands_common, commands_common_count);
    settings_know_flags(&options, command->scope);
    if (options_parse(&options, argc, argv, &fail))
        status = usage_error(command, colour_of(&options), &fail);
    else if (options_given(&options, "help"))
        command_help(command, stdout, colour_of(&options));
    else
        status = run(command, &options);
    return status;
}

static bool is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0;
}

static void put_actions(struct buf *b)
{
    for (int action = 0; action < ACTION_COUNT; action++) {
        const struct action_info *info = action_info((enum action)action);
        struct json_out j;
        json_init(&j, b);
        json_object_begin(&j);
        JSON_KEY_STR(&j, "action", info->name);
        JSON_KEY_STR(&j, "who", action_who_name(info->who));
        JSON_KEY_STR(&j, "command", info->command);
        JSON_KEY_STR(&j, "page", info->page);
        JSON_KEY_BOOL(&j, "json", info->json);
        json_object_end(&j);
        buf_char(b, '\n');
    }
}

/* `help --pages --json` and `help --actions --json`: tables of the program, for its tests. False:
 * there is no such table. */
static bool print_table(const char *option)
{
    BUF_SCOPED(b, 1 << 20);
    bool pages_wanted = strcmp(option, "--pages") == 0;
    if (!pages_wanted && strcmp(option, "--actions") != 0)
        return false;
    (pages_wanted ? pages_put_json : put_actions)(&b);
    fwrite(b.p, 1, b.n, stdout);
    return true;
}

static int unknown_command(int argc, char **argv)
{
    struct fail fail;
    bool two = argc > 1 && argv[1][0] != '-';
    const char *like = command_like(argc, argv);
    (void)fail_set(
        &fail, ERR_INVALID, "unknown command \"%s%s%s\"%s%s%s", argv[0], two ? " " : "",
        two ? argv[1] : "", like ? " (did you mean \"" : "", like ? like : "", like ? "\"?)" : "");
    return usage_error(NULL, COLOUR_AUTO, &fail);
}

static const char first_steps[] =
    "stockact serves the stock trades that members of the U.S. Congress disclose.\n"
    "\n"
    "There is no database yet. Begin with one of these:\n"
    "\n"
    "  stockact demo     fill a new database with invented data, to try the program\n"
    "  stockact setup    or fill it with real members, committee seats and symbols\n"
    "\n"
    "Then:\n"
    "\n"
    "  stockact serve    serve it on http://127.0.0.1:8080\n"
    "  stockact status   see what is there, and what to do next\n"
    "  stockact --help   see all commands\n";

/* True if there is a database, or something to say about the settings that name it. */
static bool has_database(void)
{
    SCOPED(options_finish) struct options options;
    struct settings settings;
    struct fail unused;
    options_init(&options);
    settings_know_flags(&options, SETTINGS_ALL);
    enum err err = settings_load(&settings, &options, &unused);
    bool found = true;
    if (!err) {
        struct str path = settings_database_path(&settings);
        found = !settings_embedded(&settings) ||
                access(arena_str(&settings.arena, path).p, F_OK) == 0 || errno != ENOENT;
        settings_finish(&settings);
    }
    return found;
}

/* Without arguments: the state of what is there, or how to begin. */
static int run_bare(void)
{
    char status[] = "status", *words[] = {status};
    int count;
    if (has_database())
        return parse_and_run(command_find(1, words, &count), 0, NULL);
    fputs(first_steps, stdout);
    return EXIT_DONE;
}

/* Without arguments, or with an unknown command; also --help and --version. */
static int run_without_command(int argc, char **argv)
{
    if (argc == 0)
        return run_bare();
    if (argc == 3 && is_help(argv[0]) && strcmp(argv[2], "--json") == 0 && print_table(argv[1]))
        return EXIT_DONE;
    if (is_help(argv[0])) {
        int words;
        const struct command *command = command_find(argc - 1, argv + 1, &words);
        if (command)
            command_help(command, stdout, COLOUR_AUTO);
        else if (argc == 1)
            commands_help(stdout);
        else if (!commands_help_of(str_from(argv[1]), stdout))
            return unknown_command(argc - 1, argv + 1);
        return EXIT_DONE;
    }
    if (strcmp(argv[0], "--version") == 0) {
        printf("stockact %.*s\n", STR_ARG(build.title));
        return EXIT_DONE;
    }
    if (argc > 1 && is_help(argv[1]) && commands_help_of(str_from(argv[0]), stdout))
        return EXIT_DONE;
    if (argc == 1 && commands_help_of(str_from(argv[0]), stderr))
        return EXIT_USAGE;
    return unknown_command(argc, argv);
}

int main(int argc, char **argv)
{
    standard_streams_hold();
    if (argc == 2 && strcmp(argv[1], "extract") == 0)
        return extract_main(); /* not a command: ingest starts it (paper/extract.h) */
    no_memory_watch();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* write returns EFBIG, which is a full disk (base/disk.h) */
    int words;
    const struct command *command = command_find(argc - 1, argv + 1, &words);
    if (!command)
        return run_without_command(argc - 1, argv + 1);
    return parse_and_run(command, argc - 1 - words, argv + 1 + words);
}

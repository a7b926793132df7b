/* The daily jobs of a server that run commands; see sync_job.h. */
#include "serve/sync_job.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "serve/daily_job.h"

enum { CHILD_LINE_MAX = 4096 };

struct child {
    pid_t pid;
    int out;         /* read end of its standard output */
    struct buf line; /* the line being read */
    struct buf last; /* the last complete line; empty if that was too long */
};

static void child_finish(struct child *c, int *ret_status);

/* Runs commands as child processes of the server. */

enum { ARGUMENTS_MAX = 16, CHUNK = 4096 };

/* --- start */

/* Copies the server's environment. STOCKACT_* variables are set from the server's settings, which
 * may have come from flags or from the file. */
static char **make_environment(const struct settings *s, struct arena *arena)
{
    static const struct str prefix = STR_INIT("STOCKACT_");
    enum { OWN_MAX = 10 };
    size_t n = 0, inherited = 0;
    while (environ[inherited])
        inherited++;
    char **all = ARENA_ARRAY(arena, char *, inherited + OWN_MAX);
    for (size_t i = 0; i < inherited; i++)
        if (!str_starts(str_from(environ[i]), prefix))
            all[n++] = environ[i];
#define ADD(name, ...) (all[n++] = (char *)(uintptr_t)arena_fmt(arena, name "=" __VA_ARGS__).p)
    ADD("STOCKACT_DATABASE", "%.*s", STR_ARG(s->database));
    ADD("STOCKACT_VISITOR_DELAY", "%lld", (long long)s->visitor_delay);
    if (!str_is_null(s->secret_key_file))
        ADD("STOCKACT_SECRET_KEY_FILE", "%.*s", STR_ARG(s->secret_key_file));
    if (!str_is_null(s->sync_contact))
        ADD("STOCKACT_SYNC_CONTACT", "%.*s", STR_ARG(s->sync_contact));
    if (!str_is_null(s->sync_proxy))
        ADD("STOCKACT_SYNC_PROXY", "%.*s", STR_ARG(s->sync_proxy));
    if (s->sync_pace_ms != SYNC_PACE_NONE)
        ADD("STOCKACT_SYNC_PACE_MS", "%lld", (long long)s->sync_pace_ms);
    if (!str_is_null(s->test_clock)) {
        ADD("STOCKACT_TEST_CLOCK", "%.*s", STR_ARG(s->test_clock));
        ADD("STOCKACT_ALLOW_TEST_CLOCK", "1");
        if (!str_is_null(s->test_database_clock))
            ADD("STOCKACT_TEST_DATABASE_CLOCK", "%.*s", STR_ARG(s->test_database_clock));
    }
#undef ADD
    return all;
}

/* Restores the signals that the server has blocked or ignored. */
static void default_signals(posix_spawnattr_t *attributes)
{
    sigset_t none, ignored;
    sigemptyset(&none);
    sigemptyset(&ignored);
    sigaddset(&ignored, SIGHUP);
    sigaddset(&ignored, SIGPIPE);
    sigaddset(&ignored, SIGXFSZ);
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setsigdefault(attributes, &ignored);
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

static int spawn(pid_t *ret_pid, int out, char *const arguments[], char *const environment[])
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    default_signals(&attributes);
    int failed =
        posix_spawn(ret_pid, "/proc/self/exe", &actions, &attributes, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return failed;
}

/* Starts a command, such as {"sync", "house", NULL}. After OK, call child_finish. */
static enum err child_start(
    struct child *c, const struct settings *settings, const char *const command[],
    struct fail *fail)
{
    ARENA_SCOPED(arena);
    char *arguments[ARGUMENTS_MAX] = {(char[]){"stockact"}};
    int ends[2];
    size_t n = 1;
    for (; command[n - 1] && n < ARGUMENTS_MAX - 2; n++)
        arguments[n] = (char *)(uintptr_t)command[n - 1];
    arguments[n] = (char[]){"--json"};
    if (pipe2(ends, O_CLOEXEC) < 0)
        return fail_set(fail, ERR_IO, "cannot create a pipe for a command: %s", strerror(errno));
    int failed = spawn(&c->pid, ends[1], arguments, make_environment(settings, &arena));
    close(ends[1]);
    if (failed) {
        close(ends[0]);
        return fail_set(fail, ERR_IO, "cannot start the command: %s", strerror(failed));
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    c->out = ends[0];
    buf_init(&c->line, CHILD_LINE_MAX);
    buf_init(&c->last, CHILD_LINE_MAX);
    return OK;
}

/* --- output */

static void take_text(struct child *c, struct str text)
{
    ptrdiff_t end;
    while ((end = str_find_char(text, '\n')) >= 0) {
        buf_str(&c->line, str_slice(text, 0, (size_t)end));
        buf_reset(&c->last);
        if (!c->line.overflow)
            buf_str(&c->last, buf_view(&c->line));
        buf_reset(&c->line);
        text = str_slice(text, (size_t)end + 1, text.n);
    }
    buf_str(&c->line, text);
}

/* Reads the available output without waiting. False: end of output. */
static bool child_read(struct child *c)
{
    char chunk[CHUNK];
    ssize_t n;
    while ((n = read(c->out, chunk, sizeof chunk)) > 0)
        take_text(c, str_of(chunk, (size_t)n));
    return n < 0 && (errno == EAGAIN || errno == EINTR);
}

static void child_stop(struct child *c)
{
    kill(c->pid, SIGTERM);
}

/* Waits until the child exits. *ret_status: its exit status, or -1 if a signal killed it. */
static void child_finish(struct child *c, int *ret_status)
{
    int status = 0;
    while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
        ;
    close(c->out);
    buf_finish(&c->line);
    buf_finish(&c->last);
    *ret_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

enum { POLL_MS = 1000 };

struct sync_job {
    const struct settings *settings;
    struct daily_job *daily;
};

/* Reads the child's output to its end. False: the run must end, and the child was sent SIGTERM. */
static bool follow_child(struct daily_job *job, struct child *child)
{
    while (child_read(child)) {
        if (!daily_job_wait(job, child->out, POLL_MS)) {
            child_stop(child);
            return false;
        }
    }
    return true;
}

static void put_failure(struct json_out *result, struct str reason)
{
    json_object_begin(result);
    JSON_KEY_STR(result, "error", reason);
    json_object_end(result);
}

/* One run of commands. */
struct sync_job_run {
    const struct settings *settings;
    struct daily_job *daily;
    struct json_out *result;
    const char *event; /* in the log */
    bool failed;       /* a command did not do all its work */
};

/* Runs a command and adds `"name": {...}` to the result. False: the run must end. */
static bool run_command(struct sync_job_run *run, const char *name, const char *const command[])
{
    struct json_out *result = run->result;
    struct child child;
    struct fail fail;
    int status;
    json_key(result, str_from(name));
    enum err err = child_start(&child, run->settings, command, &fail);
    run->failed = run->failed || err;
    if (err) {
        put_failure(result, str_from(fail.text));
        log_line(
            LOG_ERROR, "a command of a job failed", LOG_S("site", str_from(name)),
            LOG_S("reason", str_from(fail.text)));
        return true;
    }
    bool ended = follow_child(run->daily, &child);
    struct str output = buf_view(&child.last);
    if (ended && str_starts(output, STR("{")))
        json_raw(result, output);
    else
        put_failure(result, ended ? STR("the command printed no result") : STR("stopped"));
    ARENA_SCOPED(arena);
    output = arena_str(&arena, output);
    child_finish(&child, &status);
    run->failed = run->failed || !ended || status != 0;
    log_line(
        status == 0 ? LOG_INFO : LOG_WARN, run->event, LOG_S("site", str_from(name)),
        LOG_I("status", status), LOG_S("result", output));
    return ended;
}

static bool run_site(struct sync_job_run *run, const char *site)
{
    ARENA_SCOPED(arena);
    struct str base = run->settings->sync_base_url;
    const char *const command[] = {
        "sync", site, str_is_null(base) ? NULL : "--base-url", arena_str(&arena, base).p, NULL};
    return run_command(run, site, command);
}

static bool run_sync(void *ctx, struct daily_job *daily, struct json_out *result)
{
    const struct sync_job *job = ctx;
    struct sync_job_run run = {job->settings, daily, result, "synced", false};
    if (run_site(&run, "house"))
        run_site(&run, "senate");
    return !run.failed;
}

static bool run_snapshot(void *ctx, struct daily_job *daily, struct json_out *result)
{
    const struct sync_job *job = ctx;
    struct sync_job_run run = {job->settings, daily, result, "wrote a snapshot", false};
    const char *const command[] = {"snapshot", "--if-missing", job->settings->snapshots.p, NULL};
    run_command(&run, "snapshot", command);
    return !run.failed;
}

enum err sync_job_start(
    const struct sync_job_config *config, struct sync_job **ret, struct fail *fail)
{
    bool sync = config->job == JOB_SYNC;
    if (!sync && str_is_null(config->settings->snapshots))
        return fail_set(
            fail, ERR_INVALID, "STOCKACT_SNAPSHOT_AT needs a folder: set STOCKACT_SNAPSHOTS");
    struct sync_job *job = MEM_NEW(struct sync_job);
    job->settings = config->settings;
    const struct daily_job_config daily = {
        .name = job_name(config->job),
        .minute = sync ? config->settings->sync_at : config->settings->snapshot_at,
        .node = config->node,
        .server = config->server,
        .writer = config->writer,
        .run = sync ? run_sync : run_snapshot,
        .ctx = job,
    };
    enum err err = daily_job_start(&daily, &job->daily, fail);
    if (err)
        mem_free(job);
    else
        *ret = job;
    return err;
}

void sync_job_stop(struct sync_job *job)
{
    if (!job)
        return;
    daily_job_stop(job->daily);
    mem_free(job);
}

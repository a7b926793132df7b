/* `stockact doctor`: whether everything that a server needs is there and fits, and what to do if
 * it is not. docs/operate.md, "When something is wrong". */
#include "cmd/operate/doctor.h"

#include <unistd.h>

#include "base/clock.h"
#include "cmd/operate/database_place.h"

/* In the order of the output. */
static const struct {
    const char *name;
    doctor_check_fn *run;
    const char *option; /* it runs only with this option; NULL: always */
    const char *late;   /* what to do if it does not end in time */
} checks[] = {
    {"settings", doctor_settings, NULL, "check the disks of the files that the settings name"},
    {"server", doctor_server, NULL, "check the load of this machine"},
    {"database", doctor_database, NULL, "check the network between this machine and the database"},
    {"database hosts", doctor_hosts, NULL,
     "check the network between this machine and the database"},
    {"redis", doctor_redis, NULL, "check the network between this machine and Redis"},
    {"mail", doctor_mail, NULL, "check the network between this machine and the mail server"},
    {"purge", doctor_purge, NULL, "check the network between this machine and the cache"},
    {"official sites", doctor_sites, "sites", "check this machine's connection to the internet"},
    {"files", doctor_files, NULL, "check the disks of the files that the settings name"},
    {"certificates", doctor_certificates, NULL,
     "check the disks of the files that the settings name"},
    {"disk", doctor_disk, NULL, "check the disk: it does not answer"},
    {"clock", doctor_clock, NULL, "check the load of this machine"},
    {"documents", doctor_documents, NULL, "check the load of this machine"},
};

enum { CHECK_COUNT = sizeof checks / sizeof *checks };

/* --- the run */

struct doctor_screen {
    struct out *out;
    struct arena arena;
    struct doctor_finding *fixes; /* for a table below, on a page */
    size_t fix_count, bad;
};

enum { FIXES_MAX = 64 };

static void put(void *ctx, const struct doctor_finding *f)
{
    static const char *const results[] = {
        [OUT_PLAIN] = "off",
        [OUT_GOOD] = "ok",
        [OUT_WAITING] = "-",
        [OUT_DOUBTFUL] = "warn",
        [OUT_BAD] = "fail"};
    struct doctor_screen *screen = ctx;
    struct out *out = screen->out;
    screen->bad += f->mood == OUT_BAD;
    out_begin(out, OUT_TABLE);
    out_str(out, "check", f->check);
    out_state(out, "result", str_from(results[f->mood]), f->mood);
    out_str(out, "found", f->found);
    if (!out_is_page(out)) /* a person gets a table of its own below */
        out_str(out, "fix", f->fix.n ? f->fix : STR_NULL);
    out_end(out);
    if (f->fix.n && screen->fixes && screen->fix_count < FIXES_MAX)
        screen->fixes[screen->fix_count++] = (struct doctor_finding){
            .check = arena_str(&screen->arena, f->check), .fix = arena_str(&screen->arena, f->fix)};
}

/* --- settings that are not valid */

static void put_refused(void *ctx, const char *reason)
{
    const struct doctor_finding f = {
        OUT_BAD, STR("settings"), str_from(reason),
        STR("correct the value; `man stockact.conf` explains each setting")};
    put(ctx, &f);
}

size_t doctor_list_refused(struct out *out, const struct options *options)
{
    struct doctor_screen screen = {.out = out};
    settings_each_refused(options, put_refused, &screen);
    return screen.bad;
}

/* --- all checks */

static void nothing(struct doctor *d)
{
}

void doctor_each(struct cmd *cmd, bool whole, doctor_finding_fn *fn, void *ctx)
{
    struct doctor d = {
        .cmd = cmd, .settings = cmd->settings, .whole = whole, .now_ms = clock_wall_ms()};
    struct doctor_child children[CHECK_COUNT];
    const char *ends[CHECK_COUNT];
    out_flush(cmd->out); /* a child must not have it too */
    for (size_t i = 0; i < CHECK_COUNT; i++) {
        bool on = !checks[i].option || (whole && options_given(cmd->options, checks[i].option));
        doctor_start(&d, on ? checks[i].run : nothing, &children[i]);
    }
    doctor_wait(children, CHECK_COUNT, DOCTOR_TIME_MAX_MS, ends);
    for (size_t i = 0; i < CHECK_COUNT; i++) {
        struct str said = buf_view(&children[i].said);
        struct doctor_finding f;
        while (doctor_next(&said, &f))
            fn(ctx, &f);
        f = (struct doctor_finding){
            OUT_BAD, str_from(checks[i].name), ends[i] ? str_from(ends[i]) : STR_NULL,
            str_from(checks[i].late)};
        if (ends[i])
            fn(ctx, &f);
        buf_finish(&children[i].said);
    }
}

/* Root could read everything, but would leave files behind that the service cannot use. */
static enum err check_user(struct cmd *cmd, struct fail *fail)
{
    char owner[FILE_OWNER_SIZE];
    return database_place_is_others(cmd->settings, true, owner)
               ? fail_set(
                     fail, ERR_REFUSED,
                     "the server works as the user %s, not as this one: run `sudo -u %s stockact "
                     "doctor`",
                     owner, owner)
               : OK;
}

enum err cmd_doctor(struct cmd *cmd, struct fail *fail)
{
    struct doctor_screen screen = {.out = cmd->out};
    TRY(check_user(cmd, fail));
    arena_init(&screen.arena);
    if (out_is_page(cmd->out))
        screen.fixes = ARENA_ARRAY(&screen.arena, struct doctor_finding, FIXES_MAX);
    doctor_each(cmd, true, put, &screen);
    for (size_t i = 0; i < screen.fix_count; i++) {
        out_begin(cmd->out, OUT_TABLE);
        out_str(cmd->out, "check", screen.fixes[i].check);
        out_str(cmd->out, "toFix", screen.fixes[i].fix);
        out_end(cmd->out);
    }
    arena_finish(&screen.arena);
    return screen.bad ? fail_set(
                            fail, ERR_REFUSED, "%zu %s failed: see above what to do", screen.bad,
                            screen.bad == 1 ? "check" : "checks")
                      : OK;
}

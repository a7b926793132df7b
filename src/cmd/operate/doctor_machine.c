/* What `stockact doctor` finds on this machine: settings, disk, clock, programs that read
 * documents. See doctor.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/timex.h>
#include <unistd.h>

#include "base/confine.h"
#include "base/memory_file.h"
#include "cmd/operate/config_checks.h"
#include "cmd/operate/doctor.h"
#include "cmd/operate/doctor_judge.h"
#include "cmd/operate/server_ask.h"
#include "paper/extract.h"

enum { TRIAL_BYTES = 1 << 20 };

/* --- settings */

/* What to do about a setting that is doubtful or wrong. */
static const struct {
    const char *check, *fix;
} setting_fixes[] = {
    {"environment", "correct the name of the variable, or unset it"},
    {"master key", "put the database's key into the file that STOCKACT_SECRET_KEY_FILE names "
                   "(docs/operate.md, \"Keys and secrets\")"},
    {"address", "set STOCKACT_TRUSTED_PROXIES, and STOCKACT_BASE_URL to the public address"},
    {"daily fetch", "set STOCKACT_SYNC_CONTACT to an e-mail address or a page of yours"},
};

static void say_setting(void *ctx, const char *what, enum out_mood mood, struct str text)
{
    struct str fix = STR_NULL;
    bool wrong = mood == OUT_BAD || mood == OUT_DOUBTFUL;
    for (size_t i = 0; wrong && i < sizeof setting_fixes / sizeof *setting_fixes; i++)
        if (str_eq(str_from(setting_fixes[i].check), str_from(what)))
            fix = str_from(setting_fixes[i].fix);
    if (wrong && str_find(text, STR("run chmod")) >= 0)
        fix = STR("run that command");
    doctor_say(ctx, what, mood, text, fix);
}

void doctor_settings(struct doctor *d)
{
    config_checks_for_doctor(d->cmd, say_setting, d);
}

/* --- the server of this machine, if one listens */

void doctor_server(struct doctor *d)
{
    const char *reason;
    struct str at = d->settings->listen;
    switch (server_ask(d->settings, "/readyz", NULL, &reason)) {
    case SERVER_READY:
        doctor_say(
            d, "server", OUT_GOOD, arena_fmt(&d->arena, "%.*s answers", STR_ARG(at)), STR_NULL);
        break;
    case SERVER_LOADING:
        doctor_say(
            d, "server", OUT_DOUBTFUL,
            arena_fmt(&d->arena, "%.*s is starting or stopping", STR_ARG(at)),
            STR("wait; the last lines of its log say how far it is"));
        break;
    case SERVER_SILENT:
        doctor_say(
            d, "server", OUT_BAD,
            arena_fmt(&d->arena, "%.*s does not answer: %s", STR_ARG(at), reason),
            STR("look at its log and at the load of this machine, and restart it"));
        break;
    case SERVER_NONE:
    case SERVER_OTHER:
    case SERVER_NOWHERE:
        break;
    }
}

/* --- disk */

/* The folder of the SQLite database, in full if it is there. */
static struct str data_folder(struct doctor *d)
{
    struct str path = settings_database_path(d->settings);
    size_t n = path.n;
    while (n && path.p[n - 1] != '/')
        n--;
    struct str folder = n ? arena_str(&d->arena, str_slice(path, 0, n)) : STR(".");
    MEM_FREED char *real = realpath(folder.p, NULL);
    if (real)
        folder = arena_str(&d->arena, str_from(real));
    return folder;
}

/* Writes to a file without a name; 0, or what the system said. A folder whose file system has no
 * such files is not tried. */
static int write_trial(const char *folder)
{
    static const char block[64 * 1024];
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600), error = 0;
    if (fd < 0)
        return errno == EOPNOTSUPP || errno == EISDIR ? 0 : errno;
    for (size_t n = 0; n < TRIAL_BYTES && !error; n += sizeof block) {
        ssize_t written = write(fd, block, sizeof block);
        error = written < 0 ? errno : written < (ssize_t)sizeof block ? ENOSPC : 0;
    }
    if (!error && fsync(fd) != 0)
        error = errno;
    close(fd);
    return error;
}

void doctor_disk(struct doctor *d)
{
    struct statvfs fs;
    if (!settings_embedded(d->settings))
        return; /* PostgreSQL's disk is on its own machine */
    struct str folder = data_folder(d);
    if (statvfs(folder.p, &fs) != 0) {
        doctor_say(
            d, "disk", OUT_BAD, arena_fmt(&d->arena, "%.*s: %s", STR_ARG(folder), strerror(errno)),
            STR("create the folder, or correct STOCKACT_DATABASE"));
        return;
    }
    doctor_say_room(d, folder, (int64_t)(fs.f_bavail * fs.f_frsize), write_trial(folder.p));
}

/* --- clock */

void doctor_clock(struct doctor *d)
{
    struct timex clock = {.modes = 0};
    if (d->settings->test_clock.n) {
        doctor_say(
            d, "clock", OUT_PLAIN, STR("a test clock is set: the machine's is not checked"),
            STR_NULL);
        return;
    }
    int result = adjtimex(&clock);
    doctor_say_kernel_clock(d, result < 0 ? -errno : result, clock.status, clock.maxerror);
}

/* --- documents */

/* One empty page. Its table of places is missing, which poppler rebuilds. */
static const char page[] = "%PDF-1.4\n"
                           "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
                           "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
                           "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>endobj\n"
                           "trailer<</Root 1 0 R/Size 4>>\n"
                           "%%EOF\n";

static enum err draw(struct extractor *x, struct fail *fail)
{
    BUF_SCOPED(picture, EXTRACT_PICTURE_SIZE_MAX);
    int fd = memory_file_create("page");
    if (fd < 0 || write(fd, page, sizeof page - 1) != (ssize_t)sizeof page - 1) {
        memory_file_close(fd);
        return fail_set(fail, ERR_IO, "cannot make a file in memory: %s", strerror(errno));
    }
    enum err err = extract_picture(x, fd, 1, &picture, fail);
    memory_file_close(fd);
    return err;
}

void doctor_documents(struct doctor *d)
{
    struct extractor *x = NULL;
    struct fail fail = {0};
    enum err err = extractor_create("/proc/self/exe", &x, &fail);
    if (!err)
        err = draw(x, &fail);
    extractor_destroy(x);
    doctor_say(
        d, "documents", err ? OUT_BAD : OUT_GOOD,
        err ? arena_str(&d->arena, str_from(fail.text))
            : STR("a PDF was read and drawn in a confined process"),
        err ? STR("install poppler-utils (Debian: apt install poppler-utils)") : STR_NULL);
    bool reads = extract_reads_texts();
    doctor_say(
        d, "scans", reads ? OUT_GOOD : OUT_PLAIN,
        reads ? STR("tesseract reads the texts of scanned reports")
              : STR("tesseract is not installed: people type the texts of scanned reports"),
        STR_NULL);
    /* last: nothing can be opened after it */
    struct confine_result result = confine(&(struct confine_needs){.paths = NULL});
    doctor_say_confinement(d, &result);
}

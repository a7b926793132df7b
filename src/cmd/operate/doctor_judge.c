/* Bounds and words; see doctor_judge.h. */
#include "cmd/operate/doctor_judge.h"

#include <stdlib.h>
#include <sys/timex.h>

#include "base/crypto.h"
#include "base/confine.h"
#include "base/disk.h"
#include "status/words.h"

enum {
    CLOCK_DOUBTFUL_MS = 2000, /* one time code of a second factor lasts 30 s */
    CLOCK_BAD_MS = 30000,
    CERTIFICATE_DOUBTFUL_DAYS = 14,
    MIB = 1 << 20,
    ROOM_BAD_MIB = 256,
    ROOM_DOUBTFUL_MIB = 2048,
};

/* --- clocks */

void doctor_say_clock(struct doctor *d, const char *check, int64_t theirs_ms, int64_t ours_ms)
{
    int64_t ahead = theirs_ms - ours_ms, off = llabs(ahead);
    enum out_mood mood = off > CLOCK_BAD_MS        ? OUT_BAD
                         : off > CLOCK_DOUBTFUL_MS ? OUT_DOUBTFUL
                                                   : OUT_GOOD;
    struct str found =
        mood == OUT_GOOD
            ? arena_fmt(&d->arena, "differs from this machine's by %lld ms", (long long)off)
            : arena_fmt(
                  &d->arena, "%lld.%lld s %s this machine's", (long long)(off / 1000),
                  (long long)(off % 1000 / 100), ahead > 0 ? "ahead of" : "behind");
    doctor_say(
        d, check, mood, found,
        mood == OUT_GOOD ? STR_NULL : STR("let NTP set the clocks of both machines"));
}

void doctor_say_kernel_clock(struct doctor *d, int result, int status, long error_max_us)
{
    if (result < 0)
        doctor_say(
            d, "clock", OUT_PLAIN,
            arena_fmt(
                &d->arena, "the kernel does not say whether NTP sets it: %s", strerror(-result)),
            STR_NULL);
    else if (status & STA_UNSYNC)
        doctor_say(
            d, "clock", OUT_DOUBTFUL, STR("the kernel says that NTP does not set it"),
            STR("install an NTP client, such as chrony or systemd-timesyncd, here or on the host"));
    else
        doctor_say(
            d, "clock", OUT_GOOD,
            arena_fmt(&d->arena, "NTP sets it; off by %ld ms at most", error_max_us / 1000),
            STR_NULL);
}

/* --- certificates */

static bool ends_soon(const struct doctor *d, int64_t ends_ms)
{
    return ends_ms < d->now_ms + (int64_t)CERTIFICATE_DOUBTFUL_DAYS * DAY_MS;
}

/* "valid until 2027-01-31, 68 days" */
static struct str until(struct doctor *d, int64_t ends_ms)
{
    char text[INSTANT_TEXT_SIZE];
    instant_print(ends_ms, text);
    struct str left = words_count(&d->arena, (ends_ms - d->now_ms) / DAY_MS, "day", "days");
    return arena_fmt(&d->arena, "valid until %.10s, %.*s", text, STR_ARG(left));
}

static struct str expired(struct doctor *d, const char *words, int64_t ends_ms)
{
    char text[INSTANT_TEXT_SIZE];
    instant_print(ends_ms, text);
    return arena_fmt(&d->arena, "%s on %.10s", words, text);
}

void doctor_say_certificate(struct doctor *d, const char *check, int64_t ends_ms)
{
    if (ends_ms == INSTANT_NONE)
        return;
    bool over = ends_ms <= d->now_ms;
    doctor_say(
        d, check,
        over                    ? OUT_BAD
        : ends_soon(d, ends_ms) ? OUT_DOUBTFUL
                                : OUT_GOOD,
        over ? expired(d, "expired", ends_ms) : until(d, ends_ms),
        ends_soon(d, ends_ms) ? STR("renew the certificate on that machine") : STR_NULL);
}

static void say_authorities(
    struct doctor *d, const char *check, const struct certificate_file *file, const char *path)
{
    struct str fix = arena_fmt(&d->arena, "put the new certificate into %s", path);
    if (!file->count)
        doctor_say(
            d, check, OUT_BAD, arena_fmt(&d->arena, "%s has no certificate in PEM", path),
            arena_fmt(&d->arena, "put the certificate of the authority into %s", path));
    else if (file->next_end_ms == INSTANT_NONE)
        doctor_say(
            d, check, OUT_BAD,
            expired(
                d, file->count > 1 ? "all its certificates have expired, the last" : "expired",
                file->newest_end_ms),
            fix);
    else
        doctor_say(
            d, check, ends_soon(d, file->next_end_ms) ? OUT_DOUBTFUL : OUT_GOOD,
            file->count > 1 ? arena_fmt(
                                  &d->arena, "%zu certificates, %zu expired, the next %.*s",
                                  file->count, file->over, STR_ARG(until(d, file->next_end_ms)))
                            : until(d, file->next_end_ms),
            ends_soon(d, file->next_end_ms) ? fix : STR_NULL);
}

void doctor_say_certificates(
    struct doctor *d, const char *check, struct str path, const char *setting)
{
    struct certificate_file file;
    struct fail fail = {0};
    struct str name = arena_str(&d->arena, path);
    if (certificate_file_read(name.p, d->now_ms, &file, &fail))
        doctor_say(
            d, check, OUT_BAD, arena_str(&d->arena, str_from(fail.text)),
            arena_fmt(&d->arena, "correct %s, or let this user read the file", setting));
    else
        say_authorities(d, check, &file, name.p);
}

/* --- this machine */

void doctor_say_room(struct doctor *d, struct str folder, int64_t left, int error)
{
    enum out_mood mood = error || left < (int64_t)ROOM_BAD_MIB * MIB ? OUT_BAD
                         : left < (int64_t)ROOM_DOUBTFUL_MIB * MIB   ? OUT_DOUBTFUL
                                                                     : OUT_GOOD;
    doctor_say(
        d, "disk", mood,
        error ? arena_fmt(&d->arena, "%.*s: %s", STR_ARG(folder), disk_reason(error))
              : arena_fmt(
                    &d->arena, "%.*s has %.*s left", STR_ARG(folder),
                    STR_ARG(words_bytes(&d->arena, left))),
        mood == OUT_GOOD ? STR_NULL
        : !error || disk_is_full(error)
            ? STR("make room, enlarge the disk, or raise the quota or limit")
            : STR("run this as the server's user, and check the mode and the mount of the folder"));
}

void doctor_say_confinement(struct doctor *d, const struct confine_result *result)
{
    doctor_say(
        d, "confinement", result->landlock ? OUT_GOOD : OUT_DOUBTFUL,
        result->landlock
            ? arena_fmt(&d->arena, "the kernel has Landlock, version %d", result->landlock)
            : STR("the kernel has no Landlock: the server and its children can open any file of "
                  "their user"),
        result->landlock ? STR_NULL : STR("use Linux 5.13 or newer, with Landlock enabled"));
}

/* --- answers */

static int by_time(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

struct str doctor_latency(struct doctor *d, int64_t *ns, size_t count, int64_t *ret_median_ns)
{
    qsort(ns, count, sizeof *ns, by_time);
    *ret_median_ns = ns[count / 2];
    if (*ret_median_ns < 100000)
        return STR("less than 0.1 ms");
    return arena_fmt(
        &d->arena, "%lld.%lld ms", (long long)(*ret_median_ns / 1000000),
        (long long)(*ret_median_ns / 100000 % 10));
}

/* Bounds on instants; see credible.h. */
#include "store/row/credible.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/instant.h"
#include "store/row/meta.h"

#define WITNESS STR("clock")

enum { BOOT_ID_SIZE = 36, TEXT_SIZE = 128 };

/* What is known of the time. */
struct credible {
    bool live;        /* there is a witness */
    int64_t now_ms;   /* the witness's */
    int64_t newest;   /* publication or entry of the log; INSTANT_NONE: none */
    int64_t limit_ms; /* the latest credible instant; INSTANT_NONE: nothing is known */
};

/* --- the boot clock, which runs on while the machine sleeps */

static int64_t boot_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_BOOTTIME, &t);
    return (int64_t)t.tv_sec * SECOND_MS + t.tv_nsec / 1000000;
}

/* Null: not readable. */
static struct str boot_id(char ret[static BOOT_ID_SIZE])
{
    int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, ret, BOOT_ID_SIZE);
    if (fd >= 0)
        close(fd);
    return n == BOOT_ID_SIZE ? str_of(ret, BOOT_ID_SIZE) : STR_NULL;
}

/* "BOOT-ID WALL-LESS-BOOT WALL", all as of the last heartbeat. */
static enum err read_witness(
    struct db *db, struct credible *ret, int64_t *ret_seen, struct fail *fail)
{
    char id[BOOT_ID_SIZE];
    ARENA_SCOPED(arena);
    struct str text = STR_NULL, boot, less;
    int64_t wall_less_boot;
    enum err err = meta_get(db, WITNESS, &arena, &text, fail);
    if (!err && str_split(&text, ' ', &boot) && str_split(&text, ' ', &less) &&
        str_to_i64(less, &wall_less_boot) && str_to_i64(text, ret_seen)) {
        ret->live = str_eq(boot, boot_id(id));
        ret->now_ms = wall_less_boot + boot_ms();
    }
    return err == ERR_NOT_FOUND ? OK : err;
}

/* --- bounds */

static enum err read_newest(struct db *db, struct credible *ret, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT (SELECT value FROM counter WHERE name = 'published_at'),"
        " (SELECT at FROM change_log ORDER BY seq DESC LIMIT 1)");
    if (query_row(&q)) {
        int64_t published = query_get_opt_i64(&q, 0, 0), logged = query_get_opt_i64(&q, 1, 0);
        int64_t newest = published > logged ? published : logged;
        ret->newest = newest > 0 ? newest : INSTANT_NONE;
    }
    return query_end(&q, fail);
}

static enum err look(struct db *db, int64_t now_ms, struct credible *ret, struct fail *fail)
{
    int64_t seen = INSTANT_NONE, database_ms = INSTANT_NONE;
    *ret = (struct credible){.limit_ms = INSTANT_NONE};
    TRY(read_newest(db, ret, fail));
    TRY(db_now_ms(db, INSTANT_NONE, &database_ms, fail));
    if (database_ms == INSTANT_NONE)
        TRY(read_witness(db, ret, &seen, fail));
    if (database_ms != INSTANT_NONE && !clock_database_follows()) {
        ret->live = true;
        ret->now_ms = database_ms;
    }
    int64_t known = seen > ret->newest ? seen : ret->newest;
    if (ret->live)
        ret->limit_ms = ret->now_ms + CREDIBLE_AHEAD_MS;
    else if (known != INSTANT_NONE) /* what is known may itself be of the future */
        ret->limit_ms = (known < now_ms ? known : now_ms) + clock_unwitnessed_ms();
    return OK;
}

enum err credible_now(struct db *db, int64_t *now_ms, struct fail *fail)
{
    struct credible c;
    TRY(clock_unwitnessed_ms() ? look(db, *now_ms, &c, fail) : OK);
    if (clock_unwitnessed_ms() && c.live && c.now_ms < *now_ms)
        *now_ms = c.now_ms;
    return OK;
}

enum err credible_future(struct db *db, int64_t now_ms, int64_t *ret, struct fail *fail)
{
    struct credible c = {.newest = INSTANT_NONE};
    TRY(credible_now(db, &now_ms, fail));
    TRY(read_newest(db, &c, fail));
    bool future = c.newest != INSTANT_NONE && c.newest > now_ms + CREDIBLE_AHEAD_MS;
    *ret = future ? c.newest : INSTANT_NONE;
    return OK;
}

static enum err refuse(const struct credible *c, int64_t at, bool is_clock, struct fail *fail)
{
    char text[INSTANT_TEXT_SIZE];
    instant_print(at, text);
    if (!is_clock)
        return fail_set(
            fail, ERR_REFUSED,
            "the newest publication or correction has the time %s, which is in the future: run "
            "`stockact redate`",
            text);
    return fail_set(
        fail, ERR_REFUSED,
        c->live ? "the clock of this machine shows %s, and is ahead of the database's or the "
                  "server's: set it right, or give the right time with --at and --reason"
                : "the clock of this machine shows %s, long after the newest publication and "
                  "heartbeat: set it right, or give the right time with --at and --reason",
        text);
}

enum err credible_check(struct db *db, int64_t now_ms, struct fail *fail)
{
    struct credible c;
    if (!clock_unwitnessed_ms())
        return OK;
    enum err err = look(db, now_ms, &c, fail);
    if (err || c.limit_ms == INSTANT_NONE)
        return err;
    if (now_ms > c.limit_ms)
        return refuse(&c, now_ms, true, fail);
    return c.newest > c.limit_ms ? refuse(&c, c.newest, false, fail) : OK;
}

/* --- a server's heartbeat */

static enum err write_witness(
    struct db *db, const struct credible_witness *w, int64_t now_ms, struct fail *fail)
{
    char id[BOOT_ID_SIZE], text[TEXT_SIZE];
    struct buf b = buf_over(text, sizeof text);
    struct str boot = boot_id(id);
    buf_fmt(
        &b, "%.*s %lld %lld", STR_ARG(str_is_null(boot) ? STR("-") : boot),
        (long long)w->wall_less_boot_ms, (long long)now_ms);
    return meta_set(db, WITNESS, buf_view(&b), fail);
}

/* A server that starts is believed within the bound that holds without a witness: a person may have
 * set the clock right and started it again. */
static enum err begin(
    struct db *db, struct credible_witness *w, int64_t now_ms, int64_t less_ms, struct fail *fail)
{
    struct credible c;
    int64_t seen = INSTANT_NONE;
    enum err err = read_newest(db, &c, fail);
    if (!err)
        err = read_witness(db, &c, &seen, fail);
    int64_t known = seen > c.newest ? seen : c.newest;
    if (!err && (known == INSTANT_NONE || now_ms - known <= clock_unwitnessed_ms()))
        w->wall_less_boot_ms = less_ms;
    return err;
}

enum err credible_beat(
    struct db *db, struct credible_witness *w, int64_t now_ms, int64_t *ret, struct fail *fail)
{
    int64_t less_ms = now_ms - boot_ms(), unused;
    *ret = INSTANT_NONE;
    if (db_kind(db) != DB_SQLITE || clock_database_file_ms(&unused) || !clock_unwitnessed_ms())
        return OK;
    enum err err = w->wall_less_boot_ms == INSTANT_NONE ? begin(db, w, now_ms, less_ms, fail) : OK;
    if (err || w->wall_less_boot_ms == INSTANT_NONE)
        return err;
    if (less_ms < w->wall_less_boot_ms) /* the clock was set back */
        w->wall_less_boot_ms = less_ms;
    *ret = now_ms - (less_ms - w->wall_less_boot_ms);
    return write_witness(db, w, *ret, fail);
}

/* What `stockact doctor` finds at the database; see doctor.h. */
#include "base/clock.h"
#include "cmd/operate/doctor.h"
#include "cmd/operate/doctor_judge.h"
#include "cmd/operate/store_access.h"
#include "db/db_certificate.h"
#include "db/migrate.h"
#include "serve/loading.h"
#include "status/list_age.h"
#include "status/words.h"
#include "store/public/publication.h"
#include "store/public/redate.h"
#include "store/run/vitals.h"

enum { SESSIONS_OF_SERVER = 15 }; /* docs/operate.md, "Several servers" */

/* What to do about an error of the database. */
static const struct {
    enum err err;
    const char *fix;
} fixes[] = {
    {ERR_NOT_FOUND, "create it with `stockact setup`, or correct STOCKACT_DATABASE"},
    {ERR_UNAVAILABLE, "start PostgreSQL, or correct STOCKACT_DATABASE: host, user and password; of "
                      "an SQLite file, check its place and its disk"},
    {ERR_TIMEOUT, "check the load of PostgreSQL and the network"},
    {ERR_BUSY, "another command is writing: wait until it ends"},
    {ERR_FULL, "make room on the disk of the database"},
    {ERR_CORRUPT, "run `stockact check`, and restore a backup if it fails"},
    {ERR_IO, "check the disk of the database; with PostgreSQL, its log and the role's rights"},
    {ERR_INVALID, "correct STOCKACT_DATABASE"},
    {ERR_REFUSED,
     "do what the message says; if a right is missing, connect as the owner of the schema"},
};

static void say_error(struct doctor *d, const char *check, enum err err, const struct fail *fail)
{
    struct str fix = STR("do what the message says");
    for (size_t i = 0; i < sizeof fixes / sizeof *fixes; i++)
        if (fixes[i].err == err)
            fix = str_from(fixes[i].fix);
    doctor_say(
        d, check, err == ERR_BUSY ? OUT_DOUBTFUL : OUT_BAD,
        arena_str(&d->arena, str_from(fail->text)), fix);
}

static void say_latency(struct doctor *d, struct db *db)
{
    int64_t ns[DOCTOR_TRIALS], median = 0;
    struct fail fail = {0};
    enum err err = OK;
    for (size_t i = 0; i < DOCTOR_TRIALS && !err; i++) {
        int64_t before = clock_mono_ns();
        err = vitals_ask(db, &fail);
        ns[i] = clock_mono_ns() - before;
    }
    if (err) {
        say_error(d, "database answers", err, &fail);
        return;
    }
    struct str text = doctor_latency(d, ns, DOCTOR_TRIALS, &median);
    bool slow = median > DOCTOR_SLOW_NS;
    doctor_say(
        d, "database answers", slow ? OUT_DOUBTFUL : OUT_GOOD,
        arena_fmt(&d->arena, "in %.*s, the median of %d", STR_ARG(text), DOCTOR_TRIALS),
        slow ? STR("run the server closer to the database: a write waits for many answers")
             : STR_NULL);
}

static void say_writes(struct doctor *d, struct db *db, bool standby)
{
    struct fail fail = {0};
    if (standby) {
        doctor_say(
            d, "database writes", OUT_BAD, STR("this is a standby, which accepts no writes"),
            STR("name the primary; with several hosts, add target_session_attrs=read-write"));
        return;
    }
    int64_t wait_ms = -1;
    enum err err = vitals_try_write(db, &fail);
    if (!err)
        err =
            vitals_commit_wait(db, &wait_ms, &fail); /* a write that is taken back does not wait */
    if (err)
        say_error(d, "database writes", err, &fail);
    else if (wait_ms >= 0)
        doctor_say(
            d, "database writes", OUT_BAD,
            wait_ms < SECOND_MS
                ? STR("changes wait for a standby, and none is connected")
                : arena_fmt(
                      &d->arena, "changes wait for a standby, the oldest for %lld s",
                      (long long)(wait_ms / SECOND_MS)),
            STR("start the standby; to go on without it, run ALTER SYSTEM RESET "
                "synchronous_standby_names and SELECT pg_reload_conf() on the primary"));
    else
        doctor_say(d, "database writes", OUT_GOOD, STR("it accepts writes"), STR_NULL);
}

static void say_sessions(struct doctor *d, int64_t left)
{
    if (left < 0)
        return;
    bool few = left < SESSIONS_OF_SERVER;
    doctor_say(
        d, "database sessions", few ? OUT_DOUBTFUL : OUT_GOOD,
        arena_fmt(
            &d->arena, "%lld are left; one more server uses up to %d", (long long)left,
            SESSIONS_OF_SERVER),
        few ? STR("raise max_connections, or the limit of the database, before you start one")
            : STR_NULL);
}

static void say_memory(struct doctor *d, struct db *db)
{
    struct fail fail = {0};
    int64_t trades = 0;
    struct memory_room room = memory_room("");
    if (publication_trades(db, &trades, &fail))
        return; /* another check says why */
    int64_t need = loading_bytes(trades);
    enum out_mood mood = need > room.limit           ? OUT_BAD
                         : need > room.limit / 4 * 3 ? OUT_DOUBTFUL
                                                     : OUT_GOOD;
    doctor_say(
        d, "memory", mood,
        arena_fmt(
            &d->arena, "%.*s need about %.*s; %.*s of %.*s are free here",
            STR_ARG(words_count(&d->arena, trades, "trade", "trades")),
            STR_ARG(words_bytes(&d->arena, need)), STR_ARG(words_bytes(&d->arena, room.left)),
            STR_ARG(words_bytes(&d->arena, room.limit))),
        mood == OUT_GOOD
            ? STR_NULL
            : STR("raise the limit of the service or container, or use a larger machine"));
}

static void look(struct doctor *d, struct db *db)
{
    struct vitals v;
    struct fail fail = {0};
    say_latency(d, db);
    int64_t before = clock_wall_ms();
    enum err err = vitals_read(db, &v, &fail);
    int64_t after = clock_wall_ms();
    if (err) {
        say_error(d, "database", err, &fail);
        return;
    }
    say_writes(d, db, v.standby);
    say_sessions(d, v.sessions_left);
    say_memory(d, db);
    if (v.clock_ms != INSTANT_NONE)
        doctor_say_clock(d, "database clock", v.clock_ms, before + (after - before) / 2);
    doctor_say_certificate(d, "database certificate", db_certificate_ends(db));
}

static void say_lists(struct doctor *d, struct db *db)
{
    struct list_ages ages;
    struct fail fail = {0};
    int32_t today = instant_day_utc(clock_wall_ms());
    enum err err = list_ages_read(db, &d->arena, &ages, &fail);
    if (err)
        say_error(d, "lists", err, &fail);
    for (enum list_kind kind = 0; kind < LIST_KIND_COUNT && !err; kind++) {
        const struct list_bound *bound = list_bound_of(kind);
        bool old = list_is_old(&ages, kind, today);
        if (ages.days[kind] != DAY_NONE)
            doctor_say(
                d, arena_fmt(&d->arena, "list of %.*s", STR_ARG(bound->name)).p,
                old ? OUT_DOUBTFUL : OUT_GOOD, list_age_text(&d->arena, &ages, kind, today),
                old ? arena_fmt(
                          &d->arena, "import a newer one: `stockact %.*s --help` says how",
                          STR_ARG(bound->command))
                    : STR_NULL);
    }
}

static void say_times(struct doctor *d, struct db *db)
{
    char last[INSTANT_TEXT_SIZE];
    struct redate_found found;
    struct fail fail = {0};
    enum err err = redate_find(db, clock_wall_ms(), &found, &fail);
    if (err) {
        say_error(d, "stored times", err, &fail);
        return;
    }
    if (found.count)
        instant_print(found.last, last);
    doctor_say(
        d, "stored times", found.count ? OUT_BAD : OUT_GOOD,
        found.count ? arena_fmt(
                          &d->arena, "%lld are in the future, up to %.*s", (long long)found.count,
                          (int)sizeof last, last)
                    : STR("none is in the future"),
        found.count ? STR("set the clock, then run `stockact redate --reason TEXT`") : STR_NULL);
}

void doctor_database(struct doctor *d)
{
    DB_SCOPED(db);
    struct fail fail = {0};
    enum err err = store_access_open(d->cmd, STORE_WRITE, &db, &fail);
    if (err) {
        say_error(d, "database", err, &fail);
        return;
    }
    struct str name = db_name(db);
    doctor_say(
        d, "database", OUT_GOOD,
        arena_fmt(&d->arena, "%.*s, schema %d", STR_ARG(name), migrate_latest()), STR_NULL);
    look(d, db);
    say_lists(d, db);
    say_times(d, db);
}

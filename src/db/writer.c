/*
 * The writing thread; see writer.h.
 *
 *     posted -> waiting[class] -> group (at most group_max of one class)
 *            -> run, each under its savepoint -> commit -> committed() -> done()
 */
#include "db/writer.h"

#include <assert.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "db/store.h"

/* Reserved disk space. */

struct ballast {
    struct arena arena;
    struct str database; /* the real path if the name is a link */
    struct str path;
    bool held;           /* the file exists and its blocks are allocated */
    int64_t tried_at_ms; /* monotonic: when it could last not be created */
};

enum { RETRY_MS = 2000 };

/* Checks the allocated blocks too: a sparse file reserves nothing. */
static bool is_there(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == BALLAST_SIZE &&
           (int64_t)st.st_blocks * 512 >= BALLAST_SIZE;
}

/* Creating the file must not fill the disk. */
static bool has_room(const char *beside)
{
    struct statvfs fs;
    return statvfs(beside, &fs) == 0 &&
           (uint64_t)fs.f_bavail * fs.f_frsize >= 2 * (uint64_t)BALLAST_SIZE;
}

/* Allocates twice the size first: statvfs knows nothing of a quota. */
static bool make(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    bool made =
        posix_fallocate(fd, 0, 2 * (off_t)BALLAST_SIZE) == 0 && ftruncate(fd, BALLAST_SIZE) == 0;
    close(fd);
    if (!made)
        unlink(path);
    return made;
}

static bool hold(const struct ballast *b)
{
    return is_there(b->path.p) || (has_room(b->database.p) && make(b->path.p));
}

/* Uses the existing file, or creates it. NULL: not an SQLite database. */
static struct ballast *ballast_create(const struct db *db)
{
    if (db_kind(db) != DB_SQLITE)
        return NULL;
    struct ballast *b = MEM_NEW(struct ballast);
    arena_init(&b->arena);
    char *real = realpath(db_name(db).p, NULL);
    b->database = real ? arena_str(&b->arena, str_from(real)) : db_name(db);
    b->path = arena_fmt(&b->arena, "%.*s.ballast", STR_ARG(b->database));
    free(real);
    b->held = hold(b);
    if (!b->held)
        log_line(
            LOG_WARN, "no room on the disk for the reserve that is released when it is full",
            LOG_S("file", b->path), LOG_I("bytes", BALLAST_SIZE));
    return b;
}

/* keeps the file; NULL is ignored */
static void ballast_destroy(struct ballast *b)
{
    if (!b)
        return;
    arena_finish(&b->arena);
    mem_free(b);
}

/* Call when the disk is full. False: there was nothing to release. NULL is ignored. */
static bool ballast_release(struct ballast *b)
{
    if (!b || !b->held)
        return false;
    b->held = false;
    bool released = unlink(b->path.p) == 0;
    log_line(
        LOG_WARN,
        released ? "the disk is full, its reserve is released"
                 : "the disk is full, its reserve was gone",
        LOG_S("file", b->path), LOG_I("bytes", BALLAST_SIZE));
    return released;
}

/* Creates the file again if it was released and there is room. Call after each commit: an attempt
 * that fails, which may use a quota up for a moment, is repeated after two seconds. NULL is
 * ignored. */
static void ballast_restore(struct ballast *b)
{
    if (!b || b->held || clock_mono_ms() - b->tried_at_ms < RETRY_MS)
        return;
    b->held = hold(b);
    b->tried_at_ms = b->held ? 0 : clock_mono_ms();
    if (!b->held)
        return;
    log_line(LOG_INFO, "the disk has room, its reserve is made again", LOG_S("file", b->path));
}

enum { PASSED_MAX = 32 };

/* A job lives from writer_post until its done returns. It is in one queue or in the group. */
struct job {
    struct job *next;
    writer_run *run;
    writer_done *done;
    void *ctx;
    enum err err;
    struct fail fail;
};

struct queue {
    struct job *first;
    struct job **end;
    size_t count;
};

struct writer {
    struct db *db;
    size_t group_max;
    struct ballast *ballast; /* owned by the thread; NULL: none */
    void (*committed)(void *ctx);
    void *ctx;
    pthread_t thread;

    pthread_mutex_t lock; /* guards the members below */
    pthread_cond_t posted;
    struct queue waiting[WRITER_CLASS_COUNT];
    unsigned passed[WRITER_CLASS_COUNT]; /* groups of other classes since it has waiting jobs */
    bool stopping;

    _Atomic uint64_t commits, jobs, failed;
    _Atomic size_t waiting_count;
};

static void queue_add(struct queue *q, struct job *job)
{
    *q->end = job;
    q->end = &job->next;
    q->count++;
}

/* Takes the first jobs of a queue, at most `max`. */
static struct job *queue_take(struct queue *q, size_t max, size_t *ret_count)
{
    struct job *group = q->first, **end = &q->first;
    size_t n = 0;
    for (; *end && n < max; n++)
        end = &(*end)->next;
    q->first = *end;
    if (!q->first)
        q->end = &q->first;
    *end = NULL;
    q->count -= n;
    *ret_count = n;
    return group;
}

/* Running a group */

static enum err run_job(struct db *db, struct job *job, struct fail *fail)
{
    TRY(db_savepoint(db, fail));
    job->err = job->run(db, job->ctx, &job->fail);
    if (!job->err)
        job->err = db_savepoint_release(db, &job->fail);
    return job->err ? db_savepoint_rollback(db, fail) : OK;
}

/* True if certainly nothing was committed, so that the process may go on. */
static bool is_plain_failure(enum err err)
{
    return err == ERR_FULL || err == ERR_BUSY || err == ERR_UNAVAILABLE || err == ERR_TIMEOUT;
}

/* Commits the jobs that succeeded. A result other than OK is the result of every job. */
static enum err run_group(struct writer *w, struct job *group, struct fail *fail)
{
    enum err err = db_begin(w->db, fail);
    if (err)
        return err;
    enum err worst = OK; /* of the jobs that could not be rolled back alone */
    for (struct job *job = group; job && !err; job = job->next) {
        err = run_job(w->db, job, fail);
        if (err && job->err)
            worst = job->err;
    }
    if (err) {
        db_rollback(w->db);
        return worst ? worst : err;
    }
    err = db_commit(w->db, fail);
    if (err && !is_plain_failure(err)) {
        log_line(
            LOG_ERROR, "commit failed; what is on the disk is unknown",
            LOG_S("reason", str_from(fail->text)));
        log_stop();
        abort();
    }
    return err;
}

static void finish_group(struct writer *w, struct job *group, enum err err, const struct fail *fail)
{
    for (struct job *job = group, *next; job; job = next) {
        next = job->next;
        if (err) { /* the whole group failed */
            job->err = err;
            job->fail = *fail;
        }
        atomic_fetch_add(&w->jobs, 1);
        atomic_fetch_add(&w->failed, job->err != OK);
        if (job->done)
            job->done(job->ctx, job->err, &job->fail);
        mem_free(job);
    }
}

/* The class to serve next: the first that has jobs, or one that was passed over too often.
 * WRITER_CLASS_COUNT: none has. */
static int next_class(struct writer *w)
{
    int next = WRITER_CLASS_COUNT;
    for (int class = WRITER_CLASS_COUNT - 1; class >= 0; class --)
        if (w->waiting[class].count)
            next = class;
    for (int class = 0; class < WRITER_CLASS_COUNT; class ++)
        if (w->waiting[class].count && w->passed[class] >= PASSED_MAX)
            next = class;
    for (int class = 0; class < WRITER_CLASS_COUNT; class ++)
        w->passed[class] = class != next && w->waiting[class].count ? w->passed[class] + 1 : 0;
    return next;
}

/* The group to run next; NULL: stopping, and all queues are empty. */
static struct job *wait_for_group(struct writer *w)
{
    struct job *group = NULL;
    size_t n = 0;
    pthread_mutex_lock(&w->lock);
    for (;;) {
        int class = next_class(w);
        if (class < WRITER_CLASS_COUNT)
            group = queue_take(&w->waiting[class], w->group_max, &n);
        if (group || w->stopping)
            break;
        pthread_cond_wait(&w->posted, &w->lock);
    }
    pthread_mutex_unlock(&w->lock);
    atomic_fetch_sub(&w->waiting_count, n);
    return group;
}

static bool met_full_disk(const struct job *group, enum err err)
{
    for (const struct job *job = group; job && err != ERR_FULL; job = job->next)
        err = job->err;
    return err == ERR_FULL;
}

/* Lets the log be checkpointed into the database file and truncated. Without a reserve to release,
 * a checkpoint that waits for nobody still helps if the log has reached a file-size limit: the next
 * commit begins the log again. A failed checkpoint changes nothing: a later commit tries again. */
static void make_room(struct writer *w)
{
    struct fail fail = {OK};
    if (db_kind(w->db) != DB_SQLITE)
        return;
    bool released = ballast_release(w->ballast);
    enum err err = db_exec(
        w->db, released ? "PRAGMA wal_checkpoint(TRUNCATE)" : "PRAGMA wal_checkpoint(PASSIVE)",
        &fail);
    if (err && released)
        log_line(
            LOG_WARN, "the write-ahead log keeps its size", LOG_S("reason", str_from(fail.text)));
}

static void *writer_thread(void *arg)
{
    struct writer *w = arg;
    for (struct job *group; (group = wait_for_group(w));) {
        struct fail fail = {OK};
        enum err err = run_group(w, group, &fail);
        if (met_full_disk(group, err))
            make_room(w);
        else if (!err)
            ballast_restore(w->ballast);
        if (!err) {
            atomic_fetch_add(&w->commits, 1);
            if (w->committed)
                w->committed(w->ctx);
        }
        finish_group(w, group, err, &fail);
    }
    return NULL;
}

static void release(struct writer *w)
{
    ballast_destroy(w->ballast);
    db_close(w->db);
    pthread_cond_destroy(&w->posted);
    pthread_mutex_destroy(&w->lock);
    mem_free(w);
}

enum err writer_start(const struct writer_config *config, struct writer **ret, struct fail *fail)
{
    struct db *db;
    TRY(store_open(config->url, STORE_WRITE, &db, fail));
    struct writer *w = MEM_NEW(struct writer);
    w->db = db;
    w->group_max = db_kind(db) == DB_SQLITE ? WRITER_GROUP_MAX : 1;
    w->ballast = config->reserve ? ballast_create(db) : NULL;
    w->committed = config->committed;
    w->ctx = config->ctx;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->posted, NULL);
    for (int class = 0; class < WRITER_CLASS_COUNT; class ++)
        w->waiting[class].end = &w->waiting[class].first;
    enum err err = thread_start(&w->thread, writer_thread, w, "writing to the database", fail);
    if (err) {
        release(w);
        return err;
    }
    *ret = w;
    return OK;
}

void writer_stop(struct writer *w)
{
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    w->stopping = true;
    pthread_cond_signal(&w->posted);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    release(w);
}

/* Posting */

enum err writer_post(
    struct writer *w, enum writer_class class, writer_run *run, writer_done *done, void *ctx)
{
    assert(class < WRITER_CLASS_COUNT);
    struct queue *queue = &w->waiting[class];
    enum err err = OK;
    LOCKED(&w->lock);
    if (w->stopping)
        err = ERR_UNAVAILABLE;
    else if (queue->count >= WRITER_QUEUE_MAX)
        err = ERR_BUSY;
    if (!err) {
        struct job *job = MEM_NEW(struct job);
        job->run = run;
        job->done = done;
        job->ctx = ctx;
        queue_add(queue, job);
        atomic_fetch_add(&w->waiting_count, 1);
        pthread_cond_signal(&w->posted);
    }
    return err;
}

/* A caller that waits for its job. */
struct writer_call {
    writer_run *run;
    void *ctx;
    struct fail *fail;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool is_ended;
    enum err err;
};

static enum err call_run(struct db *db, void *ctx, struct fail *fail)
{
    struct writer_call *call = ctx;
    return call->run(db, call->ctx, fail);
}

static void call_done(void *ctx, enum err err, const struct fail *fail)
{
    struct writer_call *call = ctx;
    LOCKED(&call->lock);
    call->err = err;
    if (err && call->fail)
        *call->fail = *fail;
    call->is_ended = true;
    pthread_cond_signal(&call->ended);
}

enum err writer_call(
    struct writer *w, enum writer_class class, writer_run *run, void *ctx, struct fail *fail)
{
    assert(!pthread_equal(pthread_self(), w->thread));
    struct writer_call call = {.run = run, .ctx = ctx, .fail = fail};
    pthread_mutex_init(&call.lock, NULL);
    pthread_cond_init(&call.ended, NULL);
    enum err err = writer_post(w, class, call_run, call_done, &call);
    if (err) {
        (void)fail_set(
            fail, err,
            err == ERR_BUSY ? "too much is waiting to be written" : "the server is stopping");
    } else {
        pthread_mutex_lock(&call.lock);
        while (!call.is_ended)
            pthread_cond_wait(&call.ended, &call.lock);
        err = call.err;
        pthread_mutex_unlock(&call.lock);
    }
    pthread_cond_destroy(&call.ended);
    pthread_mutex_destroy(&call.lock);
    return err;
}

struct writer_stats writer_stats(const struct writer *w)
{
    return (struct writer_stats){
        .commits = atomic_load(&w->commits),
        .jobs = atomic_load(&w->jobs),
        .failed = atomic_load(&w->failed),
        .waiting = atomic_load(&w->waiting_count),
    };
}

/*
 * Starts the parts of the server in the order of their dependencies, and stops them in reverse.
 *
 *     confinement -> log -> store (lock, migrate) -> master key
 *     -> memory (feed, keys, month counts) -> writer -> follower -> webhooks -> HTTP
 *     -> daily jobs -> ready
 *
 * After the start, the main thread only waits for a signal and triggers the write-back of counts.
 * On SIGTERM and SIGINT the server accepts no connections, starts no deliveries, finishes requests
 * and deliveries in flight, writes all counts and exits with 0 within 12 s. If counts cannot be
 * written, they are lost and the exit status is 1.
 */
#include "serve/serve.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "account/password.h"
#include "api/api.h"
#include "api/metrics.h"
#include "base/buf.h"
#include "base/build.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "db/db.h"
#include "db/store.h"
#include "db/writer.h"
#include "edge/metric.h"
#include "feed/feed.h"
#include "http/server.h"
#include "rule/invented.h"
#include "serve/alert_job.h"
#include "serve/daily_on.h"
#include "serve/figures.h"
#include "serve/follow.h"
#include "serve/loading.h"
#include "serve/sample_job.h"
#include "serve/serve_confine.h"
#include "serve/serve_purge.h"
#include "serve/serve_secrets.h"
#include "serve/serve_webhooks.h"
#include "serve/service_manager.h"
#include "serve/sweep_job.h"
#include "serve/sync_job.h"
#include "serve/writeback.h"
#include "site/site.h"
#include "status/condition.h"
#include "store/check/chain_check.h"
#include "store/desk/draft_tally.h"
#include "store/row/meta.h"
#include "store/row/node.h"

/*
 * Counts the doubts of scans in the reviewers' queue again, after the start of a server: earlier
 * versions counted fewer (store/desk/draft_tally.h). It runs in the lowest class of the writer, a
 * few drafts in each transaction, and writes only what is wrong. */

struct recount {
    struct writer *writer;
    int64_t after; /* drafts up to this number are right */
    bool more;
};

static enum err recount_run(struct db *db, void *ctx, struct fail *fail)
{
    struct recount *r = ctx;
    int64_t after = r->after;
    TRY(draft_tally_again(db, &after, &r->more, fail));
    r->after = after;
    return OK;
}

static void recount_go_on(void *ctx, enum err err, const struct fail *fail);

static void recount_post(struct recount *r)
{
    /* A writer that stops takes no more jobs: the next server goes on. */
    enum err ignored = writer_post(r->writer, WRITER_SWEEP, recount_run, recount_go_on, r);
    (void)ignored;
}

static void recount_go_on(void *ctx, enum err err, const struct fail *fail)
{
    struct recount *r = ctx;
    if (err)
        log_line(
            LOG_WARN, "cannot count the doubts of scans again: the next start of a server will",
            LOG_S("reason", str_from(fail->text)));
    else if (r->more)
        recount_post(r);
}

/* Returns at once. `r` and the writer are borrowed until writer_stop, which ends the work. */
static void recount_start(struct recount *r, struct writer *writer)
{
    *r = (struct recount){.writer = writer};
    recount_post(r);
}

/* Reports published rows that the database gives back otherwise than they were published: lines of
 * the log and counts for /metrics. */

struct damage {
    const struct feed *feed;
    int64_t load;  /* the load that `lines` is about; used by the writer of the feed only */
    int64_t lines; /* logged in it */
    _Atomic int64_t chain_findings;
};

enum { LINES_MAX = 20 }; /* of one load */

static void damage_note(void *ctx, const struct feed_damage *damage)
{
    struct damage *d = ctx;
    int64_t load = feed_stats(d->feed).loads;
    if (load != d->load)
        d->lines = 0;
    d->load = load;
    if (++d->lines == LINES_MAX)
        log_line(LOG_ERROR, "more published rows are damaged and not served: run `stockact check`");
    if (d->lines >= LINES_MAX)
        return;
    log_line(
        LOG_ERROR, "a published row is damaged and not served",
        LOG_S("what", str_from(damage->what)), LOG_S("row", damage->id),
        LOG_I("publication", damage->publication_no), LOG_I("count", damage->count));
}

/* From now on each load of the feed logs the rows that it leaves out: the first ones by name, and
 * then that there are more. */
static void damage_watch(struct damage *d, struct feed *feed)
{
    d->feed = feed;
    d->load = -1;
    feed_on_damage(feed, damage_note, d);
}

static void note_finding(void *ctx, struct str what)
{
    struct damage *d = ctx;
    if (atomic_fetch_add(&d->chain_findings, 1) < LINES_MAX)
        log_line(
            LOG_ERROR, "the chain over publications is broken: run `stockact check`",
            LOG_S("finding", what));
}

/* Verifies the entries of the chain over publications since the last checkpoint, and logs each
 * finding. A finding does not stop the server: rows that match their digests are served. */
static void damage_check_chain(struct damage *d, struct db *db)
{
    struct fail fail = {0};
    int64_t findings;
    atomic_store(&d->chain_findings, 0);
    if (chain_check_new(db, note_finding, d, &findings, &fail))
        log_line(
            LOG_ERROR, "cannot verify the chain over publications",
            LOG_S("reason", str_from(fail.text)));
}

static void damage_put_metrics(const struct damage *d, struct buf *b)
{
    metrics_put(b, METRIC_CHAIN_FINDINGS, (uint64_t)atomic_load(&d->chain_findings));
}

/* Metrics of the process and of its connection to the database. */

enum { STATM_SIZE = 200, MS_NS = 1000000 };

static int64_t processor_ms(void)
{
    struct timespec used;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used))
        return 0;
    return (int64_t)used.tv_sec * SECOND_MS + used.tv_nsec / MS_NS;
}

/* The second number of the file is the count of pages. -1: not known. */
static int64_t resident_bytes(void)
{
    char line[STATM_SIZE] = "", *end;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file)
        return -1;
    bool read = fgets(line, sizeof line, file);
    fclose(file);
    strtoll(line, &end, 10);
    return read ? strtoll(end, NULL, 10) * sysconf(_SC_PAGESIZE) : -1;
}

/* Version, start (`started_at`, by the wall clock), processor time and memory. */
static void serve_metrics_put_process(struct buf *b, int64_t started_at)
{
    int64_t resident = resident_bytes();
    metrics_put_type(b, METRIC_BUILD_INFO);
    metrics_put_sample(b, METRIC_BUILD_INFO, METRIC_LABELS(build.version), 1);
    metrics_put_ms(b, METRIC_PROCESS_CPU, processor_ms());
    if (resident >= 0)
        metrics_put(b, METRIC_PROCESS_MEMORY, (uint64_t)resident);
    metrics_put(b, METRIC_PROCESS_START, (uint64_t)(started_at / SECOND_MS));
}

/* Whether the database answers, and the work of the writer. */
static void serve_metrics_put_store(
    struct buf *b, const struct follow *follow, const struct writer *writer)
{
    int64_t lag_ms = follow_lag_ms(follow);
    struct writer_stats stats = writer_stats(writer);
    metrics_put(b, METRIC_DATABASE_UP, lag_ms == 0);
    metrics_put_ms(b, METRIC_FEED_LAG, lag_ms);
    metrics_put_difference(b, METRIC_CLOCK_AHEAD, follow_clock_ahead_ms(follow));
    metrics_put(b, METRIC_STORE_ERRORS, follow_errors(follow) + stats.failed);
    metrics_put(b, METRIC_WRITER_COMMITS, stats.commits);
    metrics_put(b, METRIC_WRITER_WAITING, stats.waiting);
}

/* The signals of a server: SIGTERM and SIGINT stop it, SIGHUP is ignored. */

struct fail;

/* Blocks SIGTERM and SIGINT before the first thread starts: only serve_signals_wait receives them.
 */
static void serve_signals_block(sigset_t *ret)
{
    sigemptyset(ret);
    sigaddset(ret, SIGTERM);
    sigaddset(ret, SIGINT);
    pthread_sigmask(SIG_BLOCK, ret, NULL);
    signal(SIGHUP, SIG_IGN);
}

/* Waits for one of them, at most this long. Returns its number; 0: none came. */
static int serve_signals_wait(const sigset_t *signals, int wait_ms)
{
    const struct timespec wait = {wait_ms / 1000, wait_ms % 1000 * 1000000L};
    int signal_number = sigtimedwait(signals, NULL, &wait);
    return signal_number > 0 ? signal_number : 0;
}

/* Logs why the server stops: the signal, or for number 0 the reason in `fail`. */
static void serve_signals_log(int number, const struct fail *fail)
{
    if (number)
        log_line(
            LOG_INFO, "stopping",
            LOG_S("signal", str_from(number == SIGTERM ? "SIGTERM" : "SIGINT")));
    else
        log_line(LOG_ERROR, "stopping", LOG_S("reason", str_from(fail->text)));
}

/* Handles SIGALRM. Standard error may be full: write only if poll says so. */
static void give_up(int signal_number)
{
    static const char text[] = "stockact: the shutdown took too long, counts may be lost\n";
    struct pollfd room = {.fd = STDERR_FILENO, .events = POLLOUT};
    if (poll(&room, 1, 0) == 1) {
        ssize_t unused = write(STDERR_FILENO, text, sizeof text - 1);
        (void)unused;
    }
    _exit(EXIT_FAILURE);
}

/* Ends the process with a failure unless it exits within this time. */
static void serve_signals_limit_stop(int64_t ms)
{
    signal(SIGALRM, give_up);
    alarm((unsigned)((ms + 999) / 1000));
}

/* What a server finds in its own metrics, as Prometheus would (status/condition.h). Its main thread
 * looks every few seconds; others read what holds. */

struct api;

struct serve_watch {
    struct condition_watch watch;
    int64_t looked_ms; /* by the monotonic clock */
    _Atomic condition_set holding;
};

enum { WATCH_MS = 5000, METRICS_SIZE_MAX = 4 << 20 };

/* Main thread. */
static void serve_watch_tick(struct serve_watch *watch, const struct api *api)
{
    int64_t now_ms = clock_mono_ms();
    BUF_SCOPED(metrics, METRICS_SIZE_MAX);
    if (now_ms - watch->looked_ms < WATCH_MS)
        return;
    watch->looked_ms = now_ms;
    if (getenv("WATCHDOG_USEC")) /* the unit has WatchdogSec */
        service_manager_tell("WATCHDOG=1");
    api_put_metrics(api, &metrics);
    atomic_store(&watch->holding, condition_watch(&watch->watch, buf_view(&metrics), now_ms));
}

static void serve_watch_put_metrics(const struct serve_watch *watch, struct buf *b)
{
    condition_set holding = atomic_load(&watch->holding);
    metrics_put_type(b, METRIC_CONDITION);
    for (enum condition c = 0; c < CONDITION_COUNT; c++)
        if (condition_info(c)->test)
            metrics_put_sample(
                b, METRIC_CONDITION, METRIC_LABELS(str_from(condition_info(c)->alert)),
                holding >> c & 1);
}

/* --- the server */

struct stream_bell {
    pthread_mutex_t lock;
    struct http_server *server; /* under lock; NULL: not running */
};

#define STREAM_BELL_INIT                                                                           \
    {                                                                                              \
        .lock = PTHREAD_MUTEX_INITIALIZER                                                          \
    }

/* Wakes streams. */

/* NULL before the server is destroyed. */
static void stream_bell_hang(struct stream_bell *bell, struct http_server *server)
{
    LOCKED(&bell->lock);
    bell->server = server;
}

/* From any thread. */
static void stream_bell_ring(struct stream_bell *bell)
{
    LOCKED(&bell->lock);
    if (bell->server)
        http_server_wake_streams(bell->server);
}

enum { BENCH_FACTOR = 1000000 }; /* STOCKACT_BENCH_UNLIMITED multiplies the limits */

/* Warnings about settings. */

static void serve_warnings_log(const struct settings *settings)
{
    if (settings->bench_unlimited)
        log_line(
            LOG_WARN, "STOCKACT_BENCH_UNLIMITED is set: every limit is multiplied by a million",
            LOG_I("factor", BENCH_FACTOR), LOG_I("access_log", settings->access_log));
    if (settings->signup != SIGNUP_OFF && str_is_null(settings->smtp_url))
        log_line(
            LOG_WARN, "STOCKACT_SMTP_URL is not set: sign-up does not work, and no e-mail is sent");
    if (!str_is_null(settings->test_clock))
        log_line(
            LOG_WARN, "STOCKACT_TEST_CLOCK is set: the wall clock is read from a file",
            LOG_S("file", settings->test_clock));
    if (str_starts(settings->listen, STR("unix:")) && !settings->trusted_proxies.unix_socket)
        log_line(
            LOG_WARN, "all callers without a key share one limit: add `unix` to "
                      "STOCKACT_TRUSTED_PROXIES if a proxy sets X-Forwarded-For");
}

enum {
    FLUSH_MS = 500,
    DRAIN_MS = 8000,
    WORKERS = 3, /* threads that read the store, with one connection each */
    MIB_SHIFT = 20,
    /* Those for pages, which may also hash passwords: one is always free for other pages. */
    PAGE_WORKERS = PASSWORD_RUNNING_MAX + PASSWORD_WAITING_MAX + 1,
};

struct serve {
    const struct settings *settings;
    struct arena arena;
    struct str node, label; /* this server: the id of its heartbeat; for people */
    struct store_lock *lock;
    struct feed *feed;
    struct access *access;
    struct confine_result confined;
    int64_t seq; /* memory was loaded up to this notice */
    struct feed_stats loaded;
    size_t keys_loaded;
    int64_t load_ms;
    struct damage damage;
    _Atomic bool demo;
    _Atomic int64_t store_lost; /* since when; the follower asks until the database answers */
    int wake_fd;                /* the follower's */
    struct writer *writer;
    struct writeback writeback;
    struct recount recount;
    struct follow *follow;
    struct figures *figures;
    int64_t started_at;                  /* by the wall clock */
    struct alert_job *_Atomic alert_job; /* NULL: not started, or no e-mail is sent */
    struct sync_job *sync_job;           /* NULL: STOCKACT_SYNC_AT=off */
    struct sync_job *snapshot_job;       /* NULL: STOCKACT_SNAPSHOT_AT=off */
    struct sample_job *sample_job;       /* NULL: not started, or STOCKACT_SAMPLE_ROWS=0 */
    struct sweep_job *_Atomic sweep_job; /* NULL: not started, or STOCKACT_SWEEP_AT=off */
    struct serve_secrets secrets;
    struct listener listener; /* moves to the HTTP server when that starts */
    bool listening;           /* the listener is open and still ours */
    struct str base_url;      /* public; after the listener is open */
    struct guard guard;       /* of webhooks, for the pages */
    struct destination_rules webhook_rules;
    struct dispatcher *_Atomic dispatcher; /* NULL: not running */
    struct serve_purge purge;
    struct api *api;
    struct site *site;
    struct http_server *http;
    struct stream_bell streams;
    struct serve_watch watch;
    struct memory_room room; /* before the confinement */
};

/* Loads memory from the store. */
static enum err load(struct serve *s, struct db *db, struct fail *fail)
{
    int64_t began_ms = clock_mono_ms();
    enum meta_data data;
    s->feed = feed_create();
    damage_watch(&s->damage, s->feed);
    s->access = access_create();
    TRY(meta_data_get(db, &data, fail));
    TRY(loading_run(s->feed, db, &s->room, &s->seq, fail));
    TRY(access_load(s->access, db, fail));
    TRY(limits_load(s->secrets.limits, db, clock_wall_ms(), fail));
    atomic_store(&s->demo, data == META_DATA_DEMO);
    s->loaded = feed_stats(s->feed);
    s->keys_loaded = access_count(s->access);
    damage_check_chain(&s->damage, db);
    s->load_ms = clock_mono_ms() - began_ms;
    return OK;
}

static enum err open_and_load(struct serve *s, struct fail *fail)
{
    DB_SCOPED(db);
    TRY(store_lock_server(s->settings->database, &s->lock, fail));
    TRY(loading_open(s->settings->database, &db, fail));
    TRY(serve_secrets_open(&s->secrets, s->settings, db, fail));
    return load(s, db, fail);
}

/* Called on the writer's thread after each commit. */
static void wake_follower(void *ctx)
{
    struct serve *s = ctx;
    eventfd_write(s->wake_fd, 1);
}

/* Called on the follower's thread: the applied notices may include a publication, an endpoint or a
 * key. */
static void wake_others(void *ctx)
{
    struct serve *s = ctx;
    stream_bell_ring(&s->streams);
    struct dispatcher *dispatcher = atomic_load(&s->dispatcher);
    if (dispatcher)
        dispatcher_wake(dispatcher);
    alert_job_wake(atomic_load(&s->alert_job));
}

static enum err start_threads(struct serve *s, struct fail *fail)
{
    s->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (s->wake_fd < 0)
        return fail_set(fail, ERR_IO, "cannot create an eventfd: %s", strerror(errno));
    const struct writer_config writer = {
        .url = s->settings->database, .committed = wake_follower, .ctx = s, .reserve = true};
    TRY(writer_start(&writer, &s->writer, fail));
    writeback_init(&s->writeback, s->secrets.limits, s->access, s->writer);
    s->node = node_id_make(&s->arena);
    s->label = node_label_make(s->settings->listen, &s->arena);
    const struct follow_config follow = {
        .url = s->settings->database,
        .node = s->node,
        .label = s->label,
        .feed = s->feed,
        .access = s->access,
        .writer = s->writer,
        .wake_fd = s->wake_fd,
        .seq = s->seq,
        .demo = &s->demo,
        .store_lost = &s->store_lost,
        .applied = wake_others,
        .noticed = serve_purge_notice,
        .noticed_ctx = &s->purge,
        .ctx = s,
    };
    return follow_start(&follow, &s->follow, fail);
}

static void put_more_metrics(void *ctx, struct buf *b)
{
    struct serve *s = ctx;
    serve_metrics_put_store(b, s->follow, s->writer);
    figures_put_metrics(s->figures, b);
    damage_put_metrics(&s->damage, b);
    sweep_job_put_metrics(atomic_load(&s->sweep_job), b);
    serve_webhooks_put_metrics(atomic_load(&s->dispatcher), b);
    serve_purge_put_metrics(&s->purge, b);
    alert_job_put_metrics(atomic_load(&s->alert_job), b);
    serve_watch_put_metrics(&s->watch, b);
    serve_metrics_put_process(b, s->started_at);
}

static enum err open_listener(struct serve *s, struct fail *fail)
{
    enum err err = listener_open(s->settings->listen.p, &s->listener, fail);
    s->listening = !err;
    if (err)
        return err;
    struct str address = arena_str(&s->arena, str_from(s->listener.address));
    guard_init(
        &s->guard, &s->settings->webhook_allow, &s->settings->webhook_refused_ports, address);
    s->webhook_rules = (struct destination_rules){
        .guard = &s->guard, .name_servers = s->settings->webhook_name_servers};
    s->base_url = str_is_null(s->settings->base_url) ? settings_base_url_of(&s->arena, address)
                                                     : s->settings->base_url;
    return OK;
}

static enum err start_webhooks(struct serve *s, struct fail *fail)
{
    const struct serve_webhooks_config config = {
        .settings = s->settings,
        .writer = s->writer,
        .key = &s->secrets.seal_key,
        .mail_key = &s->secrets.account.mail_key,
        .demo = &s->demo,
        .listening = str_from(s->listener.address),
        .base_url = &s->base_url,
    };
    struct dispatcher *dispatcher;
    TRY(serve_webhooks_start(&config, &dispatcher, fail));
    atomic_store(&s->dispatcher, dispatcher);
    return OK;
}

static enum err start_purge(struct serve *s, struct fail *fail)
{
    const struct serve_purge_config config = {s->settings, s->feed, s->writer, s->label};
    return serve_purge_start(&config, &s->purge, fail);
}

/* The pages, in front of the API. */
static void create_site(struct serve *s, struct str base_url)
{
    s->secrets.account.base_url = base_url;
    const struct site_config config = {
        .api = api_app(s->api),
        .feed = s->feed,
        .access = s->access,
        .limits = s->secrets.limits,
        .writer = s->writer,
        .attempts = s->secrets.attempts,
        .account = &s->secrets.account,
        .database = s->settings->database,
        .base_url = base_url,
        .contact = s->settings->contact,
        .master_key = str_of((const char *)s->secrets.master_key, sizeof s->secrets.master_key),
        .seal_key = &s->secrets.seal_key,
        .webhook_rules = &s->webhook_rules,
        .trusted_proxies = &s->settings->trusted_proxies,
        .docs = {api_docs(s->api, false), api_docs(s->api, true)},
        .docs_make = api_docs_make,
        .docs_ctx = s->api,
        .daily = daily_on(s->settings),
        .public_pages = s->settings->public_pages,
        .snapshots = s->settings->snapshots,
        .open_data = s->settings->open_data,
        .visitor_delay = s->settings->visitor_delay,
        .second_reviewer = s->settings->second_reviewer,
        .double_entry = s->settings->double_entry,
        .batch_review = s->settings->batch_review,
        .access_log = s->settings->access_log,
        .demo = &s->demo,
        .store_lost = &s->store_lost,
        .conditions = &s->watch.holding,
        .is_purged = serve_purge_works,
        .is_purged_ctx = &s->purge,
        .limits_factor = s->settings->bench_unlimited ? BENCH_FACTOR : 1,
    };
    s->site = site_create(&config);
    mem_wipe(s->secrets.master_key, sizeof s->secrets.master_key);
}

static enum err start_http(struct serve *s, struct fail *fail)
{
    const struct api_config api = {
        .feed = s->feed,
        .access = s->access,
        .limits = s->secrets.limits,
        .database = s->settings->database,
        .base_url = s->base_url,
        .trusted_proxies = &s->settings->trusted_proxies,
        .metrics_allow = &s->settings->metrics_allow,
        .access_log = s->settings->access_log,
        .demo = &s->demo,
        .store_lost = &s->store_lost,
        .streams = (uint32_t)s->settings->streams,
        .streams_per_caller = (uint32_t)s->settings->streams_per_caller,
        .limits_factor = s->settings->bench_unlimited ? BENCH_FACTOR : 1,
    };
    s->api = api_create(&api);
    create_site(s, api.base_url);
    struct http_config http = {
        .listener = &s->listener,
        .threads = s->settings->threads,
        .app = site_app(s->site),
        .limits =
            {
                .connections = (size_t)s->settings->connections_max,
                .reply_bytes = (size_t)s->settings->reply_memory_mib << MIB_SHIFT,
            },
    };
    site_set_workers(&http, WORKERS, PAGE_WORKERS);
    /* Requests may wait in the backlog already. A browser's EventSource that gets a 503 gives up.
     */
    api_set_state(s->api, API_READY);
    s->listening = false; /* the server owns the listener now, even after an error */
    TRY(http_server_start(&http, &s->http, fail));
    stream_bell_hang(&s->streams, s->http);
    const struct api_gauges gauges = {
        .server = s->http,
        .pages = site_traffic(s->site),
        .put_more = put_more_metrics,
        .ctx = s,
    };
    api_set_gauges(s->api, &gauges);
    return OK;
}

/* A job that runs commands. */
static enum err start_sync_job(
    struct serve *s, enum job_name job, struct sync_job **ret, struct fail *fail)
{
    const struct sync_job_config config = {job, s->settings, s->writer, s->node, s->label};
    return daily_on(s->settings).on[job] ? sync_job_start(&config, ret, fail) : OK;
}

static enum err start_sweep_job(struct serve *s, struct fail *fail)
{
    const struct sweep_job_config config = {s->settings, s->writer, s->node, s->label};
    struct sweep_job *job;
    if (!daily_on(s->settings).on[JOB_SWEEP])
        return OK;
    TRY(sweep_job_start(&config, &job, fail));
    atomic_store(&s->sweep_job, job);
    return OK;
}

static enum err start_alert_job(struct serve *s, struct fail *fail)
{
    const struct alert_job_config config = {s->settings, s->writer,   s->node,
                                            s->label,    s->base_url, &s->secrets.account.mail_key};
    struct alert_job *job;
    if (str_is_null(s->settings->smtp_url))
        return OK;
    TRY(alert_job_start(&config, &job, fail));
    atomic_store(&s->alert_job, job);
    return OK;
}

#define MIB_OF(bytes) ((int64_t)(((bytes) + (1 << MIB_SHIFT) - 1) >> MIB_SHIFT))

/* Writes the first lines of the log, at the end: a failed start prints only the error. */
static void log_started(struct serve *s, struct str address)
{
    serve_confine_log(&s->confined);
    log_line(
        LOG_INFO, "loaded", LOG_I("trades", s->loaded.trades), LOG_I("filings", s->loaded.filings),
        LOG_I("keys", (int64_t)s->keys_loaded), LOG_I("bytes", s->loaded.bytes),
        LOG_I("ms", s->load_ms));
    if (atomic_load(&s->demo))
        log_line(
            LOG_WARN, "the data is invented: `stockact demo` filled this database",
            LOG_S("data", STR(INVENTED_VALUE)));
    serve_warnings_log(s->settings);
    const struct http_memory memory = http_server_memory(s->http);
    log_line(
        LOG_INFO, "memory", LOG_I("connections_max", (int64_t)http_server_connections_max(s->http)),
        LOG_I("reply_mib", s->settings->reply_memory_mib),
        LOG_I("http_mib_max", MIB_OF(memory.own)), LOG_I("socket_mib_max", MIB_OF(memory.sockets)));
    log_line(
        LOG_INFO, "listening", LOG_S("address", address),
        LOG_S("mail", str_is_null(s->settings->smtp_url) ? STR("off") : STR("on")),
        LOG_S("version", build.version));
}

/* Also ends, with an error, when a newer program migrates the database beyond this one. */
static enum err run_until_signal(struct serve *s, const sigset_t *signals, struct fail *fail)
{
    int number;
    bool shut_out = false;
    while (!(number = serve_signals_wait(signals, FLUSH_MS)) &&
           !(shut_out = follow_shut_out(s->follow, fail))) {
        writeback_tick(&s->writeback);
        serve_watch_tick(&s->watch, s->api);
    }
    serve_signals_log(number, fail);
    serve_signals_limit_stop(s->settings->test_stop_ms);
    api_set_state(s->api, API_DRAINING);
    dispatcher_drain(atomic_load(&s->dispatcher), DRAIN_MS);
    site_stop_uploads(s->site);
    if (!http_server_drain(s->http, DRAIN_MS))
        log_line(LOG_WARN, "the drain timed out, open connections are closed");
    site_stop_pictures(s->site);
    return shut_out ? ERR_REFUSED : OK;
}

/* Stops the started parts in the reverse order of the start. */
static enum err stop(struct serve *s, struct fail *fail)
{
    enum err err = OK;
    stream_bell_hang(&s->streams, NULL);
    http_server_destroy(s->http);
    if (s->listening)
        listener_close(&s->listener);
    sample_job_stop(s->sample_job);
    sweep_job_stop(atomic_load(&s->sweep_job));
    sync_job_stop(s->snapshot_job);
    sync_job_stop(s->sync_job);
    figures_stop(s->figures);
    follow_stop(s->follow);
    serve_purge_stop(&s->purge);
    alert_job_stop(atomic_load(&s->alert_job));
    dispatcher_stop(atomic_load(&s->dispatcher));
    serve_secrets_wipe(&s->secrets);
    if (s->writeback.writer)
        err = writeback_all(&s->writeback, fail);
    writer_stop(s->writer);
    site_destroy(s->site);
    api_destroy(s->api);
    serve_secrets_close(&s->secrets);
    access_destroy(s->access);
    if (s->feed)
        feed_destroy(s->feed);
    store_unlock_server(s->lock);
    if (s->wake_fd >= 0)
        close(s->wake_fd);
    arena_finish(&s->arena);
    return err;
}

enum err serve_until_stopped(
    const struct settings *settings, serve_ready_fn *ready, void *ctx, struct fail *fail)
{
    struct serve s = {.settings = settings, .wake_fd = -1, .streams = STREAM_BELL_INIT};
    s.started_at = clock_wall_ms();
    sigset_t signals;
    serve_signals_block(&signals);
    arena_init(&s.arena);
    s.room = memory_room("");
    s.confined = serve_confine(settings, settings_secret_key_file(s.settings, &s.arena));
    log_start(settings->log);
    enum err err = open_and_load(&s, fail);
    err = err ? err : start_threads(&s, fail);
    if (!err)
        err = serve_secrets_confirm(&s.secrets, settings, fail);
    if (!err)
        err = open_listener(&s, fail);
    if (!err)
        err = start_webhooks(&s, fail);
    if (!err)
        err = figures_start(settings, s.follow, &s.figures, fail);
    if (!err)
        err = start_http(&s, fail);
    if (!err)
        err = start_purge(&s, fail);
    if (!err)
        err = start_sync_job(&s, JOB_SYNC, &s.sync_job, fail);
    if (!err)
        err = start_sync_job(&s, JOB_SNAPSHOT, &s.snapshot_job, fail);
    if (!err)
        err = start_sweep_job(&s, fail);
    if (!err)
        err = sample_job_start(settings, s.writer, s.node, s.label, &s.sample_job, fail);
    if (!err)
        err = start_alert_job(&s, fail);
    if (!err) {
        recount_start(&s.recount, s.writer);
        log_started(&s, http_server_address(s.http));
        ready(ctx, http_server_address(s.http));
        service_manager_tell("READY=1\nSTATUS=serving");
        err = run_until_signal(&s, &signals, fail);
    }
    struct fail lost = {0};
    enum err stop_err = stop(&s, &lost);
    if (stop_err)
        log_line(LOG_ERROR, "counts are lost", LOG_S("reason", str_from(lost.text)));
    if (!err && stop_err)
        err = fail_set(fail, stop_err, "counts are lost: %s", lost.text);
    if (!err)
        log_line(LOG_INFO, "stopped");
    log_stop();
    return err;
}

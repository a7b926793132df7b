/* What `stockact doctor` finds at Redis, at each place of the address; see doctor.h. */
#include "base/clock.h"
#include "cmd/operate/doctor.h"
#include "cmd/operate/doctor_judge.h"
#include "limits/redis_look.h"
#include "net/peer_look.h"
#include "status/words.h"

enum { MEMORY_DOUBTFUL_PERCENT = 90 };

struct redis_visit {
    struct doctor *d;
    const struct redis_url *url;
    const struct redis_place *place;
    struct redis_look look;
    enum err err;
    struct fail fail;
};

/* "redis memory"; with several places "redis 192.0.2.7:6379 memory". */
static struct str name_of(struct redis_visit *v, const char *what)
{
    struct arena *arena = &v->d->arena;
    if (v->url->place_count == 1)
        return arena_fmt(arena, "redis%s", what);
    return arena_fmt(
        arena, "redis %.*s:%d%s", STR_ARG(doctor_host(v->d, v->place->host)), v->place->port, what);
}

static void say(
    struct redis_visit *v, const char *what, enum out_mood mood, struct str found, struct str fix)
{
    doctor_say(v->d, name_of(v, what).p, mood, found, fix);
}

/* What it forgets while memory is short loses windows: callers get more than their limit. */
static void say_memory(struct redis_visit *v)
{
    const struct redis_look *look = &v->look;
    struct arena *arena = &v->d->arena;
    bool bounded = look->memory_max > 0;
    bool forgets = bounded && !str_eq(str_from(look->policy), STR("noeviction"));
    bool nearly_full = bounded && look->memory > look->memory_max / 100 * MEMORY_DOUBTFUL_PERCENT;
    struct str used = words_bytes(arena, look->memory);
    if (!look->informed) {
        say(v, " memory", OUT_PLAIN,
            STR("its user may not run INFO: memory and eviction policy are not known"),
            STR("check them on that machine, or give the user +info"));
        return;
    }
    say(v, " memory", forgets || nearly_full ? OUT_DOUBTFUL : OUT_GOOD,
        bounded ? arena_fmt(
                      arena, "%.*s of %.*s, policy %s, %lld keys evicted", STR_ARG(used),
                      STR_ARG(words_bytes(arena, look->memory_max)), look->policy,
                      (long long)look->evicted)
                : arena_fmt(arena, "%.*s without a maximum", STR_ARG(used)),
        forgets ? STR("set maxmemory-policy noeviction: otherwise counts are lost, and callers get "
                      "more than their limit")
        : nearly_full ? STR("raise maxmemory: when it is full, servers count alone")
                      : STR_NULL);
}

static void say_trial(struct redis_visit *v)
{
    struct str refused = str_from(v->look.refused);
    bool full = str_find(refused, STR("OOM")) >= 0;
    /* The server follows it to the node of the cluster that has the key. */
    bool moved = str_starts(refused, STR("MOVED ")) || str_starts(refused, STR("ASK "));
    bool good = !refused.n || moved;
    say(v, " writes", good ? OUT_GOOD : OUT_BAD,
        moved  ? STR("it runs scripts, and names the node of a key")
        : good ? STR("it runs scripts and stores keys")
               : arena_fmt(&v->d->arena, "it refused a script or a key: %.*s", STR_ARG(refused)),
        good   ? STR_NULL
        : full ? STR("raise maxmemory: servers count alone until there is room")
               : STR("give the address of a primary, and its user the rights that "
                     "deploy/README.md names"));
}

/* rediss:// is TLS from the first byte, as https:// is. */
static void say_redis_certificate(struct redis_visit *v)
{
    struct doctor *d = v->d;
    struct peer_look peer;
    if (!v->url->tls)
        return;
    struct str address = arena_fmt(
        &d->arena, "https://%.*s:%d", STR_ARG(doctor_host(d, v->place->host)), v->place->port);
    const struct peer_options options = {
        .url = address.p,
        .ca_file = d->settings->redis_ca_file,
        .proxy = "",
        .alone = true,
        .time_max_ms = DOCTOR_PEER_MAX_MS};
    enum err ignored = peer_look(&options, &peer, NULL);
    (void)ignored; /* the look at Redis has said so */
    doctor_say_certificate(d, name_of(v, " certificate").p, peer.certificate_ends_ms);
}

static void say_answers(struct redis_visit *v)
{
    int64_t median = 0;
    struct str text = doctor_latency(v->d, v->look.ns, REDIS_LOOK_TIMES, &median);
    bool slow = median > DOCTOR_SLOW_NS;
    say(v, " answers", slow ? OUT_DOUBTFUL : OUT_GOOD,
        arena_fmt(&v->d->arena, "in %.*s, the median of %d", STR_ARG(text), REDIS_LOOK_TIMES),
        slow ? STR("run Redis closer to this server: each request waits for one answer, at most "
                   "500 ms")
             : STR_NULL);
}

/* What is wrong with a Redis that answers; null: nothing. */
static struct str fix_of_answer(const struct redis_visit *v)
{
    const struct redis_look *look = &v->look;
    bool cluster = str_eq(str_from(look->mode), STR("cluster"));
    if (look->cluster[0] && !str_eq(str_from(look->cluster), STR("ok")))
        return STR("run `redis-cli cluster info` there: servers count callers of lost slots alone");
    if (look->informed && !cluster && v->url->place_count > 1)
        return STR("several hosts must be nodes of one Redis Cluster: each would count alone");
    return STR_NULL;
}

static void say_good(struct redis_visit *v)
{
    const struct redis_look *look = &v->look;
    struct str fix = fix_of_answer(v);
    say(v, "", fix.n ? OUT_BAD : OUT_GOOD,
        look->informed ? arena_fmt(
                             &v->d->arena, "version %s, %s, %s%s%s", look->version, look->mode,
                             str_eq(str_from(look->role), STR("master")) ? "primary" : "replica",
                             look->cluster[0] ? ", cluster state " : "", look->cluster)
                       : STR("it answers"),
        fix);
    say_answers(v);
    doctor_say_clock(
        v->d, name_of(v, " clock").p, look->clock_ms,
        clock_wall_ms() - (clock_mono_ms() - look->mono_ms));
    say_trial(v);
    say_memory(v);
    say_redis_certificate(v);
}

static struct str fix_of(const struct redis_visit *v)
{
    if (v->err == ERR_REFUSED)
        return STR("correct the user and password in STOCKACT_REDIS");
    if (str_find(str_from(v->fail.text), STR("certificate")) >= 0)
        return STR("renew its certificate, or name its authority in STOCKACT_REDIS_CA_FILE");
    return STR("start Redis, or correct STOCKACT_REDIS; until then servers count alone");
}

/* The servers of a cluster go on without one of its nodes. */
static void say_failed(struct redis_visit *v, bool alone)
{
    say(v, "", alone ? OUT_BAD : OUT_DOUBTFUL,
        arena_fmt(
            &v->d->arena, "%.*s:%d: %s", STR_ARG(doctor_host(v->d, v->place->host)), v->place->port,
            v->fail.text),
        alone ? fix_of(v) : STR("start that node, or name another one in STOCKACT_REDIS"));
}

static void visit_all(struct doctor *d, const struct redis_url *url)
{
    struct redis_visit visits[REDIS_PLACES_MAX];
    bool all_failed = true;
    for (size_t i = 0; i < url->place_count; i++) {
        struct redis_visit *v = &visits[i];
        *v = (struct redis_visit){.d = d, .url = url, .place = &url->places[i]};
        v->err = redis_look(
            url, v->place, d->settings->redis_ca_file,
            DOCTOR_PEER_MAX_MS / (int64_t)url->place_count, &v->look, &v->fail);
        all_failed &= v->err != OK;
    }
    for (size_t i = 0; i < url->place_count; i++)
        if (visits[i].err)
            say_failed(&visits[i], all_failed);
        else
            say_good(&visits[i]);
}

void doctor_redis(struct doctor *d)
{
    struct redis_url url;
    struct fail fail = {0};
    if (str_is_null(d->settings->redis))
        doctor_say(
            d, "redis", OUT_PLAIN, STR("STOCKACT_REDIS is not set: this server counts by itself"),
            STR_NULL);
    else if (redis_url_parse(d->settings->redis, &url, &fail))
        doctor_say(
            d, "redis", OUT_BAD, arena_str(&d->arena, str_from(fail.text)),
            STR("correct STOCKACT_REDIS"));
    else
        visit_all(d, &url);
    mem_wipe(&url, sizeof url);
}

/* What `stockact doctor` finds at each host of an address that names several; see doctor.h. */
#include "cmd/operate/doctor.h"
#include "db/db_hosts.h"
#include "status/words.h"

enum { BEHIND_DOUBTFUL = 16 << 20 }; /* bytes of the log: a standby that follows lacks few */

/* What all hosts say together. */
struct hosts_sum {
    size_t primaries;
    int64_t position; /* of the primary */
};

static void say(
    struct doctor *d, const struct db_host *host, enum out_mood mood, struct str found,
    const char *fix)
{
    struct str name = arena_fmt(
        &d->arena, "database %.*s:%.*s", STR_ARG(doctor_host(d, host->host.p)),
        STR_ARG(host->port));
    doctor_say(d, name.p, mood, found, fix ? str_from(fix) : STR_NULL);
}

static void say_standby(struct doctor *d, const struct db_host *host, const struct hosts_sum *sum)
{
    int64_t behind = sum->position > host->position ? sum->position - host->position : 0;
    bool late = behind > BEHIND_DOUBTFUL;
    if (!sum->primaries)
        say(d, host, OUT_DOUBTFUL, STR("a standby, and no host is the primary"),
            "start the primary; if it is lost, promote this one");
    else
        say(d, host, late ? OUT_DOUBTFUL : OUT_GOOD,
            arena_fmt(&d->arena, "a standby, %.*s behind", STR_ARG(words_bytes(&d->arena, behind))),
            late ? "check its log: a failover to it would lose the rest" : NULL);
}

/* What to do about a host that cannot be asked. */
static const char *fix_of(struct str reason)
{
    static const struct str login[] = {
        STR_INIT("authentication"), STR_INIT("password"), STR_INIT("pg_hba.conf")};
    for (size_t i = 0; i < sizeof login / sizeof *login; i++)
        if (str_find(reason, login[i]) >= 0)
            return "it runs and refuses the login: correct the user, the password or pg_hba.conf";
    return "start it, or make it the standby again: without it there is no failover";
}

static void say_host(struct doctor *d, const struct db_host *host, const struct hosts_sum *sum)
{
    if (host->err)
        say(d, host, OUT_DOUBTFUL, host->reason, fix_of(host->reason));
    else if (host->standby)
        say_standby(d, host, sum);
    else if (sum->primaries > 1)
        say(d, host, OUT_BAD, STR("a primary, and not the only one"),
            "stop the old primary: what is written to it now is lost");
    else
        say(d, host, OUT_GOOD, STR("the primary"), NULL);
}

void doctor_hosts(struct doctor *d)
{
    struct db_host *hosts = NULL;
    struct hosts_sum sum = {0};
    size_t count = 0;
    if (settings_embedded(d->settings))
        return;
    db_hosts_look(d->settings->database, DOCTOR_PEER_MAX_MS, &d->arena, &hosts, &count);
    for (size_t i = 0; i < count; i++) {
        bool primary = !hosts[i].err && !hosts[i].standby;
        sum.primaries += primary;
        if (primary && hosts[i].position > sum.position)
            sum.position = hosts[i].position;
    }
    for (size_t i = 0; i < count; i++)
        say_host(d, &hosts[i], &sum);
}

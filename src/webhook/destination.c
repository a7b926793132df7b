/* Checks a URL before it is stored; see destination.h. */
#include "webhook/destination.h"

#include <assert.h>

#include "base/clock.h"
#include "net/resolver.h"
#include "paper/cell/special_name.h"

/* The way to a receiver of one's own. */
#define ALLOW "STOCKACT_WEBHOOK_ALLOW"
#define HTTP "http://"

/* --- without a name server */

static union net_address socket_address(const struct target *target)
{
    const uint8_t *bytes = target->address.bytes;
    union net_address to = {0};
    if (address_is_ipv4(&target->address)) {
        to.ipv4.sin_family = AF_INET;
        memcpy(&to.ipv4.sin_addr, bytes + sizeof target->address.bytes - 4, 4);
    } else {
        to.ipv6.sin6_family = AF_INET6;
        memcpy(&to.ipv6.sin6_addr, bytes, sizeof target->address.bytes);
    }
    net_address_set_port(&to, target->port);
    return to;
}

/* A network that the operator allows, or a name server of the operator's, can have private names.
 */
static bool has_private_names(const struct destination_rules *rules)
{
    return rules->guard->allow->n > 0 || !str_is_null(rules->name_servers);
}

static enum err check_name(
    const struct destination_rules *rules, struct str host, struct fail *fail)
{
    const struct special_name *special = special_name_of(host);
    if (!special || (special->is_private && has_private_names(rules)))
        return OK;
    if (!special->is_private)
        return fail_set(
            fail, ERR_REFUSED, "no delivery can reach \"%.*s\": no name server has %s",
            STR_ARG(host), special->what);
    return fail_set(
        fail, ERR_REFUSED,
        "no delivery can reach \"%.*s\": the public DNS has no %s; use a public name, or set " ALLOW
        " to the networks of your own receivers",
        STR_ARG(host), special->what);
}

static enum err check_address(
    const struct destination_rules *rules, const struct target *target, struct fail *fail)
{
    union net_address to = socket_address(target);
    struct fail why;
    enum err err = guard_check(rules->guard, &to.any, &why);
    if (!err)
        return OK;
    return fail_set(
        fail, err, "no delivery can be sent there: %s%s", why.text,
        guard_would_allow(rules->guard, &to.any) ? "; if the receiver is yours, set " ALLOW
                                                   " to its network"
                                                 : "");
}

/* http:// is for allowed networks. */
static enum err refuse_http(struct fail *fail)
{
    return fail_set(
        fail, ERR_INVALID,
        "the URL begins with \"http://\": it must begin with https://, unless " ALLOW
        " names the network of the receiver");
}

enum err destination_parse(
    const struct destination_rules *rules, struct str url, struct arena *arena, struct target *ret,
    struct fail *fail)
{
    bool plain_http = rules->guard->allow->n > 0;
    if (!plain_http && str_eq_nocase(str_slice(url, 0, sizeof HTTP - 1), STR(HTTP)))
        return refuse_http(fail);
    TRY(target_parse(url, plain_http, arena, ret, fail));
    TRY(guard_check_port(rules->guard, ret->port, fail));
    return ret->is_address ? check_address(rules, ret, fail) : check_name(rules, ret->host, fail);
}

/* --- with a name server */

struct look {
    struct resolver_wait wait; /* the first member */
    uv_loop_t *loop;
    const struct guard *guard;
    uint16_t port;
    enum err err;
    struct fail fail;
    bool answered;
};

static void on_answer(struct resolver_wait *wait, const struct resolver_answer *answer)
{
    struct look *look = (struct look *)wait;
    look->answered = true;
    uv_stop(look->loop);
    if (answer->outcome != RESOLVER_FOUND) {
        look->err = fail_set(&look->fail, ERR_UNAVAILABLE, "%s", answer->detail);
        return;
    }
    for (size_t i = 0; i < answer->count && !look->err; i++) {
        union net_address to = answer->addresses[i];
        net_address_set_port(&to, look->port);
        look->err = guard_check(look->guard, &to.any, &look->fail);
    }
}

static void look_up(struct resolver *resolver, struct str host, struct look *look)
{
    resolver_ask(resolver, host, clock_mono_ms() + RESOLVER_TIME_MAX_MS, on_answer, &look->wait);
    while (!look->answered)
        uv_run(look->loop, UV_RUN_DEFAULT);
}

enum err destination_look(
    const struct destination_rules *rules, const struct target *target, struct fail *fail)
{
    uv_loop_t loop;
    struct resolver *resolver = NULL;
    struct look look = {.loop = &loop, .guard = rules->guard, .port = target->port};
    if (target->is_address)
        return OK;
    int error = uv_loop_init(&loop);
    if (error)
        return fail_set(fail, ERR_UNAVAILABLE, "cannot start a loop: %s", uv_strerror(error));
    look.err = resolver_create(&loop, rules->name_servers, &resolver, &look.fail);
    if (!look.err)
        look_up(resolver, target->host, &look);
    resolver_destroy(resolver);
    /* An answer without a wait, as on a machine without a network, leaves a stop behind, and a run
     * that begins with one ends before the handles are closed. */
    while (uv_run(&loop, UV_RUN_DEFAULT))
        continue;
    error = uv_loop_close(&loop);
    assert(error == 0);
    if (!look.err)
        return OK;
    return fail_set(
        fail, look.err, "a delivery to \"%.*s\" would fail at the moment: %s",
        STR_ARG(target->host), look.fail.text);
}

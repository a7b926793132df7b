/* URLs of webhooks: every accepted URL has a normal form with the same meaning, and a host that no
 * resolver can mistake for another address. */
#include "fuzz.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include "net/target.h"

static void check_same(const struct target *a, const struct target *b)
{
    assert(str_eq(a->url, b->url) && str_eq(a->host, b->host) && str_eq(a->path, b->path));
    assert(a->port == b->port && a->tls == b->tls && a->is_address == b->is_address);
    assert(!a->is_address || address_eq(&a->address, &b->address));
}

static void check_host(const struct target *t)
{
    struct in_addr spelled;
    struct address address;
    assert(t->host.n > 0 && t->host.n <= TARGET_HOST_MAX);
    for (size_t i = 0; i < t->host.n; i++)
        assert(t->host.p[i] > ' ' && t->host.p[i] < 0x7f && !strchr("@%/?#\\", t->host.p[i]));
    if (t->is_address)
        assert(address_parse(t->host, &address) && address_eq(&address, &t->address));
    else /* the C library knows the old spellings: numbers, hex, octal, fewer parts */
        assert(inet_aton(t->host.p, &spelled) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str rest = fuzz_text(data, size);
    bool plain_http = fuzz_byte(&rest) & 1;
    struct target target, again;
    struct fail why = {OK, ""};
    struct arena arena;
    arena_init(&arena);
    enum err err = target_parse(rest, plain_http, &arena, &target, &why);
    if (err) {
        assert(err == ERR_INVALID && why.text[0]);
    } else {
        assert(target.port > 0 && (target.tls || plain_http));
        assert(target.path.n > 0 && target.path.p[0] == '/');
        assert(str_ends(target.url, target.path));
        check_host(&target);
        assert(target_parse(target.url, plain_http, &arena, &again, NULL) == OK);
        check_same(&target, &again);
    }
    arena_finish(&arena);
    return 0;
}

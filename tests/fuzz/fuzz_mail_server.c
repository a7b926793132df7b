/* URLs of mail servers: an accepted URL has a host, a port, and either both user and password or
 * none. No error contains the text between the slashes and the last @. */
#include "fuzz.h"

#include "mail/mail.h"

static const char marker[] = "Zq7Zq7Zq7";

static void check_taken(const struct mail_server *s)
{
    assert(s->host[0] && s->port > 0);
    assert(!s->user[0] == !s->password[0]);
    assert(!(s->tls && s->starttls_required));
    for (const char *c = s->host; *c; c++)
        assert(*c > 0x20 && *c < 0x7f && !strchr("/?#@[]%", *c));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str rest = fuzz_text(data, size);
    struct mail_server server;
    struct fail why = {OK, ""};
    struct arena arena;
    arena_init(&arena);
    if (mail_server_parse(rest, &server, &why) == OK)
        check_taken(&server);
    else
        assert(why.err == ERR_INVALID && why.text[0]);
    struct str head = fuzz_line(&rest), tail = str_is_null(rest) ? STR("") : rest;
    struct str secret = arena_fmt(
        &arena, "%.*s:%s@%.*s", STR_ARG(str_slice(head, 0, 300)), marker,
        STR_ARG(str_slice(tail, 0, 300)));
    if (mail_server_parse(secret, &server, &why) == OK)
        check_taken(&server);
    else
        assert(!strstr(why.text, marker));
    arena_finish(&arena);
    return 0;
}

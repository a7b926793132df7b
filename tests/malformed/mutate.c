/* Creates mutants; see mutate.h. */
#include "mutate.h"

#include <string.h>

/* Texts that confuse parsers, inserted anywhere. */
static const struct str words[] = {
    STR_INIT("\r\n"),
    STR_INIT("\n"),
    STR_INIT("\r"),
    STR_INIT("\r\n\r\n"),
    STR_INIT("\r\n "),
    STR_INIT("\0"),
    STR_INIT(" "),
    STR_INIT("\t"),
    STR_INIT(":"),
    STR_INIT(","),
    STR_INIT(";"),
    STR_INIT("0"),
    STR_INIT("0\r\n\r\n"),
    STR_INIT("-1"),
    STR_INIT("Content-Length: 5\r\n"),
    STR_INIT("Content-Length: 0\r\n"),
    STR_INIT("Transfer-Encoding: chunked\r\n"),
    STR_INIT("Transfer-Encoding: identity\r\n"),
    STR_INIT("Transfer-Encoding : chunked\r\n"),
    STR_INIT("Connection: close\r\n"),
    STR_INIT("Connection: keep-alive\r\n"),
    STR_INIT("Expect: 100-continue\r\n"),
    STR_INIT("Upgrade: h2c\r\n"),
    STR_INIT("Host: b.example\r\n"),
    STR_INIT("chunked"),
    STR_INIT("HTTP/1.1"),
    STR_INIT("HTTP/1.0"),
    STR_INIT("GET /m HTTP/1.1\r\nHost: a\r\n\r\n"),
    STR_INIT("ffffffffffffffff"),
    STR_INIT("\xff"),
};

enum { MUTANT_MAX = 40000, CHANGES_MAX = 4 };

uint64_t mutator_random(struct mutator *m, uint64_t below)
{
    m->state = m->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (m->state >> 33) % below;
}

static struct str random_case(struct mutator *m)
{
    return m->corpus->cases[mutator_random(m, m->corpus->n)].bytes;
}

/* Replaces `gone` bytes at `at` by `with`, which must not point into b. */
static void splice(struct buf *b, size_t at, size_t gone, struct str with)
{
    struct buf result;
    buf_init(&result, MUTANT_MAX * 2);
    buf_put(&result, b->p, at);
    buf_str(&result, with);
    buf_put(&result, b->p + at + gone, b->n - at - gone);
    buf_reset(b);
    buf_str(b, buf_view(&result));
    buf_finish(&result);
}

static void change(struct mutator *m, struct buf *b)
{
    size_t at = mutator_random(m, b->n + 1), left = b->n - at;
    char byte = (char)mutator_random(m, 256);
    size_t some = left ? 1 + mutator_random(m, left < 16 ? left : 16) : 0;
    struct str other;
    switch (mutator_random(m, 7)) {
    case 0: /* another byte */
        splice(b, at, left > 0, str_of(&byte, 1));
        break;
    case 1: /* one bit */
        if (left)
            b->p[at] ^= (char)(1 << mutator_random(m, 8));
        break;
    case 2: /* remove bytes */
        splice(b, at, some, STR(""));
        break;
    case 3: /* repeat bytes */
        other = str_of(mem_strdup(str_of(b->p + at, some)), some);
        splice(b, at, 0, other);
        mem_free((void *)(uintptr_t)other.p);
        break;
    case 4: /* continue with another case */
        other = random_case(m);
        splice(b, at, left, str_slice(other, mutator_random(m, other.n + 1), other.n));
        break;
    case 5: /* append another case */
        splice(b, b->n, 0, random_case(m));
        break;
    default:
        splice(b, at, 0, words[mutator_random(m, sizeof words / sizeof words[0])]);
    }
}

void mutate(struct mutator *m, struct buf *ret)
{
    buf_str(ret, random_case(m));
    uint64_t most =
        1 + mutator_random(
                m, CHANGES_MAX); /* often one change, which keeps most mutants nearly valid */
    for (uint64_t n = 1 + mutator_random(m, most); n > 0 && ret->n < MUTANT_MAX; n--)
        change(m, ret);
}

/*
 *     mutants check SEED COUNT     parses mutants of the corpus in this process
 *     mutants print SEED COUNT     writes them like list-cases, for tests that send them
 *
 * Checks of each mutant: its requests, headers, bodies and refusals do not depend on how its bytes
 * are cut into pieces, and the assertions of http_drive hold.
 */
#include <stdio.h>
#include <string.h>

#include "http_drive.h"
#include "mutate.h"

enum { OUTCOME_MAX = 1 << 20, DETAILS_MAX = 32 << 20 };

struct seen {
    struct buf outcome, details;
};

static size_t whole(void *ctx, size_t left)
{
    return left;
}

static size_t pieces(void *ctx, size_t left)
{
    size_t n = 1 + mutator_random(ctx, 64);
    return n < left ? n : left;
}

static void drive(struct seen *s, struct str bytes, http_drive_piece *piece, void *ctx)
{
    buf_reset(&s->outcome);
    buf_reset(&s->details);
    http_drive(bytes, piece, ctx, &s->outcome, &s->details);
}

static bool same(const struct seen *a, const struct seen *b)
{
    return str_eq(buf_view(&a->outcome), buf_view(&b->outcome)) &&
           str_eq(buf_view(&a->details), buf_view(&b->details));
}

static int report(const char *what, uint64_t number, struct str bytes)
{
    printf("# %s, mutant %llu:\n", what, (unsigned long long)number);
    fwrite(bytes.p, 1, bytes.n, stdout);
    return 1;
}

static int check(struct mutator *m, uint64_t count)
{
    struct seen at_once, cut;
    struct seen *both[] = {&at_once, &cut};
    struct buf mutant;
    uint64_t answered = 0, refused = 0;
    int status = 0;
    buf_init(&mutant, OUTCOME_MAX);
    for (size_t i = 0; i < 2; i++) {
        buf_init(&both[i]->outcome, OUTCOME_MAX);
        buf_init(&both[i]->details, DETAILS_MAX);
    }
    for (uint64_t i = 0; i < count && !status; i++) {
        buf_reset(&mutant);
        mutate(m, &mutant);
        struct mutator cuts = {NULL, m->state};
        drive(&at_once, buf_view(&mutant), whole, NULL);
        drive(&cut, buf_view(&mutant), pieces, &cuts);
        if (!same(&at_once, &cut))
            status = report("the pieces matter", i, buf_view(&mutant));
        answered += str_find(buf_view(&at_once.outcome), STR("200")) >= 0;
        refused += str_find(buf_view(&at_once.outcome), STR("4")) >= 0;
    }
    for (size_t i = 0; i < 2; i++) {
        buf_finish(&both[i]->outcome);
        buf_finish(&both[i]->details);
    }
    buf_finish(&mutant);
    bool good = !status && answered && refused;
    printf(
        "1..1\n%s 1 - %llu mutants, of which %llu have a request that is answered and %llu a "
        "refusal\n",
        good ? "ok" : "not ok", (unsigned long long)count, (unsigned long long)answered,
        (unsigned long long)refused);
    return !good;
}

static int print(struct mutator *m, uint64_t count)
{
    struct seen seen;
    struct buf mutant;
    buf_init(&mutant, OUTCOME_MAX);
    buf_init(&seen.outcome, OUTCOME_MAX);
    buf_init(&seen.details, DETAILS_MAX);
    for (uint64_t i = 0; i < count; i++) {
        buf_reset(&mutant);
        mutate(m, &mutant);
        drive(&seen, buf_view(&mutant), whole, NULL);
        printf(
            "%.*s\t%zu\tmutant %llu\n", STR_ARG(buf_view(&seen.outcome)), mutant.n,
            (unsigned long long)i);
        fwrite(mutant.p, 1, mutant.n, stdout);
    }
    buf_finish(&mutant);
    buf_finish(&seen.outcome);
    buf_finish(&seen.details);
    return fflush(stdout) != 0 || ferror(stdout);
}

int main(int argc, char **argv)
{
    int64_t seed, count;
    if (argc != 4 || !str_to_i64(str_from(argv[2]), &seed) ||
        !str_to_i64(str_from(argv[3]), &count)) {
        fprintf(stderr, "usage: %s check|print SEED COUNT\n", argv[0]);
        return 2;
    }
    struct corpus corpus;
    corpus_make(&corpus);
    struct mutator m = {&corpus, (uint64_t)seed};
    int status =
        strcmp(argv[1], "print") == 0 ? print(&m, (uint64_t)count) : check(&m, (uint64_t)count);
    corpus_finish(&corpus);
    return status;
}

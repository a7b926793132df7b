/*
 * Mutants of the corpus: a few random changes to a random case; equal seeds give equal mutants.
 */
#pragma once

#include "base/buf.h"
#include "corpus.h"

struct mutator {
    const struct corpus *corpus;
    uint64_t state; /* of the random numbers */
};

/* Appends one mutant to an empty buffer. */
void mutate(struct mutator *m, struct buf *ret);

uint64_t mutator_random(struct mutator *m, uint64_t below);

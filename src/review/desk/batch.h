/*
 * Accepts clean drafts together (docs/adr/0033-triage-and-batches.md). A person checks a random
 * sample of the drafts in a batch. If all of these are right, the whole batch is accepted. If one
 * has a fault, none is accepted. Only with the setting STOCKACT_BATCH_REVIEW.
 */
#pragma once

#include "base/progress_hook.h"
#include "review/desk/desk.h"
#include "store/desk/batch.h"

enum { BATCH_SIZE_MAX = 2000, BATCH_SIZE_USUAL = 200, BATCH_SAMPLE_MAX = 200 };

/* Clean drafts that can be put into a batch, in their current state. */
struct batch_choices {
    struct batch_choice *items;
    size_t count;
};

/* Reads the oldest clean drafts that are not claimed and in no other batch, at most `size`, with
 * one mark for each. Reads only, and may take a second. ERR_REFUSED: batches are off. */
enum err batch_choose(
    const struct desk *desk, int64_t size, const struct progress_hook *progress,
    struct arena *arena, struct batch_choices *ret, struct fail *fail);

/* Starts a batch of these drafts and draws `sample` of them, or all if there are fewer.
 * ERR_REFUSED: there are no drafts. */
enum err batch_start(
    const struct desk *desk, const struct batch_choices *choices, int64_t sample, int64_t *ret_no,
    struct fail *fail);

/* A person's finding in a drawn draft. */
struct batch_finding {
    struct str filing_id;
    bool fault;
    struct str reason; /* of a fault: what is wrong */
};

/* Records the finding. A fault returns the batch, and the draft is no longer clean. The same
 * happens if a person changed or rejected the draft after the start. If the draft changed for
 * another reason, it leaves the batch, another one is drawn, and *ret is the outcome. ERR_REFUSED:
 * the batch is not open, or the draft was not drawn. */
enum err batch_look(
    const struct desk *desk, int64_t no, const struct batch_finding *finding,
    enum batch_outcome *ret, struct fail *fail);

/* Accepts at most `limit` drafts of the batch, each in its own transaction; call it again for the
 * rest, also after an interruption. A draft leaves the batch, with the reason, if it changed after
 * the start or cannot be accepted. ERR_REFUSED: the batch is not open, or drawn drafts were not
 * checked. */
enum err batch_accept(
    const struct desk *desk, int64_t no, int64_t limit, const struct progress_hook *progress,
    struct batch *ret, struct arena *arena, struct fail *fail);

/* The same in steps, for a caller whose transactions are jobs of the writer: `begin` once, then for
 * each draft that is still in the batch `one`, and after an error that batch_is_of_draft, `leave`
 * in another transaction, and `finish`. */
enum err batch_accept_begin(
    const struct desk *desk, int64_t no, bool *ret_ready, struct fail *fail);
enum err batch_accept_one(
    const struct desk *desk, int64_t no, const struct batch_draft *item, struct fail *fail);
bool batch_is_of_draft(enum err err);
enum err batch_leave(
    const struct desk *desk, int64_t no, const struct batch_draft *item, struct str why,
    struct fail *fail);
enum err batch_accept_finish(
    const struct desk *desk, int64_t no, struct batch *ret, struct arena *arena, struct fail *fail);

/* Returns the batch before it is accepted. */
enum err batch_return(const struct desk *desk, int64_t no, struct str reason, struct fail *fail);

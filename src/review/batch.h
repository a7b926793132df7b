/*
 * Accepts clean drafts together (docs/adr/0033-triage-and-batches.md): a batch is started, a person
 * looks at drafts of it that were drawn at random, and if all of them are right, the others are
 * accepted too. If one has a fault, nothing of the batch is accepted. Only with the setting
 * STOCKACT_BATCH_REVIEW.
 */
#pragma once

#include "base/progress_hook.h"
#include "review/desk.h"
#include "store/batch.h"

enum { BATCH_SIZE_MAX = 2000, BATCH_SIZE_USUAL = 200, BATCH_SAMPLE_MAX = 200 };

/* Clean drafts that may be in a batch, as they are now. */
struct batch_choices {
    struct batch_choice *items;
    size_t count;
};

/* Reads the oldest clean drafts that no reviewer holds and no other batch has, at most `size`, with
 * one mark for each. It only reads, and may take a second. ERR_REFUSED: batches are off. */
enum err batch_choose(
    const struct desk *desk, int64_t size, const struct progress_hook *progress,
    struct arena *arena, struct batch_choices *ret, struct fail *fail) MUST_CHECK;

/* Starts a batch of them and draws `sample` of them: all if there are not more. ERR_REFUSED: there
 * is none. */
enum err batch_start(
    const struct desk *desk, const struct batch_choices *choices, int64_t sample, int64_t *ret_no,
    struct fail *fail) MUST_CHECK;

/* What a person found in a drawn draft. */
struct batch_finding {
    struct str filing_id;
    bool fault;
    struct str reason; /* of a fault: what is wrong */
};

/* Records the finding. A fault returns the batch, and the draft is not clean any more. So does a
 * draft that a person changed or rejected after the start. If the draft changed otherwise, it
 * leaves the batch, another one is drawn for it, and *ret is the outcome. ERR_REFUSED: the batch is
 * not open, or the draft was not drawn. */
enum err batch_look(
    const struct desk *desk, int64_t no, const struct batch_finding *finding,
    enum batch_outcome *ret, struct fail *fail) MUST_CHECK;

/* Accepts the drafts of the batch, each in its own transaction, at most `limit`; call it again for
 * the rest, also after an interruption. A draft that changed after the start, or that cannot be
 * accepted, leaves the batch with the reason. ERR_REFUSED: it is not open, or drawn drafts were not
 * looked at. */
enum err batch_accept(
    const struct desk *desk, int64_t no, int64_t limit, const struct progress_hook *progress,
    struct batch *ret, struct arena *arena, struct fail *fail) MUST_CHECK;

/* The same in steps, for a caller whose transactions are jobs of the writer: `begin` once, then for
 * each draft that is still in the batch `one`, and after an error that batch_is_of_draft, `leave`
 * in another transaction, and `finish`. */
enum err batch_accept_begin(const struct desk *desk, int64_t no, bool *ret_ready, struct fail *fail)
    MUST_CHECK;
enum err batch_accept_one(
    const struct desk *desk, int64_t no, const struct batch_draft *item,
    struct fail *fail) MUST_CHECK;
bool batch_is_of_draft(enum err err);
enum err batch_leave(
    const struct desk *desk, int64_t no, const struct batch_draft *item, struct str why,
    struct fail *fail) MUST_CHECK;
enum err batch_accept_finish(
    const struct desk *desk, int64_t no, struct batch *ret, struct arena *arena,
    struct fail *fail) MUST_CHECK;

/* Gives the batch up before its acceptance. */
enum err batch_return(const struct desk *desk, int64_t no, struct str reason, struct fail *fail)
    MUST_CHECK;

/* A draft that is in an open batch (review/batch.h), on its own page: whether it was drawn, and the
 * two findings about it. Private to src/site. */
#pragma once

#include "review/desk.h"
#include "site/desk_act.h"

/* `inBatch`: the batch and what the draft is in it; `toLook`: it was drawn, and nobody has looked
 * at it. Nothing if it is in no open batch, or batches are off. */
enum err desk_drawn_put(struct page_call *call, const struct draft *draft, struct fail *fail)
    MUST_CHECK;

/* Records that the drawn draft is right, or its fault with the reason of the form; job->next leads
 * to the next drawn draft, or to the batch. Inside page_write. ERR_REFUSED also: it is in no open
 * batch any more. */
enum err desk_drawn_look(struct desk_job *job, struct db *db, bool fault, struct fail *fail)
    MUST_CHECK;

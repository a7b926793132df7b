/* The page of a draft in an open batch (review/desk/batch.h): whether the draft was drawn, and the
 * two possible findings. Private to src/site/desk. */
#pragma once

#include "review/desk/batch.h"
#include "site/desk/desk_act.h"

/* `inBatch`: the batch and the draft's role in it; `toLook`: it was drawn and not checked yet. Sets
 * nothing if the draft is in no open batch, or batches are off. */
enum err desk_drawn_put(struct page_call *call, const struct draft *draft, struct fail *fail);

/* Actions with a struct desk_job: record that the drawn draft is right, or its fault with the
 * reason of the form; job->next leads to the next drawn draft, or to the batch. ERR_REFUSED: also
 * if it is no longer in an open batch. */
act_run desk_drawn_right;
act_run desk_drawn_fault;

/* The message after a finding. */
enum flash desk_batch_flash(enum batch_outcome outcome);

/* `review accept --clean` and `--batch`: batches of clean drafts (review/desk/batch.h). */
#pragma once

#include "cmd/term/command.h"

review_fn review_batch_start;
review_fn review_batch_accept;

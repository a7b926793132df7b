/* `review accept --clean` and `--batch`: batches of clean drafts (review/desk/batch.h). */
#pragma once

#include "cmd/term/command.h"

enum err review_batch_start(struct cmd *cmd, struct fail *fail);
enum err review_batch_accept(struct cmd *cmd, struct fail *fail);

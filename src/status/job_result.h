/* The stored result of a run of a job (store/run/job.h), a JSON object, in words. */
#pragma once

#include "base/mem.h"

/* The reason of a failure: its member "hint" (a command's error, spec 7), else "error"; or that of
 * an object inside it. Null: it has none, or is not JSON. */
struct str job_result_error(struct arena *arena, struct str result);

/* Its other members, without zeros: "requests 12, trades read 3"; of objects inside it: "house:
 * requests 12". Empty: it has none, or is not JSON. */
struct str job_result_words(struct arena *arena, struct str result);

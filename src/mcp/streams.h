/*
 * The server on the process's standard streams: lines from standard input, answers to standard
 * output, one loop that waits for both the caller and the API.
 *
 * It ends when the input does: calls under way then have a moment to be answered, so that
 * requests that a shell pipes in are. SIGTERM and SIGINT end it at once.
 */
#pragma once

#include "base/err.h"
#include "base/str.h"

struct streams_config {
    struct str api_url; /* without /api/v1 */
    struct str api_key; /* null: none */
    struct str ca_file; /* certificates to trust; null: the system's */
};

/* ERR_INVALID: a setting is of the wrong form. ERR_IO: nobody reads the answers any more. */
enum err streams_serve(const struct streams_config *config, struct fail *fail) MUST_CHECK;

/*
 * Runs the server on standard input and output, in one loop that waits for the caller and the API.
 *
 * At the end of the input, calls in progress get a moment to finish, so that requests piped in by a
 * shell get responses. SIGTERM and SIGINT end the process at once.
 */
#pragma once

#include "base/err.h"
#include "base/str.h"

struct streams_config {
    struct str api_url; /* without /api/v1 */
    struct str api_key; /* null: none */
    struct str ca_file; /* CA certificates; null: the system's */
};

/* Returns at the end of the input. ERR_INVALID: a setting is invalid. ERR_IO: cannot write to
 * standard output. */
enum err streams_serve(const struct streams_config *config, struct fail *fail);

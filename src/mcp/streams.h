/*
 * Runs the server on standard input and output, in one loop that waits for the caller and the API.
 *
 * At the end of the input, calls in progress get a moment to finish, so that requests piped in by a
 * shell get responses. SIGTERM and SIGINT end the process at once.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"

struct streams_config {
    struct str api_url; /* without /api/v1 */
    struct str api_key; /* null: none */
    struct str ca_file; /* CA certificates; null: the system's */
};

/* Returns at the end of the input. ERR_INVALID: a setting is invalid. ERR_IO: cannot write to
 * standard output. */
enum err streams_serve(const struct streams_config *config, struct fail *fail);

/*
 * Splits the input into lines: one message of the protocol is one line. The bytes of a line that is
 * too long are skipped, and the line is reported once.
 *
 *     struct str rest = bytes;
 *     while (line_reader_next(&reader, &rest, &line)) ...
 */

enum { LINE_MAX_SIZE = 1024 * 1024 }; /* without its newline */

struct line_reader {
    struct buf line; /* the beginning of the current line */
    bool skipping;   /* the line is too long */
    bool returned;   /* `line` was returned: begin a new one */
};

void line_reader_init(struct line_reader *r);
void line_reader_finish(struct line_reader *r);

/* Removes the next line from *rest. *ret_line is valid until the next call; null: the line was too
 * long. False: *rest ended before the line did. */
bool line_reader_next(struct line_reader *r, struct str *rest, struct str *ret_line);

/* Called at the end of the input: bytes after the last newline are a line too. */
bool line_reader_end(struct line_reader *r, struct str *ret_line);

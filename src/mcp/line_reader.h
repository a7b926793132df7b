/*
 * Splits the input into lines: one message of the protocol is one line. The bytes of a line that is
 * too long are skipped, and the line is reported once.
 *
 *     struct str rest = bytes;
 *     while (line_reader_next(&reader, &rest, &line)) ...
 */
#pragma once

#include "base/buf.h"

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

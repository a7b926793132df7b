/*
 * Bytes as they come cut into lines: one message of the protocol is one line. A line that is too
 * long is skipped to its end without being kept, and reported once.
 *
 *     struct str rest = what was read;
 *     while (line_reader_next(&reader, &rest, &line)) ...
 */
#pragma once

#include "base/buf.h"

enum { LINE_MAX_SIZE = 1024 * 1024 }; /* without its newline */

struct line_reader {
    struct buf begun; /* of a line whose end has not come */
    bool skipping;    /* that line is too long already */
    bool handed_out;  /* `begun` was, as a line */
};

void line_reader_init(struct line_reader *r);
void line_reader_finish(struct line_reader *r);

/* Takes bytes off *rest up to the end of the next line; false when they are used up before it. The
 * line is valid until the next call; the null string says that it was too long. */
bool line_reader_next(struct line_reader *r, struct str *rest, struct str *ret_line);

/* No more bytes will come: what stands behind the last newline is a line too. */
bool line_reader_end(struct line_reader *r, struct str *ret_line);

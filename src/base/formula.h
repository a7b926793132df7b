/*
 * Text in a cell of a spreadsheet. A spreadsheet reads a cell that begins with =, +, - or @, or
 * with their full-width forms, as a formula; some skip quotes, spaces and control characters before
 * it. Where the comma is the decimal mark, a CSV file is split at semicolons, so that a cell may
 * begin in the middle of a value.
 */
#pragma once

#include "base/buf.h"

/* Whether a spreadsheet may read a formula in the text. */
bool formula_in(struct str text);

/* Appends the text with an apostrophe before each formula. A text without one stays as it is. */
void formula_guard(struct buf *b, struct str text);

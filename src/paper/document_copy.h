/* Copies of documents in memory, which confined children read (paper/extract.h). */
#pragma once

#include "base/err.h"
#include "base/str.h"

/* A sealed, read-only copy, to be closed; -1 with errno. */
int document_copy(struct str bytes);

/* The same of a PDF; -1: it is none, or the copy cannot be made, as *ret_err and `fail` say. */
int document_copy_pdf(struct str document, enum err *ret_err, struct fail *fail);

/*
 * The readers of documents: bytes in, cells out. They run in the confined child only; each is a
 * pure function and gives a reading for whatever it is given (READING_REFUSED with a reason where
 * the bytes are not its document). `ret` and all it points to live in the arena.
 */
#pragma once

#include "paper/reading.h"

/* What the first bytes say the file is, whatever its name. */
enum paper {
    PAPER_UNKNOWN,
    PAPER_PDF,
    PAPER_HTML,
    PAPER_ZIP,
    PAPER_XML,
    PAPER_INDEX_TEXT, /* the tab separated index: its header line */
    PAPER_COUNT
};

enum { PAPER_SNIFF_SIZE = 4096 }; /* as many first bytes as paper_sniff wants */

enum paper paper_sniff(struct str head);

/* The output of `pdftotext -bbox`: pages of words with their boxes. A text layer without a word is
 * READING_HOUSE_SCAN. */
void house_ptr_read(struct str bbox, struct arena *arena, struct reading *ret);

/* An eFD page: report, paper viewer, or one of the site's others (refused). */
void senate_page_read(struct str html, struct arena *arena, struct reading *ret);

/* The yearly index as XML, as text, or as the zip of both (the XML counts). */
void house_index_read(struct str bytes, enum paper paper, struct arena *arena, struct reading *ret);

/*
 * The readers of documents: bytes in, cells out. They run only in the confined child. Each is a
 * pure function and returns a reading for any input (READING_REFUSED with a reason if the bytes are
 * not its kind of document). `ret` and all it points to live in the arena.
 */
#pragma once

#include "paper/pdf_examine.h"
#include "paper/reading.h"

/* The file type by its first bytes; the file name is ignored. */
enum paper {
    PAPER_UNKNOWN,
    PAPER_PDF,
    PAPER_HTML,
    PAPER_ZIP,
    PAPER_XML,
    PAPER_INDEX_TEXT, /* the tab separated index: its header line */
    PAPER_COUNT
};

enum { PAPER_SNIFF_SIZE = 4096 }; /* the number of first bytes that paper_sniff needs */

enum paper paper_sniff(struct str head);

/* Reads the output of `pdftotext -bbox`: pages of words with their boxes. A text layer without
 * words is READING_HOUSE_SCAN. `facts` are the findings about the PDF that it comes from. */
void house_ptr_read(
    struct str bbox, const struct pdf_facts *facts, struct arena *arena, struct reading *ret);

/* Where a row stands on the page on which it begins, in hundredths of a point from its top. */
struct house_place {
    int row;  /* as house_ptr_read numbers it */
    int page; /* from 1 */
    int top, bottom;
};

/* Finds the rows of a report in the same text, ascending by row. Returns their number; 0: it is not
 * such a report. */
size_t house_ptr_places(struct str bbox, struct arena *arena, struct house_place **ret);

/* Reads the output of `pdftotext -raw`: type, dates and lower amount of each row, and no other
 * cell. Everything that looks like a row counts, whatever document it is. */
void house_plain_read(struct str text, struct arena *arena, struct reading *ret);

/* Reads an eFD page: a report, a paper viewer, or another page of the site (refused). */
void senate_page_read(struct str html, struct arena *arena, struct reading *ret);

/* Reads the yearly index as XML, as text, or as a zip of both (the XML is used). */
void house_index_read(struct str bytes, enum paper paper, struct arena *arena, struct reading *ret);

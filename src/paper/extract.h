/*
 * Documents read in confinement (docs/adr/0013-extraction.md): a helper process of the same
 * program, started once per run, forks one child per document. The child has the document on a
 * descriptor and nothing else: no network, no other file, no fork, bounded time, memory and output.
 * A PDF has two children, poppler's pdftotext and our reader of its words, with a pipe between
 * them. The picture of a page is made by poppler's pdftoppm, confined in the same way.
 */
#pragma once

#include "paper/reading.h"

enum {
    EXTRACT_TIME_MAX_MS = 20000,
    EXTRACT_CPU_MAX_S = 10,
    EXTRACT_MEMORY_MAX = 512 * 1024 * 1024,
    EXTRACT_FILE_SIZE_MAX = 256 * 1024 * 1024,
    EXTRACT_PICTURE_SIZE_MAX = 16 * 1024 * 1024,
    EXTRACT_PAGE_MAX = 9999,
    EXTRACT_LINES_SIZE_MAX = 1024 * 1024,
};

struct extractor;

/* Starts the helper. `self` is the program to start, usually "/proc/self/exe". */
enum err extractor_create(const char *self, struct extractor **ret, struct fail *fail) MUST_CHECK;
void extractor_destroy(struct extractor *x); /* NULL is fine; ends the helper */

/* Reads the whole file behind the descriptor (from its start; the offset moves), which should be
 * one for reading alone, or sealed: a child can do with it what it allows. A child that dies,
 * hangs or says nonsense gives READING_UNREADABLE with the reason. An error means that the machine
 * failed, not the document: no process, no memory file. */
enum err extract(
    struct extractor *x, int fd, struct arena *arena, struct reading *ret,
    struct fail *fail) MUST_CHECK;

/* Puts the page (from 1 to EXTRACT_PAGE_MAX) of the PDF behind the descriptor into `ret`, which is
 * empty and has room for EXTRACT_PICTURE_SIZE_MAX: a PNG with 150 dots to the inch. ERR_NOT_FOUND:
 * it has no such page. ERR_INVALID: it cannot be read as a PDF. ERR_LIMIT: time, memory or size of
 * the picture were not enough. ERR_IO: the machine failed. */
enum err extract_picture(struct extractor *x, int fd, int page, struct buf *ret, struct fail *fail)
    MUST_CHECK;

/* ERR_NOT_FOUND: tesseract, which nothing else asks for, is not installed. */
enum err extract_lines_ready(struct fail *fail) MUST_CHECK;

/* Puts the text that tesseract reads in the picture behind the descriptor into `ret`, which is
 * empty and has room for EXTRACT_LINES_SIZE_MAX. It may be any bytes. Fails as extract_picture
 * does. */
enum err extract_lines(struct extractor *x, int fd, struct buf *ret, struct fail *fail) MUST_CHECK;

/* The helper's own main, `stockact extract` (hidden): serves requests on descriptor 0 until it
 * closes. */
int extract_main(void);

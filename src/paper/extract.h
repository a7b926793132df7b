/*
 * Reads documents in confinement (docs/adr/0013-extraction.md). A helper process of the same
 * program, started once per run, forks one child per document. The child holds the document on a
 * descriptor and has no network, no other file and no fork; its time, memory and output are
 * bounded. A PDF has two children with a pipe between them: poppler's pdftotext and our reader of
 * its words. poppler's pdftoppm draws the picture of a page, or a part of it, confined in the same
 * way. Not for two threads at once.
 */
#pragma once

#include <stdatomic.h>

#include "base/progress_hook.h"
#include "paper/reading.h"

enum {
    EXTRACT_TIME_MAX_MS = 20000,
    EXTRACT_CPU_MAX_S = 10,
    EXTRACT_MEMORY_MAX = 512 * 1024 * 1024,
    EXTRACT_FILE_SIZE_MAX = 256 * 1024 * 1024,
    EXTRACT_PICTURE_SIZE_MAX = 16 * 1024 * 1024,
    EXTRACT_PAGE_MAX = 9999,
    EXTRACT_DPI_MAX = 300,
    EXTRACT_DOTS_MAX = 99999,
    EXTRACT_POINTS_MAX = 1000000, /* hundredths: of a place on a page */
    EXTRACT_LINES_SIZE_MAX = 1024 * 1024,
    EXTRACT_SCAN_PAGES_MAX = 300,
    EXTRACT_SCAN_ROWS_MAX = 3000,
    EXTRACT_SCAN_TIME_MAX_MS = 60000, /* of one page, after it is drawn */
    EXTRACT_SCAN_CPU_MAX_S = 20,
    EXTRACT_SCAN_WHOLE_MAX_MS = 600000, /* of all pages */
};

struct extractor;

/* Starts the helper. `self` is the program to start, usually "/proc/self/exe". */
enum err extractor_create(const char *self, struct extractor **ret, struct fail *fail);
void extractor_destroy(struct extractor *x); /* NULL is fine; ends the helper */

/* Lowers the limits of time below EXTRACT_TIME_MAX_MS and EXTRACT_CPU_MAX_S. */
void extractor_shorten(struct extractor *x, int time_max_ms, int cpu_max_s);

/* Lowers the limits of all pages of a scan together below EXTRACT_SCAN_WHOLE_MAX_MS and
 * EXTRACT_SCAN_ROWS_MAX; for tests. */
void extractor_shorten_scan(struct extractor *x, int whole_max_ms, size_t rows_max);

/* From now on, a request ends with ERR_UNAVAILABLE soon after *stop is set, from any thread; the
 * helper is killed. `stop` must outlive the extractor. */
void extractor_stop_when(struct extractor *x, const atomic_bool *stop);

/* Reads the whole file behind the descriptor from its start; the offset moves. The child can do
 * with the descriptor whatever its mode allows, so pass one that is read-only or sealed. A child
 * that crashes, hangs or writes an invalid reading gives READING_UNREADABLE with the reason. An
 * error means that the machine failed, not the document: no process, no memory file. */
enum err extract(
    struct extractor *x, int fd, struct arena *arena, struct reading *ret, struct fail *fail);

/* Reads a House report in a second way, by patterns in its plain text: rows with type, dates and
 * lower amount only. Otherwise like `extract`. READING_REFUSED: it is not a PDF. */
enum err extract_plain(
    struct extractor *x, int fd, struct arena *arena, struct reading *ret, struct fail *fail);

/* Writes page `page` (1 to EXTRACT_PAGE_MAX) of the PDF behind the descriptor to `ret` as a PNG at
 * 150 dots per inch. `ret` must be empty and have room for EXTRACT_PICTURE_SIZE_MAX. ERR_NOT_FOUND:
 * the document has no such page. ERR_INVALID: it cannot be read as a PDF. ERR_LIMIT: it exceeds the
 * limits of time, memory or picture size. ERR_IO: the machine failed. */
enum err extract_picture(struct extractor *x, int fd, int page, struct buf *ret, struct fail *fail);

/* A part of a page, as wide as the page. */
struct extract_part {
    int page;        /* 1 to EXTRACT_PAGE_MAX */
    int dpi;         /* dots per inch, at most EXTRACT_DPI_MAX; 0: see the next */
    int side;        /* dots of the longer side of the whole page */
    int top, height; /* in dots, at most EXTRACT_DOTS_MAX; height 0: to the end of the page */
};

/* Writes that part to `ret` as poppler's gray picture (scan/gray.h). Otherwise like
 * extract_picture; a part below the page is ERR_INVALID. */
enum err extract_gray(
    struct extractor *x, int fd, const struct extract_part *part, struct buf *ret,
    struct fail *fail);

/* Finds the rows of a House report (paper/readers.h), in the arena. ERR_INVALID: it is not such a
 * report, or the child wrote something else. Other errors as in extract_picture. */
struct house_place;
enum err extract_places(
    struct extractor *x, int fd, struct arena *arena, struct house_place **ret, size_t *ret_count,
    struct fail *fail);

/* Reads the pages of a scan into the rows and pages of its reading, which `extract` gave. A page
 * that cannot be read, or not in full, has the reason. Tells `progress` (NULL: nobody) the number
 * of each page before it is read. An error means that the machine failed. */
enum err extract_scan(
    struct extractor *x, int fd, const struct progress_hook *progress, struct arena *arena,
    struct reading *reading, struct fail *fail);

/* Whether the texts on scanned pages are read: tesseract is installed. */
bool extract_reads_texts(void);

/* The main function of the helper, `stockact extract` (hidden): serves requests on descriptor 0
 * until it closes. */
int extract_main(void);

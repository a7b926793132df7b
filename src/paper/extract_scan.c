/*
 * Reads the pages of a scan, one after the other: pdftoppm draws a page, a child reads it with
 * tesseract's help, and its rows join those before. See extract.h.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory_file.h"
#include "paper/extract_parts.h"
#include "paper/document_copy.h"
#include "scan/gray.h"

enum {
    DPI = 200,       /* of the Clerk's scans */
    SIDE_MAX = 3400, /* of a page on the longest paper; a longer one has odd points */
    SIDE = 2200,     /* of a letter page at DPI */
    GROWTH = 16,
    DRAW_AGAIN_MAX_MS = 5000,
};

#define NO_TEXT "its text was not read: "

struct scan_pages {
    struct extractor *x;
    struct extract_scan_limits limits;
    int document;
    struct arena *arena;
    struct reading *to;
    size_t row_room;
};

/* --- one page */

static bool is_too_large(struct str graymap)
{
    struct gray gray;
    return gray_read(graymap, &gray) && (gray.width > SIDE_MAX || gray.height > SIDE_MAX);
}

/* Scans of the Senate count one point for each dot: such a page is drawn by its size. One that took
 * long is not drawn again: what is on it takes the time, not its size. */
static enum err draw(struct scan_pages *r, int page, struct buf *ret, struct fail *fail)
{
    const struct extract_part plain = {.page = page, .dpi = DPI}, fitted = {page, .side = SIDE};
    int64_t began = clock_mono_ms();
    enum err err = extract_gray(r->x, r->document, &plain, ret, fail);
    if (err == ERR_LIMIT && clock_mono_ms() - began > DRAW_AGAIN_MAX_MS)
        return err;
    if (err != ERR_LIMIT && !(err == OK && is_too_large(buf_view(ret))))
        return err;
    buf_reset(ret);
    TRY(extract_gray(r->x, r->document, &fitted, ret, fail));
    /* of a page for which pdftoppm has not enough memory */
    if (str_starts(buf_view(ret), STR("P5\n1 1\n")))
        return fail_set(fail, ERR_LIMIT, "the page is too large to draw");
    return OK;
}

/* Why there is no reading; NULL: there is one. */
static const char *why_unread(const struct extract_reply *reply)
{
    if (reply->timed_out)
        return "reading the page exceeds the time limit";
    if (reply->failed)
        return "cannot start a process to read the page";
    if (WIFSIGNALED(reply->reader) && WTERMSIG(reply->reader) == SIGXCPU)
        return "reading the page exceeds the CPU time limit";
    if (WIFSIGNALED(reply->reader))
        return "the reader of the page failed or exceeded its memory limit";
    return WEXITSTATUS(reply->reader)
               ? "the reader of the page could not be confined, or its output was too large"
               : NULL;
}

bool extract_reads_texts(void)
{
    return access(EXTRACT_TESSERACT, X_OK) == 0;
}

/* Why the text of a page that was read is missing; NULL: it is not, or there is none. */
static const char *why_no_text(const struct extract_reply *reply)
{
    if (!extract_reads_texts())
        return NO_TEXT "tesseract is not installed";
    if (!reply->tool)
        return NULL;
    return WIFSIGNALED(reply->tool) ? NO_TEXT "tesseract exceeded its limits of time or memory"
                                    : NO_TEXT "tesseract failed";
}

static enum err take_output(
    struct scan_pages *r, int output, struct reading *ret, struct fail *fail)
{
    struct stat st;
    if (fstat(output, &st) < 0 || st.st_size <= 0 || st.st_size > READING_SIZE_MAX)
        return fail_set(fail, ERR_INVALID, "the reader of the page returned nothing");
    size_t size = (size_t)st.st_size;
    char *json = mem_alloc(size);
    enum err err = pread(output, json, size, 0) == (ssize_t)size
                       ? reading_parse(str_of(json, size), r->arena, ret, fail)
                       : ERR_INVALID;
    mem_free(json);
    bool whole = !err && ret->page_count == 1 && ret->kind == READING_HOUSE_SCAN;
    return whole ? OK : fail_set(fail, ERR_INVALID, "the reader of the page returned no reading");
}

/* ERR_INVALID, ERR_LIMIT: the page is not read, `fail` says why. */
static enum err read_picture(
    struct scan_pages *r, int picture, int output, int page, struct reading *ret, struct fail *fail)
{
    struct extract_request request = {.job = EXTRACT_JOB_SCAN, .page = page};
    struct extract_reply reply;
    bool ended = false;
    TRY(extract_ask(r->x, &request, picture, output, &reply, &ended, fail));
    const char *why =
        ended ? "the extraction helper ended while reading the page" : why_unread(&reply);
    if (why)
        return fail_set(fail, ERR_LIMIT, "%s", why);
    enum err err = take_output(r, output, ret, fail);
    why = err ? NULL : why_no_text(&reply);
    if (why && !str_is_null(ret->pages[0].form) && str_is_null(ret->pages[0].reason))
        ret->pages[0].reason = str_from(why);
    return err;
}

static enum err read_page(struct scan_pages *r, int page, struct reading *ret, struct fail *fail)
{
    struct buf graymap;
    buf_init(&graymap, EXTRACT_PICTURE_SIZE_MAX);
    enum err err = draw(r, page, &graymap, fail);
    FD_CLOSED int picture = err ? -1 : document_copy(buf_view(&graymap));
    FD_CLOSED int output = err ? -1 : memory_file_create("stockact-page");
    if (!err && (picture < 0 || output < 0 || lseek(picture, 0, SEEK_SET) < 0))
        err = fail_set(fail, ERR_IO, "cannot create a memory file for a page: %s", strerror(errno));
    buf_finish(&graymap);
    if (!err)
        err = read_picture(r, picture, output, page, ret, fail);
    return err;
}

/* --- all pages */

static void add_page(struct scan_pages *r, const struct reading_page *page)
{
    r->to->pages[r->to->page_count++] = *page;
}

static void add_rows(struct scan_pages *r, const struct reading *page)
{
    struct reading *to = r->to;
    size_t count = to->row_count + page->row_count;
    if (count > r->row_room) {
        struct reading_row *before = to->rows;
        r->row_room = 2 * count + GROWTH;
        to->rows = ARENA_ARRAY(r->arena, struct reading_row, r->row_room);
        if (to->row_count)
            memcpy(to->rows, before, to->row_count * sizeof *before);
    }
    for (size_t i = 0; i < page->row_count; i++) {
        struct reading_row *row = &to->rows[to->row_count++];
        *row = page->rows[i];
        row->row = (int)to->row_count;
        row->page = page->pages[0].page;
    }
}

/* A reason for this page, or, as the last one, for it and all behind it. */
static void add_unread(struct scan_pages *r, int page, struct str reason)
{
    const struct reading_page unread = {.page = page, .reason = arena_str(r->arena, reason)};
    add_page(r, &unread);
}

/* *ret_more: there was such a page. */
static enum err take_page(struct scan_pages *r, int page, bool *ret_more, struct fail *fail)
{
    struct reading read;
    enum err err = read_page(r, page, &read, fail);
    *ret_more = err != ERR_NOT_FOUND;
    if (err == ERR_INVALID || err == ERR_LIMIT)
        add_unread(r, page, str_from(fail->text));
    else if (err)
        return err == ERR_NOT_FOUND ? OK : err;
    else {
        bool room = r->to->row_count + read.row_count <= r->limits.rows_max;
        read.pages[0].page = page;
        if (!room)
            read.pages[0].reason = STR("its rows were left out: a scan is read up to 3,000 rows");
        add_page(r, &read.pages[0]);
        if (room)
            add_rows(r, &read);
    }
    return OK;
}

/* The pages from this one on are over a limit, if there are any. */
static enum err end_early(struct scan_pages *r, int page, struct fail *fail)
{
    enum { SMALL = 100 };
    const struct extract_part small = {.page = page, .side = SMALL};
    struct buf graymap;
    buf_init(&graymap, EXTRACT_PICTURE_SIZE_MAX);
    enum err err = extract_gray(r->x, r->document, &small, &graymap, fail);
    buf_finish(&graymap);
    if (err == ERR_NOT_FOUND)
        return OK;
    add_unread(
        r, page,
        page > EXTRACT_SCAN_PAGES_MAX
            ? STR("this page and all after it were not read: a scan is read up to 300 pages")
            : STR("this page and all after it were not read: a scan is read for 10 minutes"));
    return err == ERR_INVALID || err == ERR_LIMIT ? OK : err;
}

enum err extract_scan(
    struct extractor *x, int fd, const struct progress_hook *progress, struct arena *arena,
    struct reading *reading, struct fail *fail)
{
    struct scan_pages r = {
        .x = x,
        .limits = extract_scan_limits_of(x),
        .document = fd,
        .arena = arena,
        .to = reading,
    };
    int64_t deadline = clock_mono_ms() + r.limits.whole_max_ms;
    bool more = true;
    enum err err = OK;
    reading->pages = ARENA_ARRAY(arena, struct reading_page, READING_PAGES_MAX);
    reading->page_count = 0;
    reading->rows = NULL;
    reading->row_count = 0;
    for (int page = 1; more && !err; page++) {
        if (page > EXTRACT_SCAN_PAGES_MAX || clock_mono_ms() > deadline)
            return end_early(&r, page, fail);
        progress_at_part(progress, page);
        err = take_page(&r, page, &more, fail);
    }
    return err;
}

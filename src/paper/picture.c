/* Pictures of pages; see picture.h. */
#include "paper/picture.h"

#include "base/memory_file.h"
#include "paper/document_copy.h"
#include "paper/scan_picture.h"
#include "store/desk/draft.h"
#include "store/desk/draft_row.h"
#include "store/public/document.h"

enum { SIDE = 2200 }; /* of a page of a scan: letter paper with 200 dots per inch */

/* "house-8220001": the document's kind and its official id. */
static enum err latest_version(
    struct db *db, struct str filing_id, struct arena *arena, int64_t *ret, struct fail *fail)
{
    struct document_entry entry;
    struct document_version version;
    struct str source_id = filing_id, kind;
    str_split(&source_id, '-', &kind);
    enum err err = document_find(db, kind, source_id, arena, &entry, fail);
    if (!err)
        err = document_version_latest(db, entry.no, &version, fail);
    if (!err)
        *ret = version.no;
    return err == ERR_NOT_FOUND ? fail_set(
                                      fail, err, "no file of %.*s is imported: there is no picture",
                                      STR_ARG(filing_id))
                                : err;
}

/* The version that the newest draft is made from; the latest, if there is none. */
static enum err find_version(
    struct db *db, struct str filing_id, struct arena *arena, int64_t *ret, struct fail *fail)
{
    struct draft draft;
    enum err err = draft_find(db, filing_id, arena, &draft, fail);
    if (err && err != ERR_NOT_FOUND)
        return err;
    *ret = err ? 0 : draft.is.document_version;
    return *ret ? OK : latest_version(db, filing_id, arena, ret, fail);
}

static enum err read_bytes(
    struct db *db, struct str filing_id, int64_t version, struct buf *to, struct fail *fail)
{
    enum err err = document_bytes_read(db, version, to, fail);
    return err == ERR_NOT_FOUND
               ? fail_set(
                     fail, err, "the file of %.*s was not kept: there is no picture",
                     STR_ARG(filing_id))
               : err;
}

static enum err draw_plain(
    struct extractor *x, struct str bytes, int page, struct buf *ret, struct fail *fail)
{
    enum err err;
    int fd = document_copy_pdf(bytes, &err, fail);
    if (fd < 0)
        return err;
    err = extract_picture(x, fd, page, ret, fail);
    memory_file_close(fd);
    return err;
}

/* What is drawn, from one version of a document. */
struct picture_source {
    struct str filing_id;
    int64_t version;
    struct scan_picture what;
    bool scan; /* the page is one of a scan */
};

static enum err find_page(
    struct db *db, struct arena *arena, struct picture_source *source, struct fail *fail)
{
    struct document_page_list pages;
    enum err err = document_page_load(db, source->version, arena, &pages, fail);
    for (size_t i = 0; !err && i < pages.count; i++)
        if (pages.items[i].page == source->what.page) {
            source->what.turn = pages.items[i].turn;
            source->what.skew = pages.items[i].skew;
            source->scan = true;
        }
    return err;
}

static enum err draw(
    struct db *db, struct extractor *x, const struct picture_source *source, struct buf *ret,
    struct fail *fail)
{
    BUF_SCOPED(bytes, DOCUMENT_BYTES_MAX);
    enum err err = read_bytes(db, source->filing_id, source->version, &bytes, fail);
    if (!err && source->scan)
        err = scan_picture_draw(x, buf_view(&bytes), &source->what, ret, fail);
    else if (!err)
        err = draw_plain(x, buf_view(&bytes), source->what.page, ret, fail);
    return err;
}

enum err picture_render(
    struct db *db, struct extractor *x, struct str filing_id, int page, struct buf *ret,
    struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct picture_source source = {.filing_id = filing_id, .what = {.page = page, .side = SIDE}};
    TRY(find_version(db, filing_id, &arena, &source.version, fail));
    TRY(find_page(db, &arena, &source, fail));
    return draw(db, x, &source, ret, fail);
}

static enum err find_row(
    struct db *db, int row, struct arena *arena, struct picture_source *source, struct fail *fail)
{
    struct draft draft;
    struct draft_row_list rows = {.count = 0};
    enum err err = draft_find(db, source->filing_id, arena, &draft, fail);
    if (!err)
        err = draft_row_load(db, draft.no, arena, &rows, fail);
    for (size_t i = 0; !err && i < rows.count; i++)
        if (rows.items[i].row == row && rows.items[i].place.width) {
            source->version = draft.is.document_version;
            source->what.page = rows.items[i].page;
            source->what.place = rows.items[i].place;
            return find_page(db, arena, source, fail);
        }
    return err ? err
               : fail_set(
                     fail, ERR_NOT_FOUND,
                     "row %d of %.*s was not read from a scan, so its place on a page is not known",
                     row, STR_ARG(source->filing_id));
}

enum err picture_render_row(
    struct db *db, struct extractor *x, struct str filing_id, int row, int *ret_page,
    struct buf *ret, struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct picture_source source = {.filing_id = filing_id, .what.side = SIDE};
    enum err err = find_row(db, row, &arena, &source, fail);
    if (!err)
        err = draw(db, x, &source, ret, fail);
    *ret_page = source.what.page;
    return err;
}

/* Pictures of documents; see pictures.h. */
#include "site/frame/pictures.h"

#include "base/hash.h"
#include "http/page_cache.h"
#include "paper/picture.h"
#include "paper/row_picture.h"
#include "site/frame/page_call_parts.h"
#include "store/public/document.h"

enum {
    CACHE_MAX = 64 << 20,
    TIME_MAX_MS = 5000, /* of one step of the drawing; a page of the Clerk's takes 100 */
    CPU_MAX_S = 3,
    LATER_S = 60,
    TAG_SIZE = 32,
};

/* Part of the tag: another number wherever the same document gives another picture than before. */
#define VERSION_TEXT "2"

/* Stands in the cache for a picture that cannot be drawn. */
static const struct str nothing = STR_INIT("none");

struct pictures {
    struct extractor *extractor; /* NULL: not started */
    struct page_cache *cache;
};

struct pictures *pictures_create(void)
{
    struct pictures *pictures = MEM_NEW(struct pictures);
    pictures->cache = page_cache_create(CACHE_MAX);
    return pictures;
}

void pictures_destroy(struct pictures *pictures)
{
    if (!pictures)
        return;
    extractor_destroy(pictures->extractor);
    page_cache_destroy(pictures->cache);
    mem_free(pictures);
}

int pictures_page_number(struct str segment)
{
    static const struct str suffix = STR_INIT(".png");
    enum { DIGITS_MAX = 4 };
    if (!str_ends(segment, suffix) || segment.n - suffix.n > DIGITS_MAX || segment.p[0] == '0')
        return 0;
    int number = 0;
    for (size_t i = 0; i < segment.n - suffix.n; i++) {
        if (!ascii_is_digit(segment.p[i]))
            return 0;
        number = 10 * number + (segment.p[i] - '0');
    }
    return number;
}

static uint64_t hash_of(const struct picture *picture)
{
    char room[128];
    struct buf b = buf_over(room, sizeof room);
    buf_put(&b, picture->document.sha256, SHA256_SIZE);
    buf_fmt(&b, " %d %d " VERSION_TEXT, picture->row, picture->page);
    if (picture->marked)
        buf_str(&b, STR(" marked"));
    const struct kept_scan *scan = &picture->scan;
    if (scan->known)
        buf_fmt(
            &b, " %d %d %d %d %d", scan->page, scan->turn, scan->skew, scan->place.top,
            scan->place.height);
    return hash_str(buf_view(&b));
}

/* --- drawing */

/* Starts the helper with the first picture: a server without documents never has one. It inherits
 * the confinement and the low priority of this thread. */
static enum err start(struct pictures *pictures, const atomic_bool *stop, struct fail *fail)
{
    if (pictures->extractor)
        return OK;
    enum err err = extractor_create("/proc/self/exe", &pictures->extractor, fail);
    if (!err) {
        extractor_shorten(pictures->extractor, TIME_MAX_MS, CPU_MAX_S);
        extractor_stop_when(pictures->extractor, stop);
    }
    return err == ERR_NOT_FOUND ? ERR_UNAVAILABLE : err; /* poppler is not installed: `fail` says */
}

static enum err draw_scan(
    struct pictures *pictures, struct str bytes, const struct picture *p, struct buf *ret,
    struct fail *fail)
{
    const struct kept_scan *scan = &p->scan;
    const struct scan_picture what = {
        .page = scan->page,
        .turn = scan->turn,
        .skew = scan->skew,
        .place = scan->place,
        .marked = p->marked,
        .side = scan->place.width && !p->marked ? SCAN_STRIP_WIDTH : PAGE_PICTURE_HEIGHT,
    };
    return scan_picture_draw(pictures->extractor, bytes, &what, ret, fail);
}

static enum err draw(
    struct pictures *pictures, struct db *db, const struct picture *p, struct buf *ret,
    struct fail *fail)
{
    BUF_SCOPED(bytes, DOCUMENT_BYTES_MAX);
    enum err err = document_bytes_read(db, p->document.version_no, &bytes, fail);
    if (!err && p->scan.known)
        err = draw_scan(pictures, buf_view(&bytes), p, ret, fail);
    else if (!err && p->row && !p->marked)
        err = row_picture_draw(pictures->extractor, buf_view(&bytes), p->row, p->page, ret, fail);
    else if (!err)
        err = page_picture_draw(pictures->extractor, buf_view(&bytes), p->page, p->row, ret, fail);
    return err;
}

/* Drawing it again would give the same. */
static bool is_final(enum err err)
{
    return err == ERR_NOT_FOUND || err == ERR_INVALID || err == ERR_REFUSED;
}

/* Perhaps the machine is busy, so this is not remembered. */
static void answer_too_long(struct page_call *call)
{
    page_problem(
        call, PROBLEM_UNAVAILABLE, STR("Drawing this page took too long. Try again in a minute."));
    call->reply->retry_after_s = LATER_S;
}

static void answer_nothing(struct page_call *call)
{
    page_problem(call, PROBLEM_NOT_FOUND, STR("This page of the document cannot be drawn."));
}

/* false: the client must wait. */
static bool pass_limit(struct page_call *call, struct fail *fail)
{
    int64_t retry_s;
    bool desk = call->page->access == PAGE_REVIEWER;
    struct str account = desk ? call->visitor.account.id : STR_NULL;
    if (call->config->limits_factor > 1 ||
        !attempts_draw_picture(
            call->config->attempts, account, &call->client, call->now_ms, &retry_s, fail))
        return true;
    page_too_many(call, retry_s);
    return false;
}

static enum err draw_new(
    struct page_call *call, const struct picture *picture, struct str tag, struct buf *body,
    struct fail *fail)
{
    struct pictures *pictures = call->reply->site->pictures;
    if (!pass_limit(call, fail))
        return OK;
    TRY(start(pictures, &call->reply->site->drained, fail));
    enum err err = draw(pictures, call->db, picture, body, fail);
    if (!err) {
        page_cache_put(pictures->cache, tag, buf_view(body));
        return OK;
    }
    buf_reset(body);
    if (err == ERR_LIMIT) {
        answer_too_long(call);
        return OK;
    }
    if (err == ERR_UNAVAILABLE && http_client_left(call->x)) { /* the server stops */
        page_problem(call, PROBLEM_UNAVAILABLE, STR_NULL);
        return OK;
    }
    if (!is_final(err))
        return err;
    page_cache_put(pictures->cache, tag, nothing);
    answer_nothing(call);
    return OK;
}

enum err pictures_answer(struct page_call *call, const struct picture *picture, struct fail *fail)
{
    struct pictures *pictures = call->reply->site->pictures;
    struct buf *body = http_body(call->x);
    char room[TAG_SIZE];
    struct buf tag = buf_over(room, sizeof room);
    uint64_t hash = hash_of(picture);
    buf_fmt(&tag, "%016llx", (unsigned long long)hash);
    if (page_picture(call, hash))
        return OK;
    if (!page_cache_get(pictures->cache, buf_view(&tag), body))
        return draw_new(call, picture, buf_view(&tag), body, fail);
    if (str_eq(buf_view(body), nothing)) {
        buf_reset(body);
        answer_nothing(call);
    }
    return OK;
}

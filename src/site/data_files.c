/*
 * /data: the snapshots of the record (record/snapshot.h), as files and as pages that can be cited.
 *
 * A folder of a day never changes, so that caches keep its files for good. It is served when its
 * manifest is signed, and when all rows in it are as old as visitors may see: neither one that was
 * made with --whole, nor one that a shorter delay made, is.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/codec.h"
#include "base/hash.h"
#include "record/record_folder.h"
#include "site/data/list_csv.h"
#include "site/frame/handlers.h"
#include "site/frame/page_call_parts.h"
#include "site/frame/reader.h"
#include "status/words.h"

enum { PIECE = 64 * 1024, EARLIER_MAX = 60 };

#define LATEST "latest"

static const struct str TITLE =
    STR_INIT("Stock trades that members of the U.S. Congress disclosed");

/* --- versions */

static bool is_for_visitors(const struct page_call *call, const struct manifest *m)
{
    int64_t line = reader_until_visitors(call);
    return !m->whole &&
           (line == INSTANT_NONE || (m->until_ms != INSTANT_NONE && m->until_ms <= line));
}

static enum err list_days(struct page_call *call, struct backup_list *ret, struct fail *fail)
{
    *ret = (struct backup_list){0};
    if (str_is_null(call->config->snapshots))
        return OK;
    enum err err = record_folder_days(call->config->snapshots, call->arena, ret, fail);
    return err == ERR_NOT_FOUND ? OK : err; /* none was made yet */
}

/* The version of a day, or the newest one. *ret_at: its place in the list. ERR_NOT_FOUND. */
static enum err find(
    struct page_call *call, const struct backup_list *days, struct str name,
    struct record_day **ret, int *ret_at, struct fail *fail)
{
    bool latest = str_eq(name, STR(LATEST));
    for (int i = days->count; i-- > 0;) {
        struct record_day *day = ARENA_NEW(call->arena, struct record_day);
        if (!latest && !str_eq(record_folder_name(days->files[i]), name))
            continue;
        TRY(record_folder_read(NULL, days->files[i], call->arena, day, fail));
        if (is_for_visitors(call, &day->manifest)) {
            *ret = day;
            *ret_at = i;
            return OK;
        }
    }
    return fail_set(fail, ERR_NOT_FOUND, "there is no such version");
}

/* --- files */

struct file_sending {
    int fd;
    uint64_t at, end;
};

/* A file that is shorter than it was ends the reply early: its client sees that it was cut. */
static enum http_stream_next turn(struct http_exchange *x, struct buf *out)
{
    struct file_sending *s = page_stream_ctx(x);
    size_t want = s->end - s->at < PIECE ? (size_t)(s->end - s->at) : PIECE;
    char *room = buf_reserve(out, want);
    ssize_t n = room ? pread(s->fd, room, want, (off_t)s->at) : -1;
    if (n <= 0)
        return HTTP_STREAM_END;
    buf_commit(out, (size_t)n);
    s->at += (uint64_t)n;
    return s->at < s->end ? HTTP_STREAM_MORE : HTTP_STREAM_END;
}

static void ended(struct http_exchange *x)
{
    const struct file_sending *s = page_stream_ctx(x);
    close(s->fd);
}

static const struct http_streamer streamer = {.turn = turn, .ended = ended, .finite = true};

static struct str type_of(struct str name)
{
    static const struct {
        struct str suffix, type;
    } types[] = {
        {STR_INIT(".gz"), STR_INIT("application/gzip")},
        {STR_INIT(".json"), STR_INIT("application/json")},
        {STR_INIT(".sqlite"), STR_INIT("application/vnd.sqlite3")},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (str_ends(name, types[i].suffix))
            return types[i].type;
    return STR("text/plain; charset=utf-8");
}

/* The file of a version has an entity tag of the manifest, which vouches for it. */
static enum err send_file(
    struct page_call *call, struct str path, const struct record_day *day, struct fail *fail)
{
    struct file_sending *s = ARENA_NEW(call->arena, struct file_sending);
    struct str name = record_folder_name(path);
    struct stat is;
    bool gzip;
    s->fd = open(path.p, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (s->fd < 0 || fstat(s->fd, &is) != 0) {
        if (s->fd >= 0)
            close(s->fd);
        return fail_set(fail, ERR_IO, "cannot read \"%.*s\"", STR_ARG(path));
    }
    BUF_SCOPED(tagged, SIZE_MAX);
    buf_put(&tagged, day->sha256, sizeof day->sha256);
    buf_str(&tagged, name);
    uint64_t hash = hash_str(buf_view(&tagged));
    struct representation r = representation_choose(call->x, MEDIA_NONE, hash, 0);
    bool any =
        r.unchanged || representation_range(call->x, &r, (uint64_t)is.st_size, &s->at, &s->end);
    if (!any || r.unchanged)
        close(s->fd);
    if (!any) {
        page_problem(call, PROBLEM_RANGE, STR_NULL);
        return OK;
    }
    int status = http_reply_status(call->x);
    page_surrogate(call, "list", STR("trades"));
    page_surrogate_brief(call); /* nothing purges `latest` */
    call->reply->lasting = call->config->open_data && !str_eq(call->segments[0], STR(LATEST));
    call->reply->personal = !call->config->open_data;
    page_file(call, type_of(name), hash, 0, &gzip);
    http_status(call->x, status);
    http_head_raw(call->x, STR("Accept-Ranges: bytes\r\n"));
    if (r.unchanged)
        return OK;
    http_stream_size(call->x, s->end - s->at);
    page_file_stream(call, &streamer, s);
    return OK;
}

enum err data_file_load(struct page_call *call, struct fail *fail)
{
    struct backup_list days;
    struct record_day *day;
    int at;
    if (!list_csv_may(call, fail))
        return OK;
    TRY(list_days(call, &days, fail));
    TRY(find(call, &days, call->segments[0], &day, &at, fail));
    if (!manifest_names(&day->manifest, call->segments[1]))
        return fail_set(fail, ERR_NOT_FOUND, "the version has no such file");
    struct str path =
        arena_fmt(call->arena, "%.*s/%.*s", STR_ARG(days.files[at]), STR_ARG(call->segments[1]));
    return send_file(call, path, day, fail);
}

enum err data_key_load(struct page_call *call, struct fail *fail)
{
    buf_str(http_body(call->x), str_from(call->reply->site->record_key));
    page_download(call, STR("text/plain; charset=utf-8"), STR_NULL);
    return OK;
}

/* --- the page */

static struct str hex_of(struct arena *arena, const uint8_t digest[static SHA256_SIZE])
{
    char hex[2 * SHA256_SIZE];
    hex_encode(digest, SHA256_SIZE, hex);
    return arena_str(arena, str_of(hex, sizeof hex));
}

static struct str path_of(struct page_call *call, struct str day, struct str name)
{
    return arena_fmt(call->arena, "/data/%.*s/%.*s", STR_ARG(day), STR_ARG(name));
}

static void put_files(struct page_call *call, struct view *version, const struct manifest *m)
{
    struct view *list = view_list(version, "files");
    for (size_t i = 0; i < m->file_count; i++) {
        const struct manifest_file *file = &m->files[i];
        struct view *row = view_item(list);
        view_str(row, "name", file->name);
        view_str(row, "href", path_of(call, m->day, file->name));
        view_str(row, "size", words_bytes(call->arena, file->bytes));
        view_count(row, "rows", file->rows);
    }
}

/* The files as schema.org has them, for the searches of data sets. */
static void put_linked_data(struct page_call *call, const struct manifest *m)
{
    BUF_SCOPED(json, SIZE_MAX);
    struct json_out j;
    json_init(&j, &json);
    json_object_begin(&j);
    JSON_KEY_STR(&j, "@context", STR("https://schema.org"));
    JSON_KEY_STR(&j, "@type", STR("Dataset"));
    JSON_KEY_STR(&j, "name", TITLE);
    JSON_KEY_STR(
        &j, "description",
        STR("Every trade of the reports that are published, with its official document, and the "
            "members, filings, corrections, committee seats and conflict signals."));
    JSON_KEY_STR(&j, "url", page_url(call, arena_fmt(call->arena, "/data/%.*s", STR_ARG(m->day))));
    JSON_KEY_STR(&j, "version", m->day);
    JSON_KEY_INSTANT(&j, "datePublished", m->created_at);
    JSON_KEY_BOOL(&j, "isAccessibleForFree", call->config->open_data);
    JSON_KEY_ARRAY(&j, "distribution");
    for (size_t i = 0; i < m->file_count; i++) {
        json_object_begin(&j);
        JSON_KEY_STR(&j, "@type", STR("DataDownload"));
        JSON_KEY_STR(&j, "name", m->files[i].name);
        JSON_KEY_STR(&j, "contentUrl", page_url(call, path_of(call, m->day, m->files[i].name)));
        JSON_KEY_STR(&j, "encodingFormat", type_of(m->files[i].name));
        JSON_KEY_STR(&j, "sha256", hex_of(call->arena, m->files[i].sha256));
        json_object_end(&j);
    }
    json_array_end(&j);
    json_object_end(&j);
    page_linked_data(call, buf_view(&json));
}

static void put_version(struct page_call *call, const struct record_day *day, bool newest)
{
    const struct manifest *m = &day->manifest;
    struct view *version = view_object(call->view, "version");
    BUF_SCOPED(key, SIZE_MAX);
    minisign_public_put(&key, &day->key);
    view_str(version, "day", m->day);
    view_count(version, "number", m->sequence);
    view_bool(version, "newest", newest);
    view_instant(version, "created", m->created_at);
    view_instant(version, "until", m->until_ms);
    view_str(version, "sha256", hex_of(call->arena, day->sha256));
    view_str(version, "previous", m->previous);
    view_str(version, "key", buf_view(&key));
    view_str(version, "url", page_url(call, arena_fmt(call->arena, "/data/%.*s", STR_ARG(m->day))));
    put_files(call, version, m);
    put_linked_data(call, m);
    if (!newest)
        page_title(call, arena_fmt(call->arena, "Data of %.*s", STR_ARG(m->day)));
}

/* /data is the newest version, /data/{day} that of a day. */
enum err data_page_load(struct page_call *call, struct fail *fail)
{
    bool one = !str_is_null(call->segments[0]);
    struct backup_list days;
    struct record_day *day = NULL;
    int at = 0;
    TRY(list_days(call, &days, fail));
    enum err err = find(call, &days, one ? call->segments[0] : STR(LATEST), &day, &at, fail);
    if (err && (one || err != ERR_NOT_FOUND))
        return err;
    view_str(call->view, "name", TITLE);
    view_bool(call->view, "open", call->config->open_data);
    view_bool(call->view, "may", reader_csv_rows(call) > 0);
    view_null(call->view, "version");
    struct view *earlier = view_list(call->view, "earlier");
    view_bool(call->view, "hasEarlier", at > 0);
    if (!day)
        return OK;
    put_version(call, day, !one);
    for (int i = at; i-- > 0 && at - i <= EARLIER_MAX;)
        view_item_str(earlier, record_folder_name(days.files[i]));
    return OK;
}

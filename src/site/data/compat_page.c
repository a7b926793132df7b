/*
 * /compat: the files that programs know from projects which are gone. The edition is made again
 * when somebody asks for a file and something has changed that visitors see. One request makes it,
 * and the others get the edition before it, which never has more than they may see: nobody waits.
 */
#include "site/data/compat_page.h"

#include <zlib.h>

#include "base/thread.h"
#include "record/compat.h"
#include "site/frame/handlers.h"
#include "site/frame/page_call_parts.h"
#include "site/frame/reader.h"
#include "store/public/change_log.h"
#include "store/public/trade.h"

enum { PIECE = 64 * 1024, WINDOW_BITS = 15, AS_GZIP = 16 };

/* What an edition depends on. Changes of members reach it with the next day. */
struct compat_key {
    int64_t changes, newest;
    int32_t today;
};

struct compat_cache {
    pthread_mutex_t lock; /* of all below */
    struct compat *edition;
    struct compat_key key;
    bool making;
};

struct compat_cache *compat_cache_create(void)
{
    struct compat_cache *cache = MEM_NEW(struct compat_cache);
    pthread_mutex_init(&cache->lock, NULL);
    return cache;
}

void compat_cache_destroy(struct compat_cache *cache)
{
    if (!cache)
        return;
    compat_release(cache->edition);
    pthread_mutex_destroy(&cache->lock);
    mem_free(cache);
}

/* --- editions */

static enum err read_key(
    const struct page_call *call, int64_t before_ms, struct compat_key *ret, struct fail *fail)
{
    struct change_place last;
    TRY(change_log_last(call->db, &last, fail));
    ret->changes = last.seq;
    ret->today = instant_day_utc(call->now_ms);
    return trade_newest(call->db, before_ms, &ret->newest, fail);
}

/* The edition, held; NULL: there is none yet. key: NULL if it is not known. *ret_make: it is for
 * the caller to make the next. */
static struct compat *hold_newest(
    struct compat_cache *cache, const struct compat_key *key, bool *ret_make)
{
    LOCKED(&cache->lock);
    struct compat *edition = cache->edition;
    bool is = key && edition && cache->key.changes == key->changes &&
              cache->key.newest == key->newest && cache->key.today == key->today;
    *ret_make = key && !is && !cache->making;
    if (*ret_make)
        cache->making = true;
    else if (edition)
        compat_hold(edition);
    return *ret_make ? NULL : edition;
}

/* The caller holds the new one, or the old one if it could not be made. */
static struct compat *put_newest(
    struct compat_cache *cache, const struct compat_key *key, struct compat *made)
{
    pthread_mutex_lock(&cache->lock);
    struct compat *old = made ? cache->edition : NULL;
    if (made) {
        cache->edition = made;
        cache->key = *key;
    }
    if (cache->edition)
        compat_hold(cache->edition);
    struct compat *edition = cache->edition;
    cache->making = false;
    pthread_mutex_unlock(&cache->lock);
    compat_release(old);
    return edition;
}

static enum err hold_edition(struct page_call *call, struct compat **ret, struct fail *fail)
{
    struct compat_cache *cache = call->reply->site->compat;
    struct compat_key key = {0};
    int64_t until = reader_until_visitors(call);
    int64_t before_ms = until == INSTANT_NONE ? INT64_MAX : until;
    bool make = false;
    enum err err = read_key(call, before_ms, &key, fail);
    *ret = hold_newest(cache, err ? NULL : &key, &make);
    if (make) {
        struct compat *made = NULL;
        if (!err)
            err = compat_make(call->db, until, call->config->base_url, &made, fail);
        *ret = put_newest(cache, &key, made);
    }
    if (*ret)
        return OK;
    return err ? err : fail_set(fail, ERR_BUSY, "the files are being made");
}

/* --- replies */

struct sending {
    struct compat *edition;
    const struct compat_file *file;
    size_t at;
    bool gzip;
    z_stream plain;
};

static enum http_stream_next send_gzip(struct sending *s, struct buf *out)
{
    struct str piece = str_slice(s->file->gzip, s->at, s->at + PIECE);
    buf_str(out, piece);
    s->at += piece.n;
    return s->at < s->file->gzip.n ? HTTP_STREAM_MORE : HTTP_STREAM_END;
}

static enum http_stream_next send_plain(struct sending *s, struct buf *out)
{
    char *room = buf_reserve(out, PIECE);
    if (!room)
        return HTTP_STREAM_END;
    s->plain.next_out = (Bytef *)room;
    s->plain.avail_out = PIECE;
    int result = inflate(&s->plain, Z_NO_FLUSH);
    buf_commit(out, PIECE - s->plain.avail_out);
    return result == Z_OK ? HTTP_STREAM_MORE : HTTP_STREAM_END;
}

static enum http_stream_next turn(struct http_exchange *x, struct buf *out)
{
    struct sending *s = page_stream_ctx(x);
    return s->gzip ? send_gzip(s, out) : send_plain(s, out);
}

static void ended(struct http_exchange *x)
{
    struct sending *s = page_stream_ctx(x);
    inflateEnd(&s->plain);
    compat_release(s->edition);
}

static const struct http_streamer streamer = {.turn = turn, .ended = ended, .finite = true};

static void send_file(
    struct page_call *call, struct compat *edition, const struct compat_file *file)
{
    struct sending *s = ARENA_NEW(call->arena, struct sending);
    *s = (struct sending){.edition = edition, .file = file};
    page_surrogate(call, "list", STR("trades"));
    if (page_file(call, file->type, file->hash, SIZE_MAX, &s->gzip)) {
        compat_release(edition);
        return;
    }
    union {
        const char *text;
        Bytef *bytes;
    } in = {.text = file->gzip.p}; /* zlib's pointer lacks const */
    s->plain.next_in = in.bytes;
    s->plain.avail_in = (uInt)file->gzip.n;
    if (inflateInit2(&s->plain, WINDOW_BITS + AS_GZIP) != Z_OK)
        s->plain = (z_stream){0};
    page_file_stream(call, &streamer, s);
}

enum err compat_load(struct page_call *call, struct fail *fail)
{
    static const struct str folder = STR_INIT("/compat/");
    struct compat *edition = NULL;
    if (!call->config->open_data)
        return fail_set(fail, ERR_NOT_FOUND, "STOCKACT_OPEN_DATA is off");
    TRY(hold_edition(call, &edition, fail));
    struct str path = call->reply->path;
    const struct compat_file *file = compat_find(edition, str_slice(path, folder.n, path.n));
    if (file) {
        send_file(call, edition, file);
        return OK;
    }
    compat_release(edition);
    return fail_set(fail, ERR_NOT_FOUND, "no such file");
}

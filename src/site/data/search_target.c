/* Numbers of documents; see search_target.h. */
#include "site/data/search_target.h"

#include "feed/feed.h"
#include "site/frame/trade_view.h"
#include "store/public/filing.h"
#include "store/public/known.h"
#include "store/public/trade.h"

enum { NUMBER_SIZE_MIN = 5, NUMBER_SIZE_MAX = 80 };

/* The file of an official document's address, without its extension; other text as it is. */
static struct str last_part(struct str text)
{
    while (text.n && text.p[text.n - 1] == '/')
        text.n--;
    for (size_t i = text.n; i > 0; i--)
        if (text.p[i - 1] == '/') {
            text = str_slice(text, i, text.n);
            break;
        }
    ptrdiff_t dot = str_find_char(text, '.');
    return dot > 0 ? str_slice(text, 0, (size_t)dot) : text;
}

static bool is_hex(char c)
{
    return ascii_is_digit(c) || (c >= 'a' && c <= 'f');
}

/* Digits, a UUID, or an id of this server. */
static bool is_number(struct str s)
{
    if (s.n < NUMBER_SIZE_MIN || s.n > NUMBER_SIZE_MAX)
        return false;
    bool named = str_starts(s, STR("house-")) || str_starts(s, STR("senate-")) ||
                 str_starts(s, STR("demo-filing-"));
    bool uuid = s.n == 36 && s.p[8] == '-' && s.p[13] == '-';
    for (size_t i = 0; i < s.n; i++)
        if (!ascii_is_digit(s.p[i]) && !(uuid && (is_hex(s.p[i]) || s.p[i] == '-')) &&
            !(named && (ascii_is_alnum(s.p[i]) || s.p[i] == '-')))
            return false;
    return true;
}

static struct str lower(struct arena *arena, struct str text)
{
    BUF_SCOPED(b, SIZE_MAX);
    for (size_t i = 0; i < text.n; i++)
        buf_char(&b, ascii_lower(text.p[i]));
    return arena_str(arena, buf_view(&b));
}

static struct str path_in_memory(struct page_call *call, struct str id)
{
    struct feed_filing filing;
    struct feed_row trade;
    rcu_read_begin();
    const char *folder = feed_filing(call->config->feed, id, INSTANT_NONE, &filing) ? "/filings/"
                         : feed_trade(call->config->feed, id, &trade)               ? "/trades/"
                                                                                    : NULL;
    rcu_read_end();
    return folder ? trade_path(call->arena, folder, id) : STR_NULL;
}

static enum err look_up(
    struct page_call *call, struct str id, struct search_target *ret, struct fail *fail)
{
    struct known_report known;
    struct filing_row filing;
    struct trade_row trade;
    enum err err = filing_find(call->db, id, call->arena, &filing, fail);
    if (err == ERR_UNAVAILABLE) {
        ret->path = path_in_memory(call, id);
        return page_part(call, err);
    }
    if (!err && filing.filing.published_at != INSTANT_NONE)
        ret->path = trade_path(call->arena, "/filings/", id);
    if (err == ERR_NOT_FOUND) {
        err = trade_find(call->db, id, call->arena, &trade, NULL, fail);
        if (!err)
            ret->path = trade_path(call->arena, "/trades/", id);
    }
    if (err == ERR_NOT_FOUND || (!err && str_is_null(ret->path))) {
        err = known_find(call->db, id, call->arena, &known, fail);
        if (!err)
            ret->path = trade_path(call->arena, "/filings/", id);
    }
    return err == ERR_NOT_FOUND ? OK : err;
}

enum err search_target_find(
    struct page_call *call, struct str text, struct search_target *ret, struct fail *fail)
{
    static const char *const prefixes[] = {"", "house-", "senate-", "demo-filing-"};
    struct str number = lower(call->arena, last_part(text));
    enum err err = OK;
    *ret = (struct search_target){STR_NULL, STR_NULL};
    if (!is_number(number))
        return OK;
    ret->number = number;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        struct str id = arena_fmt(call->arena, "%s%.*s", prefixes[i], STR_ARG(number));
        if (!err && str_is_null(ret->path))
            err = look_up(call, id, ret, fail);
    }
    return err;
}

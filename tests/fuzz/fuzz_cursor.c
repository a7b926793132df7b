/* A text that decodes encodes to the same text, and every cursor round-trips. Another resource
 * refuses the text, and so does every resource after a byte was changed, removed or added. */
#include "fuzz.h"

#include <string.h>

#include "rule/cursor.h"

static void assert_encodes_as(const struct cursor *cursor, struct str text)
{
    struct buf again;
    buf_init(&again, CURSOR_TEXT_SIZE_MAX);
    cursor_encode(&again, cursor);
    assert(!again.overflow && str_eq(buf_view(&again), text));
    buf_finish(&again);
}

/* Changes one byte of the text, adds one at the end, and cuts it to any length. */
static void assert_changes_are_refused(struct str text, uint64_t choice)
{
    char changed[CURSOR_TEXT_SIZE_MAX + 1];
    struct cursor decoded;
    size_t at = choice % text.n;
    memcpy(changed, text.p, text.n);
    changed[at] ^= (char)(1 + choice / CURSOR_TEXT_SIZE_MAX % 255);
    assert(!cursor_decode(str_of(changed, text.n), CURSOR_FILINGS, &decoded));
    changed[at] = text.p[at];
    assert(!cursor_decode(str_of(changed, at), CURSOR_FILINGS, &decoded));
    changed[text.n] = (char)(choice >> 32);
    assert(!cursor_decode(str_of(changed, text.n + 1), CURSOR_FILINGS, &decoded));
}

/* A cursor from the input: 8 bytes of instant, then the id. */
static void round_trip(const uint8_t *data, size_t size)
{
    struct str id = str_of((const char *)data + 8, size - 8);
    struct cursor decoded;
    struct buf text;
    int64_t at_ms;
    if (!cursor_id_is_valid(id))
        return;
    memcpy(&at_ms, data, sizeof at_ms);
    struct cursor cursor = cursor_at(CURSOR_FILINGS, at_ms, id);
    buf_init(&text, CURSOR_TEXT_SIZE_MAX);
    cursor_encode(&text, &cursor);
    assert(!text.overflow);
    assert(cursor_decode(buf_view(&text), CURSOR_FILINGS, &decoded));
    assert(decoded.at_ms == at_ms && str_eq(cursor_id(&decoded), id));
    assert(!cursor_decode(buf_view(&text), CURSOR_TRADES, &decoded));
    assert_changes_are_refused(buf_view(&text), (uint64_t)at_ms * UINT64_C(0x9e3779b97f4a7c15));
    buf_finish(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = str_of((const char *)data, size);
    struct cursor cursor;
    if (cursor_decode(text, CURSOR_TRADES, &cursor))
        assert_encodes_as(&cursor, text);
    if (size > 8)
        round_trip(data, size);
    return 0;
}

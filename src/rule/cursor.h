/*
 * The opaque position in a list that a page hands out as nextCursor and takes back as `cursor`
 * (spec 8, cursor rules; decision 5). It holds the keyset position only, the instant and the id of
 * the last row of a page, so it outlives that row, a restart, and works on every node.
 *
 *     base64url( version 1 | resource 1 | instant 8, big endian | id 1-64 | checksum 8 )
 *
 * The checksum detects damage; it is not a secret. The text is canonical: every cursor has exactly
 * one spelling, and a text that decodes encodes back to itself.
 */
#pragma once

#include "base/buf.h"

/* The byte in the text; a cursor of one resource is invalid at another. Values never change. */
enum cursor_resource {
    CURSOR_TRADES = 1,
    CURSOR_FILINGS = 2,
    CURSOR_CORRECTIONS = 3,
    CURSOR_POLITICIANS = 4,
    CURSOR_CHANGES = 5,
    CURSOR_EVENTS = 6,
    CURSOR_TICKERS = 7,
    CURSOR_STATS = 8,
    CURSOR_COMMITTEES = 9,
    CURSOR_INDUSTRIES = 10,
    CURSOR_TRADES_SORTED = 11, /* and the next two: oldest first, by day, by day ascending */
};

enum {
    CURSOR_ID_SIZE_MAX = 64,
    CURSOR_TEXT_SIZE_MAX = 110, /* base64url of 1 + 1 + 8 + 64 + 8 bytes */
};

struct cursor {
    enum cursor_resource resource;
    int64_t at_ms;
    uint8_t id_n;                /* 1 to CURSOR_ID_SIZE_MAX */
    char id[CURSOR_ID_SIZE_MAX]; /* letters, digits, '-', '_', '.' */
};

/* A cursor at a row; the id must be of the form above (asserted: ids are ours). */
struct cursor cursor_at(enum cursor_resource resource, int64_t at_ms, struct str id);

static inline struct str cursor_id(const struct cursor *c)
{
    return (struct str){c->id, c->id_n};
}

/* True if a text can be an id in a cursor, and so the id of a trade or filing. */
bool cursor_id_is_valid(struct str id);

void cursor_encode(struct buf *b, const struct cursor *cursor);

/* False, with *ret unchanged, for any text that cursor_encode does not write for this resource: 400
 * invalid_cursor. */
bool cursor_decode(struct str text, enum cursor_resource resource, struct cursor *ret);

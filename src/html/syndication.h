/*
 * A list as a feed for readers: Atom (RFC 4287) and JSON Feed 1.1. All texts are plain; addresses
 * are absolute. An item keeps its id for good, and `updated` moves when its content changes.
 */
#pragma once

#include "base/instant.h"

enum { SYNDICATION_TAGS_MAX = 6 };

/* A fact for programs. In JSON Feed it is a member of `_stockact`, in Atom an element of the
 * namespace urn:stockact:facts; there null is left out. */
struct syndication_fact {
    struct str name;
    struct str json; /* a number, a text without escapes, or null */
};

struct syndication_item {
    struct str id;       /* of the item, an address */
    struct str page;     /* where people read it */
    struct str document; /* the source outside of this site; null: none */
    struct str title, text;
    struct str author, author_page; /* null: none */
    struct str tags[SYNDICATION_TAGS_MAX];
    size_t tag_count;
    int64_t published, updated;
    const struct syndication_fact *facts;
    size_t fact_count;
};

struct syndication {
    struct str title;
    struct str page; /* the list for people */
    struct str self; /* this feed */
    struct str next; /* the feed of older items; null: none */
    const struct syndication_item *items;
    size_t count;
};

void syndication_atom(struct buf *b, const struct syndication *s);
void syndication_json(struct buf *b, const struct syndication *s);

/*
 * Known reports that a page lacks (store/public/known.h, decisions E and M): those of a member that
 * are not public or that this visitor sees later, the page of one of them, and the sentence that an
 * empty list has. That a report is known is no secret and has no delay; what a draft says of its
 * rows is not shown. Private to src/site.
 */
#pragma once

#include "feed/feed.h"
#include "site/frame/page_call.h"
#include "store/public/known.h"

/* The reports of a member that the page lacks, newest first. */
struct missing {
    struct known_report *items;
    size_t count;
    size_t listed;               /* those that an official index names */
    bool indexes[CHAMBER_COUNT]; /* an index of this chamber names reports of the member */
};

/* Reads the store; call it outside a read of the feed. */
enum err missing_load(
    struct page_call *call, const struct feed_politician *p, struct missing *ret,
    struct fail *fail);

/* Sets `unlisted` (whose reports no index lists; null: an index lists them) and `missing` (null:
 * nothing is missing): text (a sentence with the numbers), first and rest
 * (lists of href, id, filed, words, url), more (the length of rest; null: it is empty). */
void missing_put(
    struct page_call *call, const struct feed_politician *p, const struct missing *missing);

/* Sets `indexed` (null: no index), `waiting` with their texts, anyWaiting and oneWaiting. */
void known_counts_put(struct view *v, const struct feed_politician *p);

/* Sets `waiting` of the frame for empty lists: count, one, name and href (null: of all members);
 * null if no report of the member whose rows the page lists, or of any, waits. */
void known_note_put(struct page_call *call);

/* The same number as the header X-Reports-Waiting; none for 0. */
void known_header_put(struct page_call *call);

/* Replies with the page of a known report that is not public. ERR_NOT_FOUND: it is not known. */
enum err known_page_show(struct page_call *call, struct str id, struct fail *fail);

/*
 * Corrections as members of a view: what changed after publication (decision 29). Private to
 * src/site/data.
 */
#pragma once

#include "site/frame/page_call.h"
#include "store/public/correction.h"

struct correction_list {
    size_t count;
    struct correction *items; /* newest first; strings live in the arena of the call */
    bool more;                /* there are older ones */
    int64_t last_at, last_no; /* the position of the last entry that was read */
};

/* Reads at most `limit` corrections. Skips corrections of publications that the visitor does not
 * see yet. Also skips damaged ones, so that fewer may be returned. */
enum err correction_list_read(
    struct page_call *call, const struct correction_range *range, int64_t limit,
    struct correction_list *ret, struct fail *fail);

/* Sets the members of one correction:
 *
 *     id                      "correction-12"
 *     at, atText
 *     kindText                "corrected", "withdrawn", "reinstated", "history imported"
 *     what, href              the trade or the filing, and its page; null: neither
 *     field, old, new         null: the kind has none; old and new may be null by themselves
 *     changed                 it has a field
 *     reason
 *     amendment               href of the filing that made the change; null: a person did
 *     tradesText, from, to    of imported history */
void correction_view_put(struct view *row, const struct correction *correction);

/* "Robin Vale: Abacus, Inc. (ABC)" of a correction of a public trade; null: it is not about one. */
struct str correction_about(struct page_call *call, const struct correction *correction);

/* Who filed it; null: its filing is not public. */
struct str correction_filer(struct page_call *call, const struct correction *correction);

struct str correction_kind_words(enum correction_kind kind);

/* "correction-12", as the API has it. */
struct str correction_id(struct arena *arena, int64_t no);

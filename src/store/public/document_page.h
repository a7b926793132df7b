/*
 * The pages of one version of a scan, as they were read (paper/extract.h): how each must be turned,
 * and why one was not read. A version of any other document has none.
 */
#pragma once

#include "base/mem.h"
#include "db/db.h"

struct document_page {
    int page;
    int turn;          /* 0, 90, 180, 270: clockwise, makes it upright */
    int skew;          /* hundredths of a degree: clockwise by so much, then it is straight */
    struct str form;   /* null: none was recognised */
    struct str reason; /* why nothing, or not all of it, was read; null */
};

struct document_page_list {
    struct document_page *items; /* by page */
    size_t count;
};

/* Replaces the pages of that version. Call it inside a write transaction. */
enum err document_page_replace(
    struct db *db, int64_t version_no, const struct document_page_list *pages,
    struct fail *fail) MUST_CHECK;

/* In the arena; an empty list if there are none. */
enum err document_page_load(
    struct db *db, int64_t version_no, struct arena *arena, struct document_page_list *ret,
    struct fail *fail) MUST_CHECK;

/*
 * The reading of one document: its cells as printed, without interpretation (see read_row.h for
 * that). The confined child makes it (docs/adr/0013-extraction.md) and sends it to the parent as
 * JSON, and the parent validates it again; reading_parse(reading_put(x)) = x.
 */
#pragma once

#include "paper/cell/cell_source.h"
#include "rule/self_check.h"

enum reading_kind {
    READING_REFUSED,      /* not a supported document, or damaged: see `reason` */
    READING_UNREADABLE,   /* possibly supported, but over a limit: see `reason`; needs a person */
    READING_HOUSE_PTR,    /* electronic House report */
    READING_HOUSE_SCAN,   /* a PDF without a text layer */
    READING_SENATE_SCAN,  /* the same, under the name of a Senate paper report */
    READING_SENATE_PTR,   /* eFD page of an electronic report */
    READING_SENATE_PAPER, /* eFD viewer page of a paper report */
    READING_HOUSE_INDEX,  /* the Clerk's yearly index */
    READING_KIND_COUNT
};

/* How a row relates to an earlier report. The Senate's rows are all new. */
enum reading_status { READING_NEW, READING_AMENDED, READING_DELETED, READING_STATUS_COUNT };

enum {
    READING_ROWS_MAX = 9999,
    READING_CELL_SIZE_MAX = 16 * 1024,
    READING_SIZE_MAX = 4 * 1024 * 1024, /* of the JSON, except for an index */
    READING_INDEX_SIZE_MAX = 64 * 1024 * 1024,
    READING_ENTRIES_MAX = 200000,
    READING_PAGES_MAX = 301,     /* of a scan */
    READING_FORM_MAX = 40,       /* bytes of a form's name */
    READING_SKEW_MAX = 100 * 45, /* either way */
};

struct reading_row {
    int row;  /* number in the document, from 1: House top to bottom; Senate as the page numbers */
    int page; /* from 1; 0: the document has no pages */
    enum reading_status status;
    struct str cell[CELL_COUNT]; /* see paper/cell/cell.h */
    struct page_place place;     /* of a row on a scanned page; zero: any other */
    /* CELL_COUNT texts of the second reading (second_reading.h): null where it agrees, empty where
     * it found none. NULL: it agrees in all cells. */
    const struct str *second;
    const struct cell_source *source; /* the same, CELL_COUNT of them; NULL */
};

/* One page of a scan. */
struct reading_page {
    int page;          /* from 1 */
    int turn;          /* 0, 90, 180, 270: clockwise, makes it upright */
    int skew;          /* hundredths of a degree, clockwise, that make it straight after that */
    struct str form;   /* "house-boxes"; null: none was recognised */
    struct str reason; /* why nothing, or not all of it, was read; null: none */
};

/* One row of the Clerk's index, as printed. */
struct reading_entry {
    struct str prefix, last, first, suffix;
    struct str filing_type; /* "P" */
    struct str state_district;
    struct str year;
    struct str filing_date; /* M/D/YYYY */
    struct str document_id;
};

struct reading {
    enum reading_kind kind;
    struct str reason;         /* for refused and unreadable readings: one plain sentence */
    struct str document_id;    /* House: printed Filing ID; null: not printed */
    struct str filer;          /* as printed: "Hon. Michael R. Turner" */
    struct str filer_name;     /* Senate: "Reed, John F." from the brackets; null: none */
    struct str filer_status;   /* House: "Member"; Senate: "Former Senator"; null: none */
    struct str state_district; /* House: "GA14", upper case; null */
    struct str filed;          /* House: the signing date; Senate: "01/29/2014 @ 6:23 PM" */
    struct str report_date;    /* Senate: the date of <h1> */
    int amendment;             /* Senate: number in <h1>; 0: none */
    struct self_check checks[SELF_CHECKS_MAX];
    size_t check_count;
    struct reading_row *rows; /* ascending `row` */
    size_t row_count;
    struct reading_page *pages; /* scans only, ascending; of one that was read */
    size_t page_count;
    struct reading_entry *entries; /* index only, in its order */
    size_t entry_count;
};

void reading_put(struct buf *b, const struct reading *reading);

/* Strings and arrays live in the arena. ERR_INVALID: not a reading, or past a bound above. */
enum err reading_parse(
    struct str json, struct arena *arena, struct reading *ret, struct fail *fail);

/* Writes the cells of one row as a JSON object without the null ones: a trade's `printed`. */
void reading_row_put(struct buf *b, const struct reading_row *row);

/* Whether it is a scan of either chamber. */
bool reading_is_scan(const struct reading *reading);

/* Adds a check; at most SELF_CHECKS_MAX (asserted). A reader adds at most SELF_CHECKS_READ_MAX, and
 * reading_parse accepts no more. */
void reading_check_add(struct reading *reading, struct str name, bool passed, struct str detail);

/*
 * Hidden characters (base/hidden.h) in the texts of a reading. None occurs in the documents of
 * either chamber that are known, so that one of them is a damaged file, a converter's mistake or an
 * attempt to show a reviewer something else than what is published: the document waits for a person
 * (docs/review.md).
 */

/* Adds the self-check "no_hidden_characters". Its detail names the first places and characters:
 * "row 2 asset: U+202E (bidirectional control)". `filer` is the filer's name in the official list,
 * or null. */
void reading_hidden_check(struct reading *reading, struct str filer, struct arena *arena);

/* The first entry of an index with a hidden character, "20990001 last: U+200B (...)", in the arena;
 * null: there is none. */
struct str reading_hidden_entry(const struct reading *reading, struct arena *arena);

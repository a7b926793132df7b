/* The state of an import run, for the files that read documents; only they include this. */
#pragma once

#include "ingest/ingest.h"
#include "ingest/ledger.h"
#include "paper/extract.h"
#include "store/public/member.h"

struct ingest {
    struct ledger ledger;
    struct arena arena; /* members and symbols, for the run */
    struct member_list members;
    struct ticker_list tickers;
    struct match *match;
    struct extractor *extractor;
    const struct progress_hook *progress; /* NULL: none */
    int64_t files_done, files_total;
    ingest_write *write; /* a file's transaction */
    void *write_ctx;
};

/* Reads the bytes in confinement; the reading is in the arena. */
enum err ingest_read(
    struct ingest *in, struct str bytes, struct arena *arena, struct reading *ret,
    struct fail *fail);

/* The same of a scan, with its pages and rows. */
enum err ingest_read_scan(
    struct ingest *in, struct str bytes, struct arena *arena, struct reading *ret,
    struct fail *fail);

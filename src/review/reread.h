/*
 * Compares rows that were read again (ingest/reread.h) with the public trades of their filing, and
 * corrects earlier reading errors. Keeps values that a person has set, in the draft or by a
 * correction. Corrects differences in letter case for all documents at once, and other differences
 * only in fields that the caller names.
 */
#pragma once

#include "paper/cell/row_field.h"
#include "rule/draft.h"

struct db;

enum reread_does {
    REREAD_PROPOSED,  /* differs; nothing was changed */
    REREAD_CORRECTED, /* the trade was corrected */
    REREAD_KEPT,      /* differs, but a person has set the public value */
    REREAD_DOES_COUNT
};

struct str reread_does_name(enum reread_does does);

struct reread_change {
    struct str trade_id;
    enum row_field field;
    struct str old, new;
    bool letter_case; /* nothing else differs */
    enum reread_does does;
};

/* Strings are valid during the call. */
typedef void reread_visit(void *ctx, const struct reread_change *change);

struct reread_choice {
    struct str by;                /* null: change nothing */
    bool fields[ROW_FIELD_COUNT]; /* correct these, whatever differs */
    int64_t now_ms;
};

struct reread_result {
    size_t corrected;   /* fields */
    int64_t change_seq; /* of the last change notice; 0: none */
};

/* Compares and corrects one filing; the rows were read from that version of its document. Call it
 * inside a write transaction. ERR_REFUSED, with nothing changed: there are more or fewer rows than
 * before, or a reviewer has the draft open. OK without changes: the filing is not public. */
enum err reread_filing(
    struct db *db, struct str filing_id, const struct draft_row *rows, size_t count,
    int64_t document_version, const struct reread_choice *choice, reread_visit *visit, void *ctx,
    struct reread_result *ret, struct fail *fail);

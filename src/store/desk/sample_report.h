/*
 * How right the public trades are, by the sample of the last twelve months
 * (docs/adr/0036-sample.md): what /coverage and the API show. A month is that in which a row was
 * checked.
 */
#pragma once

#include "rule/share.h"
#include "store/desk/sample_document.h"
#include "store/desk/sample_draw.h"

enum { SAMPLE_MONTHS = 12, SAMPLE_FIELDS_MAX = 16 };

/* Rows that were checked, of one stratum and month. */
struct sample_cell {
    int32_t month; /* base/instant.h */
    int stratum;
    int64_t checked, wrong;
};

struct sample_field_count {
    struct str name;     /* "side" */
    int64_t differences; /* between what is public and what was typed */
    int64_t wrong;       /* of these, what is public was wrong */
};

struct sample_report {
    int32_t first_month, last_month;
    int64_t checked, wrong;
    int64_t unreadable, skipped, expired; /* drawn, and not checked */
    int64_t waiting;                      /* to be typed */
    int64_t undecided;  /* typed and different: neither right nor wrong until somebody decides */
    bool is_known;      /* something was checked; then: */
    struct share share; /* of all public trades whose document is stored */
    struct share_part strata[SAMPLE_STRATA];
    struct sample_draw draw;   /* the newest; its day is DAY_NONE: none */
    struct sample_cell *cells; /* by month, newest first, and stratum */
    size_t cell_count;
    struct sample_field_count fields[SAMPLE_FIELDS_MAX]; /* with a difference, by name */
    size_t field_count;
    struct sample_document_report documents;
    struct share_part missing[SAMPLE_STRATA]; /* `checked` rows were counted */
    bool missing_known;
    struct share missing_share; /* of missing rows in the rows of all public documents */
};

/* Strings live in the arena. */
enum err sample_report_load(
    struct db *db, int64_t now_ms, struct arena *arena, struct sample_report *ret,
    struct fail *fail);

/* The groups that the daily sample is drawn from (docs/adr/0036-sample.md). Pure. */
#pragma once

#include "rule/model.h"

/* How the document states its rows: as text that a program reads, or on a scanned page. */
enum sample_kind { SAMPLE_ELECTRONIC, SAMPLE_PAPER, SAMPLE_KIND_COUNT };

struct str sample_kind_name(enum sample_kind kind); /* "electronic", "paper" */

/* Filings of the House and the Senate, of either kind. Each is drawn from on its own. */
enum { SAMPLE_STRATA = 4 };

enum chamber sample_stratum_chamber(int stratum);
enum sample_kind sample_stratum_kind(int stratum);
int sample_stratum(enum chamber chamber, enum sample_kind kind);

/* Divides `rows` draws of a day among the strata that have rows: equally, never more than a
 * stratum has. What cannot be divided goes to others every day. */
void sample_divide(
    int64_t rows, int32_t day, const int64_t trades[static SAMPLE_STRATA],
    int64_t ret[static SAMPLE_STRATA]);

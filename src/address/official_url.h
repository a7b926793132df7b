/* The addresses of reports on the official sites (docs/sources.md). */
#pragma once

#include "base/mem.h"

/* `year` is that of its index; without one, of the filing date, which differs in 3 of 100. */
struct str official_url_house(struct arena *arena, int year, struct str document);

/* An electronic page, or pictures of paper. */
struct str official_url_senate(struct arena *arena, bool paper, struct str uuid);

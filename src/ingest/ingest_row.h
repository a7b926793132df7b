/* A row of the Senate's search, the only list of its reports. */
#pragma once

#include "base/str.h"

struct ingest_row {
    struct str id; /* the page's UUID */
    bool paper;    /* the page shows scanned pictures */
    struct str first, last;
    int32_t filed_day;
};

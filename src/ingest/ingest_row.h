/* A row of the Senate's search: the only list of its reports that there is. */
#pragma once

#include "base/str.h"

struct ingest_row {
    struct str id; /* the page's UUID */
    bool paper;    /* a page of pictures */
    struct str first, last;
    int32_t filed_day;
};

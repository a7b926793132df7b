/* The lists that a roster joins; see roster.h. Private to src/store/public. */
#pragma once

#include "store/public/committee_span.h"

enum list_source { LIST_SHIPPED, LIST_SPANS, LIST_IMPORTED };

struct roster_list {
    int32_t day;
    enum list_source source;
    int64_t version_no; /* of LIST_IMPORTED */
    struct str *seated; /* of LIST_IMPORTED: ids of committees whose seats it has, ascending */
    size_t seated_count;
};

struct roster {
    struct roster_list *lists;
    int32_t *days; /* of the lists */
    size_t count;
    bool has_imported, has_spans;
    struct committee_naming *namings; /* of the spans */
    size_t naming_count;
    const struct roster *imported; /* the imported lists alone; NULL in that one */
};

/* True if the imported list has seats of the committee, of its own Congress. */
bool roster_list_has(const struct roster_list *list, struct str committee);

/*
 * The documentation: which pages there are, in the order of the sidebar, and which sections of
 * which text each has. To add a document, add a row (CONTRIBUTING.md). Private to src/api.
 */
#pragma once

#include "api/doc_parts.h"

struct guide {
    struct str name; /* the last part of its address: /docs/NAME; empty: /docs */
    struct str title;
    struct str link;  /* in the sidebar */
    struct str group; /* of the sidebar */
    struct str (*text)(void);
    struct doc_cut cut; /* without one it is the first page of its text */
};

/* The group of the guides for those who run a server; /llms-full.txt leaves them out. */
#define DOC_OPERATORS "Operators"

enum { DOC_COUNT = 46 };

/* The pages of one text follow each other, its first page before its cuts. */
extern const struct guide guides[DOC_COUNT];

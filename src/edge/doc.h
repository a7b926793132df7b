/* Pages of the documentation: texts that the API makes from its tables, and that the site shows. */
#pragma once

#include "base/str.h"

struct doc {
    struct str name;  /* the last part of its address; empty: /docs itself */
    struct str title; /* of the page */
    struct str link;  /* in the sidebar */
    struct str group; /* of the sidebar; the documents of a group follow each other */
    bool is_part;     /* its sections were cut from the last document before it that is none */
    /* Null until the texts are made. */
    struct str markdown; /* complete; headings may end in {#anchor} */
    struct str plain;    /* the same without anchors, to read as text */
};

struct doc_list {
    const struct doc *items;
    size_t count;
};

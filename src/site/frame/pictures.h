/*
 * Pictures of documents, for the pages of data (docs/adr/0030-pictures-on-request.md). A confined
 * child draws one after the other; the newest stay in memory. Only the lane for pictures, which has
 * one thread, uses it. Private to src/site.
 */
#pragma once

#include "site/frame/page_call.h"
#include "store/public/kept_document.h"

struct pictures;

struct pictures *pictures_create(void);           /* starts nothing yet */
void pictures_destroy(struct pictures *pictures); /* NULL is ignored */

/* What to draw. */
struct picture {
    struct kept_document document;
    int row;               /* 0: the page alone */
    int page;              /* from 1; of a row, where it cannot be found: 0 is not known */
    bool marked;           /* the whole page, with the row marked on it */
    struct kept_scan scan; /* if it is known, it says what to draw */
};

/* "12.png": 12; 0: anything else. */
int pictures_page_number(struct str segment);

/* Makes the picture the reply, with an entity tag; or says why there is none. Only drawing counts
 * against the limit of the client's address; at the desk, of the account. */
enum err pictures_answer(struct page_call *call, const struct picture *picture, struct fail *fail);

/*
 * Looks into a PDF before poppler reads it: whether it is whole and open, whether its pages follow
 * each other (pdf_flow.h), and whether its fonts give letters in the wrong case (letter_case.h). If
 * they do, a copy with the right maps is made for poppler. Uses libqpdf; runs only in the confined
 * child (docs/adr/0013-extraction.md).
 */
#pragma once

#include "base/buf.h"
#include "paper/pdf_flow.h"

enum pdf_state {
    PDF_UNEXAMINED, /* the examination failed or exceeded its limits */
    PDF_OPEN,
    PDF_CUT_OFF,   /* its end is missing */
    PDF_ENCRYPTED, /* with a password */
    PDF_DAMAGED,
    PDF_STATE_COUNT
};

/* The findings. Plain numbers, because they come from a process that has read hostile bytes. */
struct pdf_facts {
    int state;
    int pages;
    int gap;      /* as in struct pdf_flow */
    int restart;  /* the same */
    int capitals; /* the letters that were repaired in the copy; 0: there is no copy */
    struct pdf_boxes boxes;
};

/* Zero: nothing is known. */
#define PDF_FACTS_NONE ((struct pdf_facts){.state = PDF_UNEXAMINED})

/* Sets facts that no examination gives to PDF_FACTS_NONE. */
void pdf_facts_check(struct pdf_facts *facts);

/* Examines the bytes; writes the repaired copy to `ret_copy`, or nothing if there is nothing to
 * repair. If the copy does not fit, there is none. */
void pdf_examine(struct str bytes, struct buf *ret_copy, struct pdf_facts *ret);

/*
 * Reviewers' actions on the rows of the sample (docs/adr/0036-sample.md): type a row again without
 * seeing the public values, and decide which value is wrong where they differ. Each action is one
 * transaction, or a part of its caller's. A person may not check rows of a filing that the person
 * worked on.
 */
#pragma once

#include "review/desk/blind.h"
#include "review/desk/desk.h"
#include "store/desk/sample_document.h"

struct sample_view {
    struct sample_row row;
    struct blind_row published;      /* as it was drawn */
    struct blind_row entered;        /* blind_row_none: it was not typed */
    bool differs[BLIND_FIELD_COUNT]; /* set once it was typed */
    enum sample_verdict verdicts[BLIND_FIELD_COUNT];
    bool is_own;           /* the person of the desk worked on its filing */
    bool withdrawn;        /* since it was drawn */
    bool corrected;        /* it is public with other values now */
    struct row_values now; /* the values that are public now */
    struct str filing_id, url;
    int number, page;   /* of the row in its document; page 0: not known */
    struct str printed; /* its cells as read from the document: JSON; null */
};

/* Strings live in the arena. ERR_NOT_FOUND: no such row. */
enum err sample_show(
    const struct desk *desk, int64_t no, struct arena *arena, struct sample_view *ret,
    struct fail *fail);

/* Stores the typed row. *ret: SAMPLE_RIGHT, or SAMPLE_DIFFERS. ERR_EXISTS: the row was changed
 * meanwhile. ERR_REFUSED: the person worked on its filing. */
enum err sample_type(
    const struct desk *desk, int64_t no, const struct blind_row *typed, enum sample_state *ret,
    struct fail *fail);

/* Stores a verdict for each differing field. *ret: SAMPLE_WRONG if a public value was wrong, else
 * SAMPLE_UNREADABLE if a field cannot be read, else SAMPLE_RIGHT. ERR_INVALID: a differing field
 * has no verdict. Other errors as above. */
enum err sample_decide(
    const struct desk *desk, int64_t no, const enum sample_verdict verdicts[BLIND_FIELD_COUNT],
    enum sample_state *ret, struct fail *fail);

/* Stores how many rows a drawn document has. The first count is blind; if it differs from what is
 * known, a second one ends the document. *ret: SAMPLE_RIGHT, SAMPLE_WRONG (rows are missing), or
 * SAMPLE_DIFFERS. -1 with a reason: skips an open document. Errors as above. */
enum err sample_count_rows(
    const struct desk *desk, int64_t no, int64_t counted, struct str reason, enum sample_state *ret,
    struct fail *fail);

/* Ends an open row that cannot be typed. ERR_INVALID: no reason. Other errors as above. */
enum err sample_pass(const struct desk *desk, int64_t no, struct str reason, struct fail *fail);

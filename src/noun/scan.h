/*
 * Reads the JSON that this program wrote for a row of the feed: scalars and objects, no arrays, no
 * white space, and `\u` escapes of hidden characters only. Other bytes are a fault of the program,
 * and the scanner asserts the form. Texts come out as people may see them: a hidden character is
 * shown as \u{202E} (base/hidden.h).
 *
 * Private to src/noun.
 */
#pragma once

#include "base/mem.h"
#include "noun/field.h"

struct scan {
    const char *at, *end;
    struct buf shown;     /* the JSON with hidden characters shown, if it has escapes */
    struct buf unescaped; /* the last text with an escape */
};

/* `json` must outlive the scan. */
void scan_init(struct scan *scan, struct str json);
void scan_finish(struct scan *scan); /* asserts that the end was reached */

static inline bool scan_at_end(const struct scan *scan)
{
    return scan->at == scan->end;
}

void scan_expect(struct scan *scan, struct str text); /* moves past it */
void scan_member_end(struct scan *scan);              /* past a comma or a closing brace */

/* A text without its quotes, a number or a truth value as it is, and the empty string for null. The
 * text is valid until the next call. */
struct str scan_scalar(struct scan *scan);

/* Sets a member of an object to a value that scan_scalar returned. */

/* Texts live in the arena. scan_scalar returns the empty string for null, so the empty value of a
 * field that may be null is null: no such field is ever empty. Kinds without a place of their own
 * in the struct are left out. */
void scan_value_set(
    const struct shape_field *field, struct str value, struct arena *arena, void *object);

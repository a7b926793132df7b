/*
 * Templates of manual pages, completions and the sample file. A line that is only @NAME@ becomes
 * the section with that name; @NAME@ inside a line becomes the value with that name. Names are
 * letters, digits and `_`; any other `@` stays.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"

/* NAME=VALUE texts, borrowed. */
struct template_values {
    char *const *pairs;
    size_t count;
};

/* Null: no such value. */
struct str template_value(const struct template_values *values, struct str name);

struct template_section {
    const char *name;
    void (*write)(struct buf *to, const struct template_values *values);
};

/* `sections` ends with a null name. ERR_INVALID: a name is neither a section nor a value. */
enum err template_fill(
    struct buf *to, struct str text, const struct template_section *sections,
    const struct template_values *values, struct fail *fail);

/* Formats phrases of the tables as sentences and wrapped lines. */

/* "show the drafts" becomes "Show the drafts.", followed by the notes; notes may be NULL. */
void text_sentences(struct buf *to, const char *phrase, const char *notes);

/* Wraps to this many columns, including the prefix before each line. */
void text_wrap(struct buf *to, const char *prefix, size_t columns, struct str text);

/* The name of a setting in the settings file: "trusted-proxies" becomes "trusted_proxies". */
void text_key(struct buf *to, const char *flag_name);

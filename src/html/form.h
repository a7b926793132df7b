/*
 * What a person or a program posted: application/x-www-form-urlencoded, a flat JSON object, or
 * multipart/form-data with files, read strictly into the same pairs. Nothing is repaired: a body
 * with an invalid escape, bytes that are not UTF-8, a NUL, a repeated name or too many fields is an
 * error.
 *
 * A handler reads values, reports faults beside the fields that have them, and shows the form again
 * with what was typed:
 *
 *     struct str name = form_value(form, "name");
 *     if (!key_name_valid(name, &fail))
 *         form_fault(form, "name", &fail);
 *     ...
 *     form_show(view, form, "name", STR(""));       the page's fields, on GET and after a fault
 *     form_show_faults(view, form);
 *
 * Sizes are bounded before anything is allocated. All memory is the arena's.
 */
#pragma once

#include "base/err.h"
#include "html/view.h"

enum {
    FORM_SIZE_MAX = 64 * 1024, /* bytes of a body */
    FORM_FIELDS_MAX = 100,     /* pairs */
    FORM_NAME_MAX = 64,        /* bytes of a name */
    FORM_FILES_MAX = 100,
    FORM_PART_HEAD_MAX = 16 * 1024, /* bytes of the header lines of a part */
    FORM_BOUNDARY_MAX = 70,
};

/* A file of a multipart form, in the bytes of its body. */
struct form_file {
    struct str name; /* as sent: any bytes but line ends, perhaps empty; never use it as a path */
    struct str bytes;
};

struct form_pair {
    struct str name;
    struct str value; /* never null */
};

/* A fault of a field; name null: of the whole form. */
struct form_complaint {
    struct str name;
    struct str text; /* a sentence */
    struct form_complaint *next;
};

struct form {
    struct arena *arena;
    size_t count;
    struct form_pair pairs[FORM_FIELDS_MAX]; /* in the order of the body */
    struct form_complaint *complaints, *last_complaint;
    struct form_file *files; /* in the order of the body; NULL: none */
    size_t file_count;
};

/* A form without fields. */
void form_init(struct form *form, struct arena *arena);

/* Reads a body. `lists` has the names that may be repeated, and ends with NULL; NULL: none may.
 * ERR_LIMIT: too large, or too many fields. ERR_INVALID: not a form. After an error the form has no
 * fields.
 *
 * In JSON a value is a string, a whole number (its decimal digits), true ("on", as a checked box
 * sends it), false or null (not sent), or, for a name in `lists`, an array of strings. */
enum err form_read_urlencoded(
    struct form *form, struct arena *arena, struct str body, const char *const *lists,
    struct fail *fail);
enum err form_read_json(
    struct form *form, struct arena *arena, struct str body, const char *const *lists,
    struct fail *fail);

/* Reads multipart/form-data (RFC 7578). `content_type` is the header with the boundary. A part with
 * a file name is a file, whatever its field; an input without a chosen file is none. The other
 * parts are fields, and are bounded as those of a urlencoded body. Files point into `body`. */
enum err form_read_multipart(
    struct form *form, struct arena *arena, struct str content_type, struct str body,
    const char *const *lists, struct fail *fail);

/* --- values */

struct str form_value(const struct form *form, const char *name); /* null: not sent */
bool form_checked(const struct form *form, const char *name);     /* sent as "on" */

/* The next value of a repeated name; *at begins at 0. Null: there are no more. */
struct str form_next(const struct form *form, const char *name, size_t *at);

/* Whether one of the values of a repeated name is this one. */
bool form_has(const struct form *form, const char *name, struct str value);

/* A decimal number from `min` to `max`. If it is missing or is not one, reports a fault and returns
 * `min`. */
int64_t form_number(struct form *form, const char *name, int64_t min, int64_t max);

/* --- faults */

/* Reports a fault beside a field; name NULL: above the form. The text of `fail` becomes a sentence.
 * A field shows its first fault only. */
void form_fault(struct form *form, const char *name, const struct fail *fail);
void form_fault_text(struct form *form, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool form_is_faulty(const struct form *form);

/* --- showing the form: fills fields.NAME of the view, which the partial `field` prints.
 * `form` is what was posted, NULL when the page is opened: then fields have their initial values.
 */

/* fields.NAME: name, value, error. */
void form_show(struct view *view, const struct form *form, const char *name, struct str initial);

/* The same for a password or code, whose value is never sent back. */
void form_show_secret(struct view *view, const struct form *form, const char *name);

/* A checkbox: name, checked, error. */
void form_show_check(struct view *view, const struct form *form, const char *name, bool initial);

struct form_option {
    struct str value, label;
};

/* One choice of several, as a select or as radio buttons: name, value, error, and `options` with
 * value, label and selected. Null `initial`: none is selected. */
void form_show_choice(
    struct view *view, const struct form *form, const char *name, struct str initial,
    const struct form_option *options, size_t count);

/* Several choices, as checkboxes with one name: like form_show_choice. `initial` lists the values
 * with spaces between them. */
void form_show_choices(
    struct view *view, const struct form *form, const char *name, struct str initial,
    const struct form_option *options, size_t count);

/* hasFaults, and faults: name, error; for the partial `faults`, above the form. */
void form_show_faults(struct view *view, const struct form *form);

/* What the readers of form.c and form_json.c share. Private to src/html. */
#pragma once

#include "html/form.h"

bool form_may_repeat(const char *const *lists, struct str name);

/* Adds a pair, whose texts are in the arena. ERR_INVALID, ERR_LIMIT: it may not be in a form. */
enum err form_add(
    struct form *form, struct str name, struct str value, const char *const *lists,
    struct fail *fail) MUST_CHECK;

enum err form_check_size(struct str body, struct fail *fail) MUST_CHECK; /* ERR_LIMIT */

/* The rows of the settings; see settings.h. Private to src/config. */
#pragma once

#include "config/settings.h"

#define ENVIRONMENT_PREFIX "STOCKACT_"

struct setting {
    struct settings_text text;
    enum settings_scope scope;
    /* Writes the field, which may point into the text. False: the text is invalid. */
    bool (*parse)(const struct setting *setting, struct str text, void *field);
    size_t offset; /* of the field in struct settings */
};

extern const struct setting settings_table[];
extern const size_t settings_count;

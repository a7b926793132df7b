/* The table of environment variables of stockact-mcp, for its help and its manual. */
#pragma once

enum environment_variable {
    ENVIRONMENT_API_URL,
    ENVIRONMENT_API_KEY,
    ENVIRONMENT_CA_FILE,
    ENVIRONMENT_COUNT,
};

struct environment {
    const char *name;
    const char *fallback; /* NULL: none */
    const char *help;     /* one line without a final period */
    const char *notes;    /* more sentences for the manual; NULL: none */
};

extern const struct environment environment_table[ENVIRONMENT_COUNT];

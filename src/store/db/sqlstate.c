/* A table of SQLSTATE codes and classes; see sqlstate.h. */
#include "store/db/sqlstate.h"

#include <stddef.h>
#include <string.h>

struct state_kind {
    const char *prefix; /* of the SQLSTATE */
    enum err err;
};

/* The first matching prefix decides. */
static const struct state_kind state_kinds[] = {
    {"23505", ERR_EXISTS},  {"23", ERR_REFUSED},        {"P0001", ERR_REFUSED},
    {"25006", ERR_REFUSED}, {"25P03", ERR_UNAVAILABLE}, {"42501", ERR_REFUSED},
    {"28", ERR_REFUSED},    {"3D000", ERR_NOT_FOUND},   {"40", ERR_BUSY},
    {"55P03", ERR_BUSY},    {"53100", ERR_FULL},        {"53", ERR_UNAVAILABLE},
    {"57014", ERR_TIMEOUT}, {"57", ERR_UNAVAILABLE},    {"08", ERR_UNAVAILABLE},
    {"22", ERR_INVALID},    {"XX001", ERR_CORRUPT},     {"XX002", ERR_CORRUPT},
};

enum err sqlstate_err(const char *state)
{
    for (size_t i = 0; state && i < sizeof state_kinds / sizeof *state_kinds; i++)
        if (strncmp(state, state_kinds[i].prefix, strlen(state_kinds[i].prefix)) == 0)
            return state_kinds[i].err;
    return ERR_IO;
}

/* A table of SQLSTATE codes and classes; see sqlstate.h. */
#include "db/sqlstate.h"

#include <stddef.h>
#include <string.h>

#include <libpq-fe.h>

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

/* PostgreSQL has a code for ENOSPC and one for EIO, but none for a quota or a file-size limit:
 * those are internal errors of the functions that make a file longer. Their texts may be
 * translated. */
static bool is_full(const char *state, const char *function)
{
    static const char *const extend[] = {
        "mdextend", "mdzeroextend", "BufFileDumpBuffer", "FileZero", "FileFallocate"};
    if (!state || !function || strcmp(state, "XX000") != 0)
        return false;
    for (size_t i = 0; i < sizeof extend / sizeof *extend; i++)
        if (strcmp(function, extend[i]) == 0)
            return true;
    return false;
}

static enum err kind_of(const char *state, const char *function)
{
    if (is_full(state, function))
        return ERR_FULL;
    for (size_t i = 0; state && i < sizeof state_kinds / sizeof *state_kinds; i++)
        if (strncmp(state, state_kinds[i].prefix, strlen(state_kinds[i].prefix)) == 0)
            return state_kinds[i].err;
    return ERR_IO;
}

bool sqlstate_is_read_only(const struct pg_result *result)
{
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    return state && strcmp(state, "25006") == 0;
}

enum err sqlstate_report(const struct pg_result *result, struct str name, struct fail *fail)
{
    const char *text = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY); /* of NULL: NULL */
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    enum err err = kind_of(state, PQresultErrorField(result, PG_DIAG_SOURCE_FUNCTION));
    if (state && strcmp(state, "55P03") == 0)
        text = "another process is writing to it and does not finish (the lock timeout passed)";
    return fail_set(
        fail, err, "%.*s: %s%s", STR_ARG(name), err == ERR_FULL ? "the disk is full: " : "",
        text ? text : "an unexpected answer");
}

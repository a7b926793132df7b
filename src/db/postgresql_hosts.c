/* Rotates the list of hosts; see postgresql_hosts.h. */
#include "db/postgresql_hosts.h"

#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"

enum {
    LISTS = 3,
    LIST_SIZE_MAX = 4096,
    QUICK_MS = 1000, /* a longer attempt has waited for a silent host: trying again costs as much */
};

static const char *const lists[LISTS] = {"host", "hostaddr", "port"};

static size_t count_of(const char *list)
{
    size_t n = list && *list ? 1 : 0;
    for (; list && *list; list++)
        n += *list == ',';
    return n;
}

/* The elements from number `by` on, then those before it. NULL: the list is too long. */
static char *rotate(const char *list, size_t by)
{
    struct str head = str_from(list), rest = head;
    for (; by; by--) {
        ptrdiff_t comma = str_find_char(rest, ',');
        rest = str_slice(rest, (size_t)comma + 1, rest.n);
    }
    head.n -= rest.n + 1;
    BUF_SCOPED(text, LIST_SIZE_MAX);
    buf_fmt(&text, "%.*s,%.*s", STR_ARG(rest), STR_ARG(head));
    char *copy = text.overflow ? NULL : mem_strdup(buf_view(&text));
    return copy;
}

/* Where the last setting with this name is, which counts. -1: nowhere. */
static int find(const char *const *keywords, const char *name)
{
    int at = -1;
    for (int i = 0; keywords[i]; i++)
        if (strcmp(keywords[i], name) == 0)
            at = i;
    return at;
}

static PGconn *connect_from(const char *const *keywords, const char **values, size_t first)
{
    const char *before[LISTS];
    char *rotated[LISTS] = {NULL};
    int at[LISTS];
    for (int i = 0; i < LISTS; i++) {
        at[i] = find(keywords, lists[i]);
        before[i] = at[i] < 0 ? NULL : values[at[i]];
        if (first && count_of(before[i]) > first) /* one port may be that of all hosts */
            rotated[i] = rotate(before[i], first);
        if (rotated[i])
            values[at[i]] = rotated[i];
    }
    PGconn *connection = PQconnectdbParams(keywords, values, 0);
    if (!connection)
        no_memory(0);
    for (int i = 0; i < LISTS; i++) {
        if (rotated[i])
            values[at[i]] = before[i];
        mem_free(rotated[i]);
    }
    return connection;
}

PGconn *postgresql_connect(const char *const *keywords, const char **values)
{
    int host = find(keywords, "host"), address = find(keywords, "hostaddr");
    size_t hosts = count_of(address < 0 ? host < 0 ? NULL : values[host] : values[address]);
    int64_t began_ms = clock_mono_ms();
    PGconn *connection = connect_from(keywords, values, 0);
    for (size_t first = 1; first < hosts && PQstatus(connection) != CONNECTION_OK &&
                           clock_mono_ms() - began_ms < QUICK_MS;
         first++) {
        PGconn *next = connect_from(keywords, values, first);
        if (PQstatus(next) == CONNECTION_OK) {
            PQfinish(connection);
            return next;
        }
        PQfinish(next); /* the reason of the first attempt is that of the whole list */
    }
    return connection;
}

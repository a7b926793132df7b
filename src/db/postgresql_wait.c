/* Polls the socket of a connection; see postgresql_wait.h. */
#include "db/postgresql_wait.h"

#include <errno.h>
#include <poll.h>

#include "base/clock.h"

/* Waits for the socket; the deadline (0: none yet) begins with the first call. False: it passed,
 * and the connection is freed. */
static bool wait_for(
    PGconn **connection, short events, int silence_max_ms, int64_t *deadline, short *ret_events)
{
    for (;;) {
        int64_t now = clock_mono_ms();
        if (!*deadline)
            *deadline = now + silence_max_ms;
        struct pollfd p = {.fd = PQsocket(*connection), .events = events};
        int n = now < *deadline ? poll(&p, 1, (int)(*deadline - now)) : 0;
        *ret_events = p.revents;
        if (n > 0)
            return true;
        if (n < 0 && errno == EINTR)
            continue;
        PQfinish(*connection);
        *connection = NULL;
        return false;
    }
}

PGresult *postgresql_next_result(PGconn **connection, int silence_max_ms)
{
    int64_t deadline = 0;
    short events;
    while (*connection && PQisBusy(*connection))
        if (wait_for(connection, POLLIN, silence_max_ms, &deadline, &events) &&
            !PQconsumeInput(*connection))
            break; /* the connection ended; PQgetResult returns that */
    return PQgetResult(*connection);
}

bool postgresql_flush(PGconn **connection, int silence_max_ms)
{
    int64_t deadline = 0;
    short events;
    int left;
    while ((left = PQflush(*connection)) > 0) {
        if (!wait_for(connection, POLLIN | POLLOUT, silence_max_ms, &deadline, &events))
            return false;
        if ((events & POLLIN) && !PQconsumeInput(*connection))
            break;
    }
    if (left == 0)
        return true;
    PQfinish(*connection);
    *connection = NULL;
    return false;
}

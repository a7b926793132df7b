/* The table of classes; see attempt_class.h. */
#include "webhook/attempt_class.h"

#include <assert.h>

#include "base/closed_list.h"

static const struct str names[ATTEMPT_CLASS_COUNT] = {
    [ATTEMPT_2XX] = STR_INIT("2xx"),
    [ATTEMPT_3XX] = STR_INIT("3xx"),
    [ATTEMPT_4XX] = STR_INIT("4xx"),
    [ATTEMPT_5XX] = STR_INIT("5xx"),
    [ATTEMPT_TIMEOUT] = STR_INIT("timeout"),
    [ATTEMPT_CONNECT] = STR_INIT("connect"),
    [ATTEMPT_TLS] = STR_INIT("tls"),
    [ATTEMPT_RESOLVE] = STR_INIT("resolve"),
    [ATTEMPT_REFUSED_ADDRESS] = STR_INIT("refused_address"),
    [ATTEMPT_PROTOCOL] = STR_INIT("protocol"),
    [ATTEMPT_NOT_SENT] = STR_INIT("not_sent"),
};

ENUM_NAME(attempt_class_name, attempt_class, names[value], ATTEMPT_CLASS_COUNT)

enum attempt_class attempt_class_of(int status, enum outgoing_error error)
{
    static const enum attempt_class of_status[] = {
        [2] = ATTEMPT_2XX, [3] = ATTEMPT_3XX, [4] = ATTEMPT_4XX, [5] = ATTEMPT_5XX};
    static const enum attempt_class of_error[OUTGOING_ERROR_COUNT] = {
        [OUTGOING_NONE] = ATTEMPT_PROTOCOL,
        [OUTGOING_REFUSED_ADDRESS] = ATTEMPT_REFUSED_ADDRESS,
        [OUTGOING_RESOLVE] = ATTEMPT_RESOLVE,
        [OUTGOING_CONNECT] = ATTEMPT_CONNECT,
        [OUTGOING_TLS] = ATTEMPT_TLS,
        [OUTGOING_TIMEOUT] = ATTEMPT_TIMEOUT,
        [OUTGOING_PROTOCOL] = ATTEMPT_PROTOCOL,
    };
    if (status == 0)
        return of_error[error];
    assert(status >= 200 && status < 600);
    return of_status[status / 100];
}

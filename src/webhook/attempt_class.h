/* The result class of an attempt, for the delivery log, log lines and metrics: the kind of
 * response, or the step that failed. */
#pragma once

#include "net/outgoing.h"

enum attempt_class {
    ATTEMPT_2XX,
    ATTEMPT_3XX,
    ATTEMPT_4XX,
    ATTEMPT_5XX,
    ATTEMPT_TIMEOUT,
    ATTEMPT_CONNECT,
    ATTEMPT_TLS,
    ATTEMPT_RESOLVE,
    ATTEMPT_REFUSED_ADDRESS,
    ATTEMPT_PROTOCOL,
    ATTEMPT_NOT_SENT, /* the URL or the secret is not usable any more */
    ATTEMPT_CLASS_COUNT
};

struct str attempt_class_name(enum attempt_class class);

/* status: 200 to 599, or 0 with the error instead. */
enum attempt_class attempt_class_of(int status, enum outgoing_error error);

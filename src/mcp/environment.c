/* The table; see environment.h. */
#include "mcp/environment.h"

#include <stddef.h>

const struct environment environment_table[ENVIRONMENT_COUNT] = {
    [ENVIRONMENT_API_URL] =
        {"SVC_API_URL", "http://127.0.0.1:8080", "base URL of the server, without /api/v1",
         "Use https:// for a server on another machine: with http:// anyone on the network can "
         "read the key."},
    [ENVIRONMENT_API_KEY] =
        {"SVC_API_KEY", NULL, "API key; without one, evaluation limits apply", NULL},
    [ENVIRONMENT_CA_FILE] =
        {"SSL_CERT_FILE", NULL, "CA certificates to trust, instead of the system's", NULL},
};

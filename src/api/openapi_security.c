/* Keys in the OpenAPI document; see openapi_security.h. */
#include "api/openapi_security.h"

/* A key may be in either header. */
#define ANY_KEY "{\"bearerKey\":[]},{\"headerKey\":[]}"

void openapi_put_security(struct json_out *j, bool needs_key)
{
    JSON_KEY_RAW(j, "security", needs_key ? STR("[" ANY_KEY "]") : STR("[{}," ANY_KEY "]"));
}

void openapi_put_security_schemes(struct json_out *j)
{
    JSON_KEY_RAW(
        j, "securitySchemes",
        STR("{\"bearerKey\":{\"type\":\"http\",\"scheme\":\"bearer\",\"bearerFormat\":\"svc_ and "
            "43 URL-safe base64 characters\",\"description\":\"Preferred. Wins over X-Api-Key "
            "whatever it holds.\"},"
            "\"headerKey\":{\"type\":\"apiKey\",\"in\":\"header\",\"name\":\"X-Api-Key\","
            "\"description\":\"The same key in its own header.\"}}"));
}

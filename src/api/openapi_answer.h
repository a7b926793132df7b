/* The schema of the body of a 200 in the OpenAPI document. */
#pragma once

#include "api/operation.h"

void openapi_answer_put(struct json_out *j, const struct operation *operation);

/* The schemas of the bodies of errors, as members of components/schemas. */
void openapi_errors_put(struct json_out *j);

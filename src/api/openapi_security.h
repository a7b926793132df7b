/* Keys in the OpenAPI document: how one is sent, and which operations need one. */
#pragma once

#include "base/json_out.h"

/* The member `security`, of the document or of an operation that differs from it. */
void openapi_put_security(struct json_out *j, bool needs_key);
void openapi_put_security_schemes(struct json_out *j);

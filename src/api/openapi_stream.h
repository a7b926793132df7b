/* The parts of the OpenAPI document that streams alone have. */
#pragma once

#include "base/json_out.h"

/* Last-Event-ID as a parameter. */
void openapi_stream_put_parameter(struct json_out *j);

/* The content of a 200. */
void openapi_stream_put_content(struct json_out *j);

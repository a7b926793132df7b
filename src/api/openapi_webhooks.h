/* The `webhooks` of the OpenAPI document: the requests to receivers (docs/webhooks.md). */
#pragma once

#include "base/json_out.h"

void openapi_put_webhooks(struct json_out *j);

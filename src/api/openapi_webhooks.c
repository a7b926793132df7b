/* Webhooks in the OpenAPI document; see openapi_webhooks.h. */
#include "api/openapi_webhooks.h"

#include "noun/change.h"
#include "noun/rows.h"
#include "noun/schema.h"
#include "noun/trade.h"
#include "rule/event_type.h"

static const struct {
    struct str operation, summary;
} webhooks[EVENT_TYPE_COUNT] = {
    [EVENT_TRADE_PUBLISHED] = {STR_INIT("onTradePublished"), STR_INIT("Trades became public")},
    [EVENT_TRADE_CORRECTED] =
        {STR_INIT("onTradeCorrected"), STR_INIT("Published fields of trades changed")},
    [EVENT_TRADE_WITHDRAWN] =
        {STR_INIT("onTradeWithdrawn"), STR_INIT("Trades left the lists and counts")},
    [EVENT_TRADE_REINSTATED] =
        {STR_INIT("onTradeReinstated"), STR_INIT("Withdrawn trades are public again")},
};

/* The headers of a request. */
static const struct {
    struct str name, description;
} headers[] = {
    {STR_INIT("X-SVC-Signature"), STR_INIT("t=<unix seconds>,v1=<hex HMAC-SHA-256 of t.body>")},
    {STR_INIT("X-SVC-Event"), STR_INIT("The event type.")},
    {STR_INIT("X-SVC-Delivery-Id"), STR_INIT("The same in retries and replays.")},
    {STR_INIT("webhook-id"), STR_INIT("The id of the delivery.")},
    {STR_INIT("webhook-timestamp"), STR_INIT("Unix seconds of this attempt.")},
    {STR_INIT("webhook-signature"), STR_INIT("v1,<base64>, as Standard Webhooks has it.")},
};

static void put_headers(struct json_out *j)
{
    JSON_KEY_ARRAY(j, "parameters");
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        json_object_begin(j);
        JSON_KEY_STR(j, "name", headers[i].name);
        JSON_KEY_STR(j, "in", STR("header"));
        JSON_KEY_BOOL(j, "required", true);
        JSON_KEY_STR(j, "description", headers[i].description);
        JSON_KEY_OBJECT(j, "schema");
        JSON_KEY_STR(j, "type", STR("string"));
        json_object_end(j);
        json_object_end(j);
    }
    json_array_end(j);
}

/* The schema of the body, as event/body.c writes it. */
static void put_schema(struct json_out *j, enum event_type type)
{
    const struct shape_field members[] = {
        {NAMED("event", SHAPE_STRING), .constant = event_type_name(type),
         SAYS("The type of the event.")},
        {TOLD_OBJECT("filing", &shape_event_filing), SAYS("The filing that the trades are from.")},
        {TOLD_OBJECT("politician", &shape_politician_ref),
         SAYS("Who filed it, as of the day of filing.")},
        {TOLD_LIST("trades", &shape_trade),
         SAYS("Those that are public, in the order of their rows.")},
        {TOLD_LIST("changes", &shape_event_change),
         SAYS("What changed: entries of /api/v1/changes.")}, /* of events of changes only */
    };
    const struct shape_object body = {
        .description = webhooks[type].summary,
        .count = sizeof members / sizeof *members - (type == EVENT_TRADE_PUBLISHED),
        .fields = members,
    };
    schema_json(j, &body, &schema_in_openapi);
}

static void put_response(struct json_out *j, struct str status, struct str description)
{
    json_key(j, status);
    json_object_begin(j);
    JSON_KEY_STR(j, "description", description);
    json_object_end(j);
}

static void put_webhook(struct json_out *j, enum event_type type)
{
    json_key(j, event_type_name(type));
    json_object_begin(j);
    JSON_KEY_OBJECT(j, "post");
    JSON_KEY_ARRAY(j, "tags");
    json_str(j, STR("Webhooks"));
    json_array_end(j);
    JSON_KEY_STR(j, "operationId", webhooks[type].operation);
    JSON_KEY_STR(j, "summary", webhooks[type].summary);
    JSON_KEY_STR(
        j, "description",
        STR("A signed request to your endpoint. Verify the signature over the raw bytes of the "
            "body, then answer within 10 seconds: [how to receive](/docs/webhooks)."));
    JSON_KEY_ARRAY(j, "security");
    json_array_end(j);
    put_headers(j);
    JSON_KEY_OBJECT(j, "requestBody");
    JSON_KEY_BOOL(j, "required", true);
    JSON_KEY_OBJECT(j, "content");
    JSON_KEY_OBJECT(j, "application/json");
    json_key(j, STR("schema"));
    put_schema(j, type);
    json_object_end(j);
    json_object_end(j);
    json_object_end(j);
    JSON_KEY_OBJECT(j, "responses");
    put_response(j, STR("2XX"), STR("Delivered."));
    put_response(
        j, STR("4XX"), STR("A failed attempt, like every other status: it is made again later."));
    json_object_end(j);
    json_object_end(j);
    json_object_end(j);
}

void openapi_put_webhooks(struct json_out *j)
{
    JSON_KEY_OBJECT(j, "webhooks");
    for (int type = EVENT_NONE + 1; type < EVENT_TYPE_COUNT; type++)
        put_webhook(j, (enum event_type)type);
    json_object_end(j);
}

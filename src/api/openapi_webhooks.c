/* Webhooks in the OpenAPI document; see openapi_webhooks.h. review/event_body.h writes the bodies.
 */
#include "api/openapi_webhooks.h"

#include "core/event_type.h"

#define TEXT_SCHEMA(more) "{\"type\":\"string\"" more "}"

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
    json_key(j, STR("parameters"));
    json_array_begin(j);
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        json_object_begin(j);
        JSON_KEY_STR(j, "name", headers[i].name);
        JSON_KEY_STR(j, "in", STR("header"));
        JSON_KEY_BOOL(j, "required", true);
        JSON_KEY_STR(j, "description", headers[i].description);
        json_key(j, STR("schema"));
        json_raw(j, STR(TEXT_SCHEMA("")));
        json_object_end(j);
    }
    json_array_end(j);
}

/* The schema of the body. Events of changes have `changes`, too. */
static void put_schema(struct json_out *j, enum event_type type)
{
    bool changes = type != EVENT_TRADE_PUBLISHED;
    json_object_begin(j);
    JSON_KEY_STR(j, "type", STR("object"));
    json_key(j, STR("required"));
    json_raw(
        j, changes ? STR("[\"event\",\"filing\",\"politician\",\"trades\",\"changes\"]")
                   : STR("[\"event\",\"filing\",\"politician\",\"trades\"]"));
    json_key(j, STR("properties"));
    json_object_begin(j);
    json_key(j, STR("event"));
    json_object_begin(j);
    JSON_KEY_STR(j, "type", STR("string"));
    JSON_KEY_STR(j, "const", event_type_name(type));
    json_object_end(j);
    json_key(j, STR("filing"));
    json_raw(
        j,
        STR("{\"type\":\"object\",\"required\":[\"id\",\"chamber\",\"url\",\"filedAt\"],"
            "\"properties\":{\"id\":" TEXT_SCHEMA("") ",\"chamber\":" TEXT_SCHEMA(
                ",\"enum\":[\"house\",\"senate\"]") ",\"url\":" TEXT_SCHEMA("") ","
                                                                                "\"filedAt\""
                                                                                ":" TEXT_SCHEMA(
                                                                                    ",\"format\""
                                                                                    ":\"date-"
                                                                                    "time\"") "}"
                                                                                              "}"));
    json_key(j, STR("politician"));
    json_raw(j, STR("{\"$ref\":\"#/components/schemas/PoliticianRef\"}"));
    json_key(j, STR("trades"));
    json_raw(j, STR("{\"type\":\"array\",\"items\":{\"$ref\":\"#/components/schemas/Trade\"}}"));
    if (changes) {
        json_key(j, STR("changes"));
        json_raw(
            j, STR("{\"type\":\"array\",\"description\":\"Entries of /api/v1/changes, without "
                   "trade and filing.\",\"items\":{\"type\":\"object\",\"required\":[\"seq\","
                   "\"at\",\"kind\"],\"properties\":{\"seq\":{\"type\":\"integer\"},"
                   "\"at\":" TEXT_SCHEMA(",\"format\":\"date-time\"") ","
                                                                      "\"kind\":" TEXT_SCHEMA(
                                                                          "") "}}}"));
    }
    json_object_end(j);
    json_object_end(j);
}

static void put_webhook(struct json_out *j, enum event_type type)
{
    json_key(j, event_type_name(type));
    json_object_begin(j);
    json_key(j, STR("post"));
    json_object_begin(j);
    json_key(j, STR("tags"));
    json_raw(j, STR("[\"Webhooks\"]"));
    JSON_KEY_STR(j, "operationId", webhooks[type].operation);
    JSON_KEY_STR(j, "summary", webhooks[type].summary);
    JSON_KEY_STR(
        j, "description",
        STR("A signed request to your endpoint. Verify the signature over the raw bytes of the "
            "body, then answer within 10 seconds: [how to receive](/docs/webhooks)."));
    json_key(j, STR("security"));
    json_raw(j, STR("[]"));
    put_headers(j);
    json_key(j, STR("requestBody"));
    json_object_begin(j);
    JSON_KEY_BOOL(j, "required", true);
    json_key(j, STR("content"));
    json_object_begin(j);
    json_key(j, STR("application/json"));
    json_object_begin(j);
    json_key(j, STR("schema"));
    put_schema(j, type);
    json_object_end(j);
    json_object_end(j);
    json_object_end(j);
    json_key(j, STR("responses"));
    json_raw(
        j, STR("{\"2XX\":{\"description\":\"Delivered.\"},\"4XX\":{\"description\":\"A failed "
               "attempt, like every other status: it is made again later.\"}}"));
    json_object_end(j);
    json_object_end(j);
}

void openapi_put_webhooks(struct json_out *j)
{
    json_key(j, STR("webhooks"));
    json_object_begin(j);
    for (int type = EVENT_NONE + 1; type < EVENT_TYPE_COUNT; type++)
        put_webhook(j, (enum event_type)type);
    json_object_end(j);
}

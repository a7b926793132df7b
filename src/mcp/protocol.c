/* Protocol versions and request metadata; see protocol.h. */
#include "mcp/protocol.h"

#include "base/build.h"

static const struct session_version {
    struct str name;
    bool batches;
} session_versions[] = {
    {STR_INIT("2025-11-25"), false}, /* newest first */
    {STR_INIT("2025-06-18"), false},
    {STR_INIT("2025-03-26"), true},
    {STR_INIT("2024-11-05"), false},
};

static const struct str stateless_versions[] = {STR_INIT("2026-07-28")};

#define COUNT_OF(table) (sizeof(table) / sizeof *(table))

static const struct session_version *session_version_named(struct str name)
{
    for (size_t i = 0; i < COUNT_OF(session_versions); i++)
        if (str_eq(session_versions[i].name, name))
            return &session_versions[i];
    return NULL;
}

struct str protocol_session_version(struct str asked)
{
    const struct session_version *known = session_version_named(asked);
    return known ? known->name : session_versions[0].name;
}

bool protocol_is_session_version(struct str version)
{
    return session_version_named(version) != NULL;
}

bool protocol_has_batches(struct str session_version)
{
    const struct session_version *known = session_version_named(session_version);
    return known && known->batches;
}

bool protocol_is_stateless_version(struct str version)
{
    for (size_t i = 0; i < COUNT_OF(stateless_versions); i++)
        if (str_eq(stateless_versions[i], version))
            return true;
    return false;
}

void protocol_stateless_versions_json(struct json_out *j)
{
    json_array_begin(j);
    for (size_t i = 0; i < COUNT_OF(stateless_versions); i++)
        json_str(j, stateless_versions[i]);
    json_array_end(j);
}

#define META_PREFIX "io.modelcontextprotocol/"

void request_meta_read(const json_t *params, struct request_meta *ret)
{
    const json_t *meta = json_object_get(params, "_meta");
    const json_t *version = json_object_get(meta, META_PREFIX "protocolVersion");
    const json_t *capabilities = json_object_get(meta, META_PREFIX "clientCapabilities");
    const json_t *token = json_object_get(meta, "progressToken");
    *ret = (struct request_meta){
        .is_stateless = version || capabilities || json_object_get(meta, META_PREFIX "clientInfo"),
        .version = json_text(version),
        .has_capabilities = json_is_object(capabilities),
        .progress_token = json_is_string(token) || json_is_integer(token) ? token : NULL,
    };
}

void protocol_server_info_json(struct json_out *j)
{
    json_object_begin(j);
    JSON_KEY_STR(j, "name", STR("stockact"));
    JSON_KEY_STR(j, "title", STR("Congressional stock-trade disclosures"));
    JSON_KEY_STR(j, "version", build.version);
    json_object_end(j);
}

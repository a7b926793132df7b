/* The lifetime of the engine and its libcurl handles; see engine.h. */
#include "net/engine.h"

#include <unistd.h>

CURL *engine_take_easy(struct outgoing *o)
{
    return o->spare_count ? o->spare[--o->spare_count] : curl_easy_init();
}

void engine_give_easy(struct outgoing *o, CURL *easy)
{
    if (easy && o->spare_count < ENGINE_SPARE_MAX) {
        curl_easy_reset(easy);
        o->spare[o->spare_count++] = easy;
    } else {
        curl_easy_cleanup(easy);
    }
}

static void free_handle(uv_handle_t *handle)
{
    mem_free(handle);
}

/* True if libcurl's default CA bundle is readable: the CA directory with the same certificates can
 * then be skipped. */
static bool system_has_bundle(void)
{
    char *path = NULL;
    CURL *easy = curl_easy_init();
    bool readable = easy && curl_easy_getinfo(easy, CURLINFO_CAINFO, &path) == CURLE_OK && path &&
                    access(path, R_OK) == 0;
    curl_easy_cleanup(easy);
    return readable;
}

enum err engine_create(
    uv_loop_t *loop, const struct outgoing_config *config, curl_loop_ended *ended,
    struct outgoing **ret, struct fail *fail)
{
    struct outgoing *o = MEM_NEW(struct outgoing);
    enum err err =
        curl_loop_create(loop, config->in_flight_max + config->idle_max, ended, o, &o->curl, fail);
    if (!err)
        err = resolver_create(loop, config->name_servers, &o->resolver, fail);
    if (err) {
        curl_loop_destroy(o->curl);
        mem_free(o);
        return err;
    }
    TAILQ_INIT(&o->queued);
    TAILQ_INIT(&o->active);
    TAILQ_INIT(&o->to_tell);
    o->in_flight_max = config->in_flight_max;
    o->user_agent = mem_strdup(config->user_agent);
    o->ca_file = str_is_null(config->ca_file) ? NULL : mem_strdup(config->ca_file);
    o->ca_bundle = system_has_bundle();
    o->kick = MEM_NEW(uv_idle_t);
    uv_idle_init(loop, o->kick);
    o->kick->data = o;
    *ret = o;
    return OK;
}

void engine_destroy(struct outgoing *o)
{
    while (o->spare_count)
        curl_easy_cleanup(o->spare[--o->spare_count]);
    curl_loop_destroy(o->curl);
    resolver_destroy(o->resolver);
    uv_close((uv_handle_t *)o->kick, free_handle);
    mem_free(o->user_agent);
    mem_free(o->ca_file);
    mem_free(o);
}

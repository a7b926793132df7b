/* The member of a page; see member_of_page.h. */
#include "site/data/member_of_page.h"

#include "site/frame/reader.h"

static bool find(struct page_call *call, struct str key, struct feed_politician *ret)
{
    RCU_READ();
    bool found = feed_politician(
        call->config->feed, key, instant_day_utc(call->now_ms), reader_until(call), ret);
    if (found) {
        ret->id = arena_str(call->arena, ret->id);
        ret->slug = arena_str(call->arena, ret->slug);
        ret->name = arena_str(call->arena, ret->name);
        ret->party = arena_str(call->arena, ret->party);
        ret->state = arena_str(call->arena, ret->state);
        ret->committees_json = STR_NULL;
        struct member_service *service =
            ARENA_ARRAY(call->arena, struct member_service, ret->service_count + 1);
        for (size_t i = 0; i < ret->service_count; i++)
            service[i] = ret->service[i];
        ret->service = service;
    }
    return found;
}

enum err member_of_page(
    struct page_call *call, const char *below, struct feed_politician *ret, struct str *ret_path,
    struct fail *fail)
{
    struct str key, segment = call->segments[0];
    if (!param_politician(segment, call->arena, &key) || !find(call, key, ret))
        return fail_set(fail, ERR_NOT_FOUND, "there is no member \"%.*s\"", STR_ARG(segment));
    *ret_path = arena_fmt(call->arena, "/politicians/%.*s%s", STR_ARG(ret->slug), below);
    if (!str_eq(segment, ret->slug)) {
        page_redirect(call, *ret_path, FLASH_NONE);
        *ret_path = STR_NULL;
    }
    return OK;
}

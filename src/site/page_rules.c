/* What the rows of the table of pages say; see pages.h. */
#include "site/pages.h"

#include "base/json_out.h"
#include "site/page_call.h"

static struct str access_name(enum page_access access)
{
    static const struct str names[] = {
        [PAGE_ANYONE] = STR_INIT("anyone"), [PAGE_READER] = STR_INIT("reader"),
        [PAGE_OWNER] = STR_INIT("owner"),   [PAGE_REVIEWER] = STR_INIT("reviewer"),
        [PAGE_ADMIN] = STR_INIT("admin"),
    };
    return names[access];
}

bool page_may(const struct page_call *call, enum page_access access)
{
    const struct visitor *visitor = &call->visitor;
    switch (access) {
    case PAGE_ANYONE:
        return true;
    case PAGE_READER:
        return visitor->signed_in || call->config->public_pages;
    case PAGE_OWNER:
        return visitor->signed_in;
    case PAGE_REVIEWER:
        return visitor->signed_in && visitor->account.role != ROLE_MEMBER;
    case PAGE_ADMIN:
        return visitor->signed_in && visitor->account.role == ROLE_ADMIN;
    }
    return false;
}

bool page_has_json(struct str path)
{
    return route_is_under(path, STR("/account")) || route_is_under(path, STR("/admin")) ||
           route_is_under(path, STR("/desk"));
}

bool page_is_json(struct str path)
{
    return route_is_under(path, STR("/account/api"));
}

static void put_page(struct buf *b, const struct page *page)
{
    struct json_out j;
    json_init(&j, b);
    json_object_begin(&j);
    JSON_KEY_STR(&j, "path", str_from(page->path));
    JSON_KEY_STR(&j, "access", access_name(page->access));
    json_key(&j, STR("get"));
    json_bool(&j, page->load);
    json_key(&j, STR("post"));
    json_bool(&j, page->act);
    json_key(&j, STR("oneClick"));
    json_bool(&j, page->one_click);
    json_key(&j, STR("reauth"));
    json_bool(&j, page->reauth);
    json_key(&j, STR("json"));
    json_bool(&j, page_has_json(str_from(page->path)));
    json_object_end(&j);
    buf_char(b, '\n');
}

void pages_put_json(struct buf *b)
{
    for (size_t i = 0; i < pages_count; i++)
        put_page(b, &pages[i]);
}

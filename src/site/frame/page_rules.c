/* Who may see a page, and which addresses answer JSON; see page_rules.h. */
#include "site/frame/page_rules.h"

bool page_may(const struct page_call *call, enum page_access access)
{
    const struct visitor *visitor = &call->visitor;
    switch (access) {
    case PAGE_ANYONE:
        return true;
    case PAGE_READER:
        return visitor->signed_in || call->key || call->config->public_pages;
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

/* API keys and their use, as views of the owner's pages. */
#pragma once

#include "site/frame/page_call.h"
#include "store/account/key.h"

/* id, name, prefix, link, createdAt, lastUsedAt, lastUsedFor, idle, active, revokedAt. */
void key_view_put(struct view *v, const struct key *key, int64_t now_ms);

/* contactHref: where to ask for another plan; null without STOCKACT_CONTACT. */
void key_view_contact(struct page_call *call);

/* minute and month: limit, used, remaining, resetAt. With Redis it waits for Redis's counts;
 * ERR_UNAVAILABLE: Redis does not answer. */
enum err key_view_windows(
    struct page_call *call, struct view *v, const struct key *key, struct fail *fail);

/* The windows, `chart` of 30 days, and lastErrors in words, at most `errors_max`; moreErrors: there
 * are more. */
enum err key_view_usage(
    struct page_call *call, struct view *v, const struct key *key, size_t errors_max,
    struct fail *fail);

/* An error in words for the owner of the key; `code`: of the API's table. */
struct str key_error_words(struct str code, bool path_exists);

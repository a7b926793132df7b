/*
 * find_politician (spec 4.6): compares a name, as a person types it, with the politicians of the
 * newest trades, and returns the best matches first. If none of them is a sure match, the API's
 * search of all members is asked too, and the result says so.
 */
#pragma once

#include "mcp/call.h"

enum {
    FIND_PAGES_DEFAULT = 3,
    FIND_PAGES_MAX = 8,
    FIND_MATCHES_MAX = 10,
    FIND_SEARCH_PAGES_MAX = 3,
    FIND_NAME_MAX = 200,
    FIND_SURE = 900, /* permille: first and last name, but for a nickname or a typing error */
};

void find_politician_start(struct call *call);
void find_politician_answered(struct call *call, const struct api_answer *page);
void find_politician_end(
    struct call *call, struct str cut_short); /* the reason; null: it was not cut short */
void find_politician_finish(void *state);

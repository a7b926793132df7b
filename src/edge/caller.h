/* The address that a request comes from (decision 25), and its windows. */
#pragma once

#include "http/http.h"
#include "limits/limits.h"
#include "rule/plan.h"

struct address caller_of_peer(const struct http_peer *peer);

/* The peer of the socket; headers are not considered. */
struct address caller_peer(const struct http_exchange *x);

/* The client, behind the proxies in `trusted` (NULL: none). */
struct address caller_address(const struct http_exchange *x, const struct cidr_list *trusted);

/* The windows of a key, by the plan of its owner. */
struct limits_caller caller_keyed(
    int64_t key_no, enum key_kind kind, enum plan plan, uint32_t factor);

/* The windows of a caller without a key at this address. */
struct limits_caller caller_anonymous(struct address address, uint32_t factor);

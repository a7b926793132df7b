/*
 * Runs libcurl's multi interface on a libuv loop: watches its sockets, keeps its timer, and reports
 * each ended transfer to its owner. All calls are on the loop's thread.
 */
#pragma once

#include <curl/curl.h>
#include <uv.h>

#include "base/err.h"
#include "net/kept.h"

struct curl_loop;

/* A transfer ended and left the loop; the caller may reuse the handle. */
typedef void curl_loop_ended(void *ctx, CURL *easy, CURLcode code);

/* connections_max: connections kept open, including those of transfers in progress. */
enum err curl_loop_create(
    uv_loop_t *loop, unsigned connections_max, curl_loop_ended *ended, void *ctx,
    struct curl_loop **ret, struct fail *fail);

/* The table of sockets: call kept_opened and kept_closing on it for each socket that libcurl is
 * given and closes. */
struct kept *curl_loop_kept(struct curl_loop *l);

/* There must be no transfers left. Connections close at once; the memory is freed when the loop has
 * run its close callbacks. NULL is ignored. */
void curl_loop_destroy(struct curl_loop *l);

/* `ended` is never called before this returns. */
enum err curl_loop_add(struct curl_loop *l, CURL *easy);
void curl_loop_remove(struct curl_loop *l, CURL *easy); /* `ended` will not be called */

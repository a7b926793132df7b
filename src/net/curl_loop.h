/*
 * libcurl's multi interface on a loop of libuv: its sockets are watched, its timer is kept, and
 * each transfer that ends is told to who began it. All calls are on the loop's thread.
 */
#pragma once

#include <curl/curl.h>
#include <uv.h>

#include "base/err.h"
#include "net/kept.h"

struct curl_loop;

/* A transfer has ended and is no longer the loop's; the handle is the caller's to use again. */
typedef void curl_loop_ended(void *ctx, CURL *easy, CURLcode code);

/* connections_max: kept open, those of transfers under way among them. */
enum err curl_loop_create(
    uv_loop_t *loop, unsigned connections_max, curl_loop_ended *ended, void *ctx,
    struct curl_loop **ret, struct fail *fail) MUST_CHECK;

/* The sockets that libcurl is given and closes are to be told here. */
struct kept *curl_loop_kept(struct curl_loop *l);

/* No transfer may be left. Connections end at once, the memory when the loop has run its close
 * callbacks. NULL is fine. */
void curl_loop_destroy(struct curl_loop *l);

/* `ended` is never called before this returns. */
enum err curl_loop_add(struct curl_loop *l, CURL *easy) MUST_CHECK;
void curl_loop_remove(struct curl_loop *l, CURL *easy); /* `ended` will not be called */

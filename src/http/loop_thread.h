/* The lifetime of a loop: starts its thread, drains and stops it when its flags say so, and ends
 * it. */
#pragma once

#include "base/err.h"

struct http_server;
struct loop;

enum err loop_thread_start(struct http_server *server, struct loop **ret, struct fail *fail);

/* Joins the thread, which must have been asked to stop, and frees everything. */
void loop_thread_join(struct loop *loop);

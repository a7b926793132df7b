/*
 * Work of the server that can take a core for seconds, such as building the feed anew: it runs on a
 * thread of low priority, so that on a busy machine those who answer requests come first. The
 * priority of a thread can be lowered by anybody but raised by the superuser only; that is why it
 * is a thread of its own each time.
 */
#pragma once

enum { BACKGROUND_NICE = 10 };

/* Runs fn there and returns when it has ended. The thread has been told to base/rcu.h. Where no
 * thread can be had, runs it on the caller's. */
void background_call(void (*fn)(void *ctx), void *ctx);

/*
 * Runs work that can take a core for seconds, such as rebuilding the feed, on a thread of low
 * priority, so that on a busy machine the threads that answer requests come first. Each call starts
 * a new thread, because only the superuser can raise the priority of a thread again.
 */
#pragma once

enum { BACKGROUND_NICE = 10 };

/* Runs fn on such a thread, registered with base/rcu.h, and returns when fn has returned. If no
 * thread can be started, runs fn on the caller's thread. */
void background_call(void (*fn)(void *ctx), void *ctx);

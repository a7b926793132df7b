/*
 * The running server (`stockact serve`): everything between its settings and its exit.
 */
#pragma once

#include "config/settings.h"

/* Called once, when requests are answered. `address` is the address listened on: "ADDR:PORT" with
 * the real port, or "unix:PATH". */
typedef void serve_ready_fn(void *ctx, struct str address);

/* Runs until SIGTERM or SIGINT, drains, and returns. The caller must not have started threads. An
 * error says why the server could not start, or that month counts were lost at the stop. */
enum err serve_until_stopped(
    const struct settings *settings, serve_ready_fn *ready, void *ctx,
    struct fail *fail) MUST_CHECK;

/*
 * The server (`stockact serve`), from its settings to its exit.
 */
#pragma once

#include "config/settings.h"

/* Called once, when the server accepts requests. `address` is the listen address: "ADDR:PORT" with
 * the actual port, or "unix:PATH". */
typedef void serve_ready_fn(void *ctx, struct str address);

/* Runs until SIGTERM or SIGINT, drains, and returns. The caller must not have started threads.
 * Returns an error if the server cannot start, or if counts were lost during the stop. */
enum err serve_until_stopped(
    const struct settings *settings, serve_ready_fn *ready, void *ctx, struct fail *fail);

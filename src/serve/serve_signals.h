/* The signals of a server: SIGTERM and SIGINT stop it, SIGHUP is ignored. */
#pragma once

#include <signal.h>
#include <stdint.h>

struct fail;

/* Blocks SIGTERM and SIGINT before the first thread starts: only serve_signals_wait receives them.
 */
void serve_signals_block(sigset_t *ret);

/* Waits for one of them, at most this long. Returns its number; 0: none came. */
int serve_signals_wait(const sigset_t *signals, int wait_ms);

/* Logs why the server stops: the signal, or for number 0 the reason in `fail`. */
void serve_signals_log(int number, const struct fail *fail);

/* Ends the process with a failure unless it exits within this time. */
void serve_signals_limit_stop(int64_t ms);

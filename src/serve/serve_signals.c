/* Waits for signals; see serve_signals.h. */
#include "serve/serve_signals.h"

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/log.h"

void serve_signals_block(sigset_t *ret)
{
    sigemptyset(ret);
    sigaddset(ret, SIGTERM);
    sigaddset(ret, SIGINT);
    pthread_sigmask(SIG_BLOCK, ret, NULL);
    signal(SIGHUP, SIG_IGN);
}

int serve_signals_wait(const sigset_t *signals, int wait_ms)
{
    const struct timespec wait = {wait_ms / 1000, wait_ms % 1000 * 1000000L};
    int signal_number = sigtimedwait(signals, NULL, &wait);
    return signal_number > 0 ? signal_number : 0;
}

void serve_signals_log(int number, const struct fail *fail)
{
    if (number)
        log_line(
            LOG_INFO, "stopping",
            LOG_S("signal", str_from(number == SIGTERM ? "SIGTERM" : "SIGINT")));
    else
        log_line(LOG_ERROR, "stopping", LOG_S("reason", str_from(fail->text)));
}

/* Handles SIGALRM. Standard error may be full: write only if poll says so. */
static void give_up(int signal_number)
{
    static const char text[] = "stockact: the shutdown took too long, counts may be lost\n";
    struct pollfd room = {.fd = STDERR_FILENO, .events = POLLOUT};
    if (poll(&room, 1, 0) == 1) {
        ssize_t unused = write(STDERR_FILENO, text, sizeof text - 1);
        (void)unused;
    }
    _exit(EXIT_FAILURE);
}

void serve_signals_limit_stop(int64_t ms)
{
    signal(SIGALRM, give_up);
    alarm((unsigned)((ms + 999) / 1000));
}

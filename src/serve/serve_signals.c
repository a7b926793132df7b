/* Waits for signals; see serve_signals.h. */
#include "serve/serve_signals.h"

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

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

void serve_signals_limit_stop(unsigned seconds)
{
    signal(SIGALRM, give_up);
    alarm(seconds);
}

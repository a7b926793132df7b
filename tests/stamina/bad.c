/* Bad neighbours: each kind uses up server resources in its own way. */
#include "run.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

enum { SLOW_READ_BYTES = 8, SLOW_READ_ASKS = 48, UNREAD_ASKS_MAX = 64 };

static const struct answer_body anything;

/* ---- shared ---- */

static void count_answer(struct run *run, struct client *c)
{
    run->tallies[c->kind].answers[c->answer.status % STATUS_MAX]++;
    c->last_status = c->answer.close ? c->answer.status : 0;
    answer_init(&c->answer);
}

static void note_answers(struct run *run, struct client *c, const char *p, size_t n)
{
    while (n > 0) {
        size_t used = answer_take(&c->answer, &anything, p, n);
        if (c->answer.state == ANSWER_WHOLE) {
            count_answer(run, c);
        } else if (c->answer.state == ANSWER_BAD) {
            run->tallies[c->kind].wrong++;
            return;
        }
        p += used;
        n -= used;
    }
}

/* The connection ended between answers, or inside one. */
static void note_end(struct run *run, struct client *c, enum end end)
{
    struct tally *tally = &run->tallies[c->kind];
    if (c->last_status)
        tally->ended[c->last_status]++;
    else if (end == END_RESET)
        tally->reset++;
    else
        tally->closed++;
    if (c->answer.head_n > 0)
        tally->truncated++;
    client_close(run, c);
}

static void note_end_and_free(struct run *run, struct client *c, enum end end)
{
    note_end(run, c, end);
    client_free(run, c);
}

static void send_text(struct run *run, struct client *c, const char *text)
{
    client_send(run, c, text, strlen(text));
}

/* ---- slow and silent clients ---- */

static void idle_connected(struct run *run, struct client *c)
{
    send_text(run, c, run->request);
}

static void slow_head_connected(struct run *run, struct client *c)
{
    send_text(run, c, "GET /api/v1/trades HTTP/1.1\r\nHost: slow\r\nX-Slow: ");
}

static void slow_body_connected(struct run *run, struct client *c)
{
    send_text(run, c, "POST /api/v1/trades HTTP/1.1\r\nHost: slow\r\nContent-Length: 4096\r\n\r\n");
}

static void send_one_byte(struct run *run, struct client *c)
{
    if (c->last_status == 0) /* already answered: only the end is missing */
        client_send(run, c, "x", 1);
}

static void slow_read_connected(struct run *run, struct client *c)
{
    for (int i = 0; i < SLOW_READ_ASKS && c->fd >= 0; i++)
        send_text(run, c, run->long_request);
}

static void slow_read_visit(struct run *run, struct client *c)
{
    char bytes[SLOW_READ_BYTES];
    ssize_t n = recv(c->fd, bytes, sizeof bytes, 0);
    if (n > 0)
        note_answers(run, c, bytes, (size_t)n);
    else if (n == 0 || errno != EAGAIN)
        client_ended(run, c, n == 0 ? END_CLOSED : END_RESET);
}

/* One send: a client that is cut while it sends would ask for less. */
static void unread_connected(struct run *run, struct client *c)
{
    static char all[REQUEST_MAX * UNREAD_ASKS_MAX];
    size_t n = 0, one = strlen(run->long_request);
    for (unsigned i = 0; i < run->options.asks && i < UNREAD_ASKS_MAX; i++, n += one)
        memcpy(all + n, run->long_request, one);
    c->retired = true;
    client_send(run, c, all, n);
}

/* ---- fast and malformed clients ---- */

/* Each gets a 4xx and the end of the connection. */
static const char *const malformed[] = {
    "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    "GET / HTTP/1.1\r\n\r\n",
    "GET  / HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET / HTTP/1.1\nHost: a\n\n",
    "GET / HTTP/2.0\r\nHost: a\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nX : b\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n",
    "\x16\x03\x01\x02\x01\x01\xfc\x03\x03",
    "\r\r\r\r",
};

static void malformed_connected(struct run *run, struct client *c)
{
    size_t n = sizeof malformed / sizeof *malformed;
    send_text(run, c, malformed[run->tallies[MALFORMED].opened % n]);
}

static void reset_connected(struct run *run, struct client *c)
{
    const struct linger now = {.l_onoff = 1, .l_linger = 0};
    send_text(run, c, run->request);
    if (c->fd < 0) /* ended, and free for reuse */
        return;
    setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    client_close(run, c);
    client_free(run, c);
}

const struct behaviour bad_behaviour[KINDS - IDLE] = {
    [IDLE - IDLE] = {"idle", .connected = idle_connected, .read = note_answers, .ended = note_end},
    [SLOW_HEAD - IDLE] =
        {"slow_head", .connected = slow_head_connected, .read = note_answers, .ended = note_end,
         .visit = send_one_byte},
    [SLOW_READ - IDLE] =
        {"slow_read", .deaf = true, .connected = slow_read_connected, .ended = note_end,
         .visit = slow_read_visit},
    [SLOW_BODY - IDLE] =
        {"slow_body", .connected = slow_body_connected, .read = note_answers, .ended = note_end,
         .visit = send_one_byte},
    [UNREAD - IDLE] = {"unread", .deaf = true, .connected = unread_connected, .ended = note_end},
    [MALFORMED - IDLE] =
        {"malformed", .connected = malformed_connected, .read = note_answers,
         .ended = note_end_and_free, .begin = client_open},
    [RESET - IDLE] =
        {"reset", .connected = reset_connected, .read = note_answers, .ended = note_end_and_free,
         .begin = client_open},
};

/*
 * Good clients: keyed page requests at a fixed rate, whatever the server does (open loop). Latency
 * counts from the instant when a request was due, and so includes waiting for a free connection.
 * Each answer must be a 200 with exactly the body of the first.
 */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void settle(struct run *run, struct client *c)
{
    c->due_ns = 0;
    run->under_way--;
}

static void ask(struct run *run, struct client *c)
{
    const char *text = c->kind == FRESH ? run->last_request : run->request;
    answer_init(&c->answer);
    client_send(run, c, text, strlen(text));
}

static void reopen(struct run *run, struct client *c)
{
    bool was_served = c->last_status != 0;
    client_close(run, c);
    if (c->kind == FRESH)
        client_free(run, c);
    else if (was_served) /* otherwise at its next visit: do not press a full server */
        client_open(run, c);
}

static void take_out(struct run *run, struct client *wanted)
{
    struct client **at = &run->free[wanted->kind];
    while (*at && *at != wanted)
        at = &(*at)->next_free;
    if (*at)
        *at = wanted->next_free;
}

static void good_ended(struct run *run, struct client *c, enum end end)
{
    struct tally *tally = &run->tallies[c->kind];
    if (end == END_RESET)
        tally->reset++;
    else
        tally->closed++;
    if (c->due_ns == 0) {
        take_out(run, c);
    } else {
        if (c->answer.head_n > 0)
            tally->truncated++;
        else
            tally->lost++;
        settle(run, c);
    }
    reopen(run, c);
}

static void answered(struct run *run, struct client *c, bool more)
{
    struct tally *tally = &run->tallies[c->kind];
    const struct answer *a = &c->answer;
    tally->answers[a->status % STATUS_MAX]++;
    c->last_status = a->status;
    if (a->state == ANSWER_BAD || a->differs || a->status != 200 || more) {
        tally->wrong++;
    } else {
        tally->answered++;
        latency_add(&run->latency, (now_ns() - c->due_ns) / 1000);
    }
    settle(run, c);
    if (a->close || a->state == ANSWER_BAD || more)
        reopen(run, c);
    else
        client_free(run, c);
}

static void good_read(struct run *run, struct client *c, const char *p, size_t n)
{
    struct answer *a = &c->answer;
    if (c->due_ns == 0) { /* an answer without a request */
        run->tallies[c->kind].wrong++;
        take_out(run, c);
        reopen(run, c);
        return;
    }
    size_t used = answer_take(a, &run->expected, p, n);
    if (a->state == ANSWER_BAD || a->state == ANSWER_WHOLE)
        answered(run, c, used < n);
}

static void good_begin(struct run *run, struct client *c)
{
    run->under_way++;
    ask(run, c);
}

static void fresh_begin(struct run *run, struct client *c)
{
    run->under_way++;
    client_open(run, c);
}

const struct behaviour good_behaviour[2] = {
    [GOOD] =
        {"good", .connected = client_free, .read = good_read, .ended = good_ended,
         .begin = good_begin},
    [FRESH] =
        {"fresh", .connected = ask, .read = good_read, .ended = good_ended, .begin = fresh_begin},
};

static void keep_body(struct run *run, int fd)
{
    static const struct answer_body anything;
    struct answer a;
    char bytes[4096], *body = NULL;
    size_t kept = 0;
    ssize_t n;
    answer_init(&a);
    while (a.state < ANSWER_WHOLE && (n = recv(fd, bytes, sizeof bytes, 0)) > 0) {
        size_t had = a.body_got, used = answer_take(&a, &anything, bytes, (size_t)n);
        size_t more = a.body_got - had;
        if (!body && a.body_n > 0)
            body = malloc(a.body_n);
        if (more > 0)
            memcpy(body + kept, bytes + used - more, more);
        kept += more;
    }
    if (a.state != ANSWER_WHOLE || a.status != 200 || kept == 0) {
        fprintf(stderr, "neighbours: the first answer is not a whole 200: %d\n", a.status);
        exit(2);
    }
    run->expected = (struct answer_body){body, kept};
}

void good_probe(struct run *run)
{
    const struct sockaddr_in *server = &run->options.server;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(fd, (const struct sockaddr *)server, sizeof *server) != 0) {
        perror("neighbours: connect");
        exit(2);
    }
    send(fd, run->last_request, strlen(run->last_request), MSG_NOSIGNAL);
    keep_body(run, fd);
    close(fd);
}

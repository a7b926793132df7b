/* The loop of the server; see streams.h. */
#include "mcp/streams.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "base/build.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "mcp/server.h"

/* Splits bytes into lines. */

void line_reader_init(struct line_reader *r)
{
    *r = (struct line_reader){0};
    buf_init(&r->line, LINE_MAX_SIZE);
}

void line_reader_finish(struct line_reader *r)
{
    buf_finish(&r->line);
}

/* Frees the memory of a long line before the next line. */
static void begin_line(struct line_reader *r)
{
    enum { KEPT_MAX = 64 * 1024 };
    if (r->line.cap > KEPT_MAX) {
        buf_finish(&r->line);
        buf_init(&r->line, LINE_MAX_SIZE);
    }
    buf_reset(&r->line);
    r->skipping = false;
    r->returned = false;
}

static void put(struct line_reader *r, struct str part)
{
    if (!r->skipping)
        buf_str(&r->line, part);
    if (r->line.overflow) {
        r->skipping = true;
        buf_reset(&r->line);
    }
}

static void return_line(struct line_reader *r, struct str *ret_line)
{
    *ret_line = r->skipping ? STR_NULL : buf_view(&r->line);
    r->returned = true;
}

bool line_reader_next(struct line_reader *r, struct str *rest, struct str *ret_line)
{
    if (r->returned)
        begin_line(r);
    ptrdiff_t end = str_find_char(*rest, '\n');
    if (end < 0) {
        put(r, *rest);
        *rest = str_slice(*rest, rest->n, rest->n);
        return false;
    }
    put(r, str_slice(*rest, 0, (size_t)end));
    *rest = str_slice(*rest, (size_t)end + 1, rest->n);
    return_line(r, ret_line);
    return true;
}

bool line_reader_end(struct line_reader *r, struct str *ret_line)
{
    if (r->returned)
        begin_line(r);
    if (r->line.n == 0 && !r->skipping)
        return false;
    return_line(r, ret_line);
    return true;
}

enum {
    ANSWER_SIZE_MAX = 1024 * 1024, /* of a response of the API */
    CONNECTIONS_MAX = 8,
    CONNECT_TIME_MAX_MS = 5000,
    READ_SIZE = 64 * 1024,
    END_TIME_MAX_MS = 1500, /* for calls in progress at the end of the input */
    IDLE_MS = 60 * 1000,
    FIRST_LOOK_MAX_MS = 2000,
};

struct streams {
    struct client *client;
    struct str key; /* null: none */
    struct server server;
    struct line_reader lines;
    int write_error; /* errno; 0: none */
    char bytes[READ_SIZE];
};

/* --- out */

/* Standard output may be non-blocking: the host decides. */
static void wait_for_reader(void)
{
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    poll(&output, 1, -1);
}

static void write_bytes(struct streams *io, struct str bytes)
{
    while (bytes.n > 0 && !io->write_error) {
        ssize_t n = write(STDOUT_FILENO, bytes.p, bytes.n);
        if (n >= 0)
            bytes = str_slice(bytes, (size_t)n, bytes.n);
        else if (errno == EAGAIN)
            wait_for_reader();
        else if (errno != EINTR)
            io->write_error = errno;
    }
}

/* Replaces the key by *** in case a server repeats it in a response. A value that does not begin
 * like a key (spec 5) is not replaced: it may be a common word. */
static void write_line(void *ctx, struct str line)
{
    struct streams *io = ctx;
    bool hide = str_starts(io->key, STR("svc_"));
    ptrdiff_t key_at;
    while (hide && (key_at = str_find(line, io->key)) >= 0) {
        write_bytes(io, str_slice(line, 0, (size_t)key_at));
        write_bytes(io, STR("***"));
        line = str_slice(line, (size_t)key_at + io->key.n, line.n);
    }
    write_bytes(io, line);
}

/* --- in */

/* False: the input has ended. */
static bool read_input(struct streams *io)
{
    struct str line;
    ssize_t n = read(STDIN_FILENO, io->bytes, sizeof io->bytes);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return true;
    struct str rest = str_of(io->bytes, n > 0 ? (size_t)n : 0);
    while (line_reader_next(&io->lines, &rest, &line))
        server_take_line(&io->server, line);
    if (n <= 0 && line_reader_end(&io->lines, &line))
        server_take_line(&io->server, line);
    return n > 0;
}

/* --- the first look at the API */

struct first_look {
    bool ended, invented;
};

static void looked(void *ctx, const struct client_answer *answer)
{
    struct first_look *look = ctx;
    look->ended = true;
    look->invented = api_answer_is_invented(answer);
}

/* Asks whether the data is invented, so that the instructions can say so. /healthz is outside the
 * limits of callers. Without an answer the results say it as soon as they know. */
static enum err look_first(struct streams *io, struct fail *fail)
{
    static const struct str headers[] = {
        STR_INIT("Accept: application/json"), STR_INIT("Connection: close")};
    const struct client_request request = {
        .target = STR("/healthz"),
        .headers = headers,
        .header_count = sizeof headers / sizeof *headers,
        .time_max_ms = FIRST_LOOK_MAX_MS,
    };
    struct first_look look = {0};
    enum err err = OK;
    client_begin(io->client, &request, looked, &look);
    while (!err && !look.ended) {
        err = client_wait(io->client, NULL, 0, FIRST_LOOK_MAX_MS, NULL, fail);
        client_tell(io->client);
    }
    io->server.calls.invented = look.invented;
    return err;
}

/* --- the loop */

static int64_t wait_ms(const struct streams *io, int64_t ends_at_ms)
{
    int64_t due_ms = calls_due_ms(&io->server.calls);
    if (due_ms > ends_at_ms)
        due_ms = ends_at_ms;
    if (due_ms == INT64_MAX)
        return IDLE_MS;
    return due_ms > io->server.calls.now_ms ? due_ms - io->server.calls.now_ms : 0;
}

static enum err serve(struct streams *io, struct fail *fail)
{
    const int input = STDIN_FILENO;
    bool reading = true, readable = false;
    int64_t ends_at_ms = INT64_MAX;
    struct calls *calls = &io->server.calls;
    calls->now_ms = clock_mono_ms();
    while (reading || (calls->count > 0 && calls->now_ms < ends_at_ms)) {
        TRY(client_wait(
            io->client, &input, reading ? 1 : 0, wait_ms(io, ends_at_ms), &readable, fail));
        calls->now_ms = clock_mono_ms();
        client_tell(io->client);
        calls_run_due(calls);
        if (reading && readable && !read_input(io)) {
            reading = false;
            ends_at_ms = calls->now_ms + END_TIME_MAX_MS;
        }
        if (io->write_error)
            return fail_set(
                fail, ERR_IO, "cannot write to standard output: %s", strerror(io->write_error));
    }
    return OK;
}

/* --- */

/* Exits at once: there is no state to save. */
static void exit_now(int signal_number)
{
    _exit(0);
}

static void take_signals(void)
{
    const struct sigaction exiting = {.sa_handler = exit_now};
    const struct sigaction ignored = {.sa_handler = SIG_IGN};
    sigaction(SIGTERM, &exiting, NULL);
    sigaction(SIGINT, &exiting, NULL);
    sigaction(SIGPIPE, &ignored, NULL); /* write returns EPIPE */
    sigaction(SIGXFSZ, &ignored, NULL); /* write returns EFBIG */
}

/* Refuses bytes that are invalid in a header, and bytes that JSON escapes: write_line would not
 * find such a key. */
static enum err check_key(struct str key, struct fail *fail)
{
    for (size_t i = 0; i < key.n; i++)
        if (key.p[i] <= ' ' || key.p[i] > '~' || key.p[i] == '"' || key.p[i] == '\\')
            return fail_set(
                fail, ERR_INVALID, "SVC_API_KEY has an invalid character at position %zu", i + 1);
    return OK;
}

static enum err open_client(
    struct streams *io, const struct streams_config *config, struct fail *fail)
{
    struct fail why;
    const struct client_config client = {
        .base_url = config->api_url,
        .plain_http = true,
        .bearer = config->api_key,
        .ca_file = config->ca_file,
        .user_agent = build.mcp_agent,
        .connections_max = CONNECTIONS_MAX,
        .connect_time_max_ms = CONNECT_TIME_MAX_MS,
        .body_max = ANSWER_SIZE_MAX,
    };
    struct str base = config->api_url;
    while (str_ends(base, STR("/")))
        base.n--;
    if (str_ends(base, STR("/api/v1")))
        return fail_set(fail, ERR_INVALID, "SVC_API_URL must not end with /api/v1");
    enum err err = client_create(&client, &io->client, &why);
    return err ? fail_set(fail, err, "SVC_API_URL: %s", why.text) : OK;
}

enum err streams_serve(const struct streams_config *config, struct fail *fail)
{
    struct streams io = {.key = config->api_key};
    enum err err = check_key(config->api_key, fail);
    if (err || (err = open_client(&io, config, fail)))
        return err;
    take_signals();
    line_reader_init(&io.lines);
    server_init(&io.server, io.client, str_is_null(config->api_key), write_line, &io);
    err = look_first(&io, fail);
    if (!err)
        err = serve(&io, fail);
    server_finish(&io.server);
    line_reader_finish(&io.lines);
    client_destroy(io.client);
    return err;
}

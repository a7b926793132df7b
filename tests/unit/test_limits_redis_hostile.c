/* Redis peers that send what no Redis sends, and one whose name is looked up for long. Draws are
 * answered, memory and the shutdown stay bounded, and no password gets into the log. */
#include "limits_unit.h"

#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

enum { GROWTH_MAX_KIB = 48 * 1024 };

/* --- the system's resolver, which takes as long as a test wants for one name */

#define SLOW_NAME "slow.example"
#define LATE_NAME "late.example" /* of another test, whose look-ups may last */

static sem_t slow_asked, slow_released; /* once released, no look-up waits */
static const char *_Atomic slow_name;

int getaddrinfo(
    const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **ret)
{
    typedef int look_up(const char *, const char *, const struct addrinfo *, struct addrinfo **);
    look_up *real;
    *(void **)&real = dlsym(RTLD_NEXT, "getaddrinfo");
    bool ours = name && strstr(name, ".example") && !(hints->ai_flags & AI_NUMERICHOST);
    if (ours && slow_name && strcmp(name, slow_name) == 0) {
        sem_post(&slow_asked);
        sem_wait(&slow_released);
        sem_post(&slow_released);
    }
    return real(ours ? "127.0.0.1" : name, service, hints, ret);
}

/* --- a peer, in a process of its own */

struct script {
    const char *auth;     /* the reply to AUTH; NULL: +OK */
    const char *first;    /* to the first draw, or ... */
    const char *greeting; /* ... in place of the whole login; NULL: an ordinary login */
    const char *again;    /* without end after either; NULL: silence */
    bool grants;          /* all draws get `first`, and the clock is told again */
    bool in_cluster;      /* it is asked for its id */
};

static pid_t peer;
static int peer_port;

static void put(int fd, const char *text, size_t n)
{
    while (n) {
        ssize_t done = send(fd, text, n, MSG_NOSIGNAL);
        if (done <= 0)
            _exit(0);
        text += done;
        n -= (size_t)done;
    }
}

static void put_again(int fd, const char *again)
{
    static char block[64 * 1024];
    size_t size = strlen(again), n = 0;
    for (; n + size <= sizeof block; n += size)
        memcpy(block + n, again, size);
    for (;;)
        put(fd, block, n);
}

static const char time_reply[] = "*2\r\n$10\r\n1800000000\r\n$1\r\n0\r\n";

enum { SCRIPTS = 3 }; /* that a server loads: draw, refund, raise */

/* What the peer was sent and has not answered; keys have any bytes. */
struct heard {
    char text[16 * 1024];
    size_t n;
};

static void heard_drop(struct heard *heard, size_t n)
{
    heard->n -= n;
    memmove(heard->text, heard->text + n, heard->n);
}

/* Reads until a word was sent, or TIME, which is answered if `tells`; what follows stays in the
 * text. */
static void wait_for(int fd, struct heard *heard, const char *word, bool tells)
{
    char *found;
    for (;;) {
        char *asked = tells ? memmem(heard->text, heard->n, "TIME", 4) : NULL;
        found = memmem(heard->text, heard->n, word, strlen(word));
        if (asked && (!found || asked < found)) {
            put(fd, time_reply, sizeof time_reply - 1);
            heard_drop(heard, (size_t)(asked + 4 - heard->text));
            continue;
        }
        if (found)
            break;
        if (heard->n == sizeof heard->text)
            heard_drop(heard, heard->n / 2);
        ssize_t got = recv(fd, heard->text + heard->n, sizeof heard->text - heard->n, 0);
        if (got <= 0)
            _exit(0);
        heard->n += (size_t)got;
    }
    heard_drop(heard, (size_t)(found + strlen(word) - heard->text));
}

static void greet(int fd, const struct script *script, struct heard *heard)
{
    static const char hash[] = "$40\r\n0123456789012345678901234567890123456789\r\n";
    const char *auth = script->auth ? script->auth : "+OK\r\n";
    wait_for(fd, heard, "AUTH", false);
    put(fd, auth, strlen(auth));
    if (script->in_cluster) {
        wait_for(fd, heard, "MYID", false);
        put(fd, "+id\r\n", 5);
    }
    wait_for(fd, heard, "TIME", false);
    put(fd, time_reply, sizeof time_reply - 1);
    for (int i = 0; i < SCRIPTS; i++) {
        wait_for(fd, heard, "LOAD", false);
        put(fd, hash, sizeof hash - 1);
    }
}

static void talk(int fd, const struct script *script)
{
    static struct heard heard;
    if (script->greeting) {
        put(fd, script->greeting, strlen(script->greeting));
    } else {
        greet(fd, script, &heard);
        do {
            wait_for(fd, &heard, "EVALSHA", script->grants);
            put(fd, script->first, strlen(script->first));
        } while (script->grants);
    }
    if (script->again)
        put_again(fd, script->again);
    wait_for(fd, &heard, "never said", false);
}

/* Each connection has a process, which ends with the connection. */
static void peer_start(const struct script *script)
{
    struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof in;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(listener >= 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&in, size), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&in, &size), 0);
    assert_int_equal(listen(listener, 8), 0);
    peer_port = ntohs(in.sin_port);
    peer = fork();
    assert_true(peer >= 0);
    if (peer == 0) {
        setpgid(0, 0);
        signal(SIGCHLD, SIG_IGN);
        for (;;) {
            int fd = accept(listener, NULL, NULL);
            if (fd >= 0 && fork() == 0) {
                close(listener);
                talk(fd, script);
                _exit(0);
            }
            close(fd);
        }
    }
    setpgid(peer, peer);
    close(listener);
}

static void peer_end(void)
{
    if (!peer)
        return;
    kill(-peer, SIGKILL);
    waitpid(peer, NULL, 0);
    peer = 0;
}

/* --- a server */

struct answer {
    pthread_mutex_t lock;
    pthread_cond_t cond;
    bool arrived;
    struct limits_answer answer;
};

static void take_answer(void *ctx, const struct limits_answer *given)
{
    struct answer *answer = ctx;
    pthread_mutex_lock(&answer->lock);
    answer->answer = *given;
    answer->arrived = true;
    pthread_cond_signal(&answer->cond);
    pthread_mutex_unlock(&answer->lock);
}

/* answer_ms 0: as a server has it. */
static struct limits *limits_with_hosts(const char *hosts, int64_t answer_ms)
{
    char url[100];
    struct limits *limits;
    snprintf(url, sizeof url, "redis://guard:open%%20sesame@%s:%d", hosts, peer_port);
    struct limits_options options = {
        .master_key = str_from(limits_unit_master_key),
        .redis_url = str_from(url),
        .redis_answer_ms = answer_ms};
    assert_int_equal(limits_create(&options, &limits, NULL), OK);
    return limits;
}

static struct limits *limits_with_peer(void)
{
    return limits_with_hosts("127.0.0.1", 0);
}

static bool is_ready(struct limits *limits)
{
    struct limits_stats stats;
    limits_stats(limits, &stats);
    return stats.redis_ready;
}

static void wait_until_ready(struct limits *limits)
{
    while (!is_ready(limits))
        sched_yield();
}

/* The verdict of a draw, which must come. */
static enum limits_verdict draw_verdict(struct limits *limits)
{
    static struct answer answer; /* outlives a failed test */
    struct limits_caller caller = keyed(1, PLAN_PACK);
    struct limits_answer now;
    answer = (struct answer){PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, {0}};
    if (limits_draw(limits, &caller, at("2026-11-20T10:00:00Z"), &now, take_answer, &answer))
        return now.verdict;
    pthread_mutex_lock(&answer.lock);
    while (!answer.arrived)
        pthread_cond_wait(&answer.cond, &answer.lock);
    pthread_mutex_unlock(&answer.lock);
    return answer.answer.verdict;
}

static long peak_kib(void)
{
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
}

static int end_peer(void **state)
{
    peer_end();
    return 0;
}

/* A draw gets no verdict from `script`, and ends in bounded memory; so does the shutdown, with the
 * peer still sending. */
static void assert_bounded(const struct script *script)
{
    peer_start(script);
    struct limits *limits = limits_with_peer();
    long before = peak_kib(); /* has the tables of the limits */
    if (!script->greeting)
        wait_until_ready(limits);
    assert_int_equal(draw_verdict(limits), LIMITS_UNAVAILABLE);
    limits_destroy(limits);
    assert_in_range(peak_kib() - before, 0, GROWTH_MAX_KIB);
}

static void answers_without_end_are_cut(void **state)
{
    assert_bounded(&(struct script){.first = "+OK\r\n", .again = "+OK\r\n"});
}

static void line_without_end_is_cut(void **state)
{
    assert_bounded(&(struct script){.first = "+", .again = "line"});
}

static void text_without_end_is_cut(void **state)
{
    assert_bounded(&(struct script){.first = "$536870900\r\n", .again = "text"});
}

static void nested_arrays_are_cut(void **state)
{
    assert_bounded(&(struct script){
        .first = "*16\r\n", .again = "*16\r\n*16\r\n*16\r\n*16\r\n:1\r\n:1\r\n:1\r\n:1\r\n"});
}

/* To a port of this machine that nothing listens on. */
static void redirections_are_cut(void **state)
{
    assert_bounded(&(struct script){.first = "-MOVED 1 127.0.0.1:1\r\n"});
    peer_end();
    assert_bounded(
        &(struct script){.first = "-ASK 1 127.0.0.1:1\r\n", .again = "-MOVED 1 127.0.0.1:1\r\n"});
    peer_end();
    assert_bounded(&(struct script){.first = "-TRYAGAIN\r\n", .again = "-TRYAGAIN\r\n"});
}

static void login_without_end_is_cut(void **state)
{
    assert_bounded(&(struct script){.greeting = "+", .again = "login"});
}

/* What a server that cannot log in to the peer writes to its log. */
static void log_of_refusal(int log, char *text, size_t size)
{
    assert_int_equal(ftruncate(log, 0), 0);
    assert_int_equal(lseek(log, 0, SEEK_SET), 0);
    struct limits *limits = limits_with_peer();
    while (pread(log, text, 1, 0) <= 0)
        sched_yield();
    limits_destroy(limits);
    ssize_t n = pread(log, text, size - 1, 0);
    text[n > 0 ? n : 0] = '\0';
}

/* Redis quotes the arguments of a command that it does not have, and AUTH can be renamed. A peer
 * that is late has another reason in the log: then again. */
static void refused_password_is_not_in_the_log(void **state)
{
    static const char reply[] = "-ERR unknown command 'AUTH', with args beginning with: 'guard' "
                                "'open sesame' \r\n";
    static char text[4096];
    FILE *log = tmpfile();
    int before = dup(STDERR_FILENO);
    assert_true(log && before >= 0 && dup2(fileno(log), STDERR_FILENO) >= 0);
    peer_start(&(struct script){.auth = reply});
    do
        log_of_refusal(fileno(log), text, sizeof text);
    while (!strstr(text, "unknown command") && !strstr(text, "sesame"));
    dup2(before, STDERR_FILENO);
    close(before);
    fclose(log);
    assert_non_null(strstr(text, "redis is unreachable"));
    assert_non_null(strstr(text, " counts=requests "));
    if (strstr(text, "sesame"))
        fail_msg("the log has the password: %s", text);
}

/* --- names */

static const struct script granting = {.grants = true, .first = "*3\r\n:1\r\n:1\r\n:1\r\n"};

static void slow_down(const char *name)
{
    assert_int_equal(sem_init(&slow_asked, 0, 0), 0);
    assert_int_equal(sem_init(&slow_released, 0, 0), 0);
    slow_name = name;
}

static void slow_name_of_one_node_stops_no_other(void **state)
{
    char hosts[60];
    struct script script = granting;
    script.in_cluster = true;
    slow_down(SLOW_NAME);
    peer_start(&script);
    snprintf(hosts, sizeof hosts, "127.0.0.1:%d," SLOW_NAME, peer_port);
    struct limits *limits = limits_with_hosts(hosts, LIMITS_UNIT_PATIENT_MS);
    sem_wait(&slow_asked);
    wait_until_ready(limits);
    for (int i = 0; i < 20; i++)
        assert_int_equal(draw_verdict(limits), LIMITS_GRANTED);
    sem_post(&slow_released);
    limits_destroy(limits);
}

static void name_that_is_found_late_is_used(void **state)
{
    struct limits_stats stats = {.redis_losses = 0};
    slow_down(LATE_NAME);
    peer_start(&granting);
    struct limits *limits = limits_with_hosts(LATE_NAME, LIMITS_UNIT_PATIENT_MS);
    while (!stats.redis_losses) {
        sched_yield();
        limits_stats(limits, &stats);
    }
    assert_int_equal(stats.redis_losses, 1); /* the server says that it has no Redis */
    assert_int_equal(draw_verdict(limits), LIMITS_UNAVAILABLE);
    sem_wait(&slow_asked);
    assert_int_equal(sem_trywait(&slow_asked), -1); /* it is looked up once */
    sem_post(&slow_released);
    wait_until_ready(limits);
    assert_int_equal(draw_verdict(limits), LIMITS_GRANTED);
    limits_destroy(limits);
}

/* --- a busy machine */

enum { STALL_MS = 100 }; /* more than the link lets pass between two turns */

static atomic_bool stalls;

/* The link's thread gets no time between two turns. */
int uv_run(uv_loop_t *loop, uv_run_mode mode)
{
    int (*real)(uv_loop_t *, uv_run_mode);
    *(void **)&real = dlsym(RTLD_NEXT, "uv_run");
    if (mode == UV_RUN_ONCE && atomic_load(&stalls))
        poll(NULL, 0, STALL_MS);
    return real(loop, mode);
}

static void stalled_link_ends_draws_and_connects_again(void **state)
{
    struct script silent = {.first = ""};
    peer_start(&silent);
    struct limits *limits = limits_with_peer();
    wait_until_ready(limits);
    atomic_store(&stalls, true);
    assert_int_equal(draw_verdict(limits), LIMITS_UNAVAILABLE);
    wait_until_ready(limits);
    limits_destroy(limits);
    atomic_store(&stalls, false);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, end_peer)
    const struct CMUnitTest tests[] = {
        TEST(answers_without_end_are_cut),
        TEST(line_without_end_is_cut),
        TEST(text_without_end_is_cut),
        TEST(nested_arrays_are_cut),
        TEST(redirections_are_cut),
        TEST(login_without_end_is_cut),
        TEST(refused_password_is_not_in_the_log),
        TEST(stalled_link_ends_draws_and_connects_again),
        TEST(slow_name_of_one_node_stops_no_other),
        TEST(name_that_is_found_late_is_used),
    };
    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

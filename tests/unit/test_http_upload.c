/* Bodies of uploads: kept in a memory file, bounded together, and given time while they move. */
#include "unit.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "http_kit.h"

#define HOST "Host: a\r\n"

enum { SMALL = 1 << 20 };

static int begin(const struct kit *kit, const char *path, size_t size)
{
    char text[200];
    int fd = kit_connect(kit);
    snprintf(
        text, sizeof text, "POST %s HTTP/1.1\r\n" HOST "Content-Length: %zu\r\n\r\n", path, size);
    kit_send_text(fd, text);
    return fd;
}

static void send_many(int fd, size_t size)
{
    char *bytes = mem_alloc(size);
    for (size_t i = 0; i < size; i++)
        bytes[i] = (char)('a' + i % 23);
    kit_send(fd, bytes, size);
    mem_free(bytes);
}

static void expect(int fd, int status)
{
    struct kit_reply reply;
    assert_true(kit_read_reply(fd, false, &reply));
    assert_int_equal(reply.status, status);
    kit_reply_finish(&reply);
    close(fd);
}

static void expect_words(int fd, int status, const char *words)
{
    struct kit_reply reply;
    assert_true(kit_read_reply(fd, false, &reply));
    assert_int_equal(reply.status, status);
    assert_memory_equal(reply.body, words, strlen(words));
    kit_reply_finish(&reply);
    close(fd);
}

/* Another thread of the server may read the next request first. */
static void wait_for_uploads(const struct kit *kit, uint64_t bytes)
{
    while (kit_stats(kit).upload_bytes != bytes)
        sched_yield();
}

static void body_arrives_as_sent(void **state)
{
    struct kit kit;
    struct kit_reply reply;
    kit_start(&kit, NULL);
    int fd = begin(&kit, "/upload", SMALL);
    send_many(fd, SMALL);
    assert_true(kit_read_reply(fd, false, &reply));
    assert_int_equal(reply.status, 200);
    assert_true(reply.body_n > SMALL);
    const char *body = reply.body + reply.body_n - SMALL;
    for (size_t i = 0; i < SMALL; i++)
        assert_int_equal(body[i], 'a' + i % 23);
    kit_reply_finish(&reply);
    kit_send_text(fd, "GET / HTTP/1.1\r\n" HOST "\r\n"); /* the connection goes on */
    expect(fd, 200);
    kit_stop(&kit);
}

static void body_that_stops_leaves_nothing(void **state)
{
    struct kit kit;
    kit_start(&kit, NULL);
    int fd = begin(&kit, "/upload", HTTP_SPOOL_MAX);
    send_many(fd, SMALL);
    int second = begin(&kit, "/upload", HTTP_SPOOL_MAX);
    send_many(second, SMALL);
    wait_for_uploads(&kit, 2 * (uint64_t)HTTP_SPOOL_MAX);
    int refused = begin(&kit, "/upload", SMALL);
    send_many(refused, SMALL); /* a browser shows no earlier answer */
    expect(refused, 503);
    assert_int_equal(kit_stats(&kit).refused_bodies_full, 1);
    close(fd);
    wait_for_uploads(&kit, HTTP_SPOOL_MAX);
    fd = begin(&kit, "/upload", SMALL);
    send_many(fd, SMALL);
    expect(fd, 200);
    close(second);
    kit_stop(&kit);
}

static void body_over_the_limit_is_read_and_refused(void **state)
{
    struct kit kit;
    kit_start(&kit, NULL);
    int fd = begin(&kit, "/upload", HTTP_SPOOL_MAX + 1);
    send_many(fd, HTTP_SPOOL_MAX + 1);
    expect(fd, 413);
    expect(begin(&kit, "/upload", (size_t)HTTP_DROP_MAX + 1), 413); /* at once */
    kit_stop(&kit);
}

static void one_upload_of_a_holder_arrives_at_a_time(void **state)
{
    struct kit kit;
    kit_start(&kit, NULL);
    int first = begin(&kit, "/upload/1", SMALL);
    wait_for_uploads(&kit, SMALL);
    int second = begin(&kit, "/upload/1", SMALL), other = begin(&kit, "/upload/2", SMALL);
    send_many(second, SMALL);
    expect_words(second, 409, "Another upload of this session is still arriving.");
    send_many(other, SMALL);
    expect(other, 200);
    wait_for_uploads(&kit, SMALL); /* the second one took nothing */
    send_many(first, SMALL);
    expect(first, 200);
    second = begin(&kit, "/upload/1", SMALL);
    send_many(second, SMALL / 2);
    wait_for_uploads(&kit, SMALL);
    close(second); /* its client is gone */
    wait_for_uploads(&kit, 0);
    second = begin(&kit, "/upload/1", SMALL);
    send_many(second, SMALL);
    expect(second, 200);
    kit_stop(&kit);
}

static void uploads_that_arrive_are_counted(void **state)
{
    enum { SIZE = 10000 };
    struct kit kit;
    int fds[HTTP_SPOOLS_ARRIVING_MAX];
    kit_start(&kit, NULL);
    for (int i = 0; i < HTTP_SPOOLS_ARRIVING_MAX; i++)
        fds[i] = begin(&kit, "/upload", SIZE);
    wait_for_uploads(&kit, (uint64_t)SIZE * HTTP_SPOOLS_ARRIVING_MAX);
    int refused = begin(&kit, "/upload/1", SIZE);
    send_many(refused, SIZE);
    expect(refused, 503);
    for (int i = 0; i < HTTP_SPOOLS_ARRIVING_MAX; i++) {
        send_many(fds[i], SIZE);
        expect(fds[i], 200);
    }
    kit_stop(&kit);
}

static void chunked_body_is_small(void **state)
{
    struct kit kit;
    kit_start(&kit, NULL);
    int fd = kit_connect(&kit);
    kit_send_text(
        fd, "POST /upload HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n2001\r\n");
    expect(fd, 413);
    kit_stop(&kit);
}

/* The least that keeps up for a minute, which is how long a body has. */
enum { BODY_MS = 60000, ENOUGH = HTTP_SPOOL_FLOOR * (BODY_MS / 1000) };

static void slow_body_goes_on_and_a_stopped_one_ends(void **state)
{
    enum { PIECES = 3, SIZE = (PIECES + 1) * ENOUGH };
    struct kit kit;
    kit_start_one(&kit, (struct http_limits){.body_ms = BODY_MS, KIT_LOOKS_OFTEN});
    int slow = begin(&kit, "/upload", SIZE);
    for (int i = 0; i < PIECES; i++) {
        send_many(slow, ENOUGH);
        kit_wait_read(&kit);
        int slower = begin(&kit, "/upload", SIZE); /* its time ends after that of the slow one */
        send_many(slower, ENOUGH - 1);
        kit_advance(&kit, BODY_MS);
        expect(slower, 408);
    }
    send_many(slow, ENOUGH);
    expect(slow, 200);
    kit_stop(&kit);
}

static void body_has_an_end_of_its_time(void **state)
{
    struct kit kit;
    kit_start_one(
        &kit, (struct http_limits){.body_ms = BODY_MS, .spool_ms = BODY_MS / 2, KIT_LOOKS_OFTEN});
    int slow = begin(&kit, "/upload", 2 * ENOUGH);
    send_many(slow, ENOUGH);
    kit_advance(&kit, BODY_MS);
    expect_words(slow, 408, "The upload took too long to arrive.");
    kit_stop(&kit);
}

static void patient_application_is_waited_for(void **state)
{
    struct kit kit;
    kit_start(&kit, &(struct http_limits){.reply_ms = 40});
    int patient = kit_connect(&kit), other = kit_connect(&kit);
    kit_send_text(patient, "GET /patient HTTP/1.1\r\n" HOST "\r\n");
    struct http_exchange *kept = kit_wait_later();
    kit_send_text(other, "GET /later?of=me HTTP/1.1\r\n" HOST "\r\n");
    struct http_exchange *abandoned = kit_wait_later();
    expect_words(other, 503, "The answer took too long. GET /later?of=me 1");
    kit_resume(kept);
    expect(patient, 200);
    kit_resume(abandoned);
    while (kit_stats(&kit).replies_dropped < 1)
        sched_yield();
    kit_stop(&kit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(body_arrives_as_sent),
        cmocka_unit_test(body_that_stops_leaves_nothing),
        cmocka_unit_test(body_over_the_limit_is_read_and_refused),
        cmocka_unit_test(one_upload_of_a_holder_arrives_at_a_time),
        cmocka_unit_test(uploads_that_arrive_are_counted),
        cmocka_unit_test(chunked_body_is_small),
        cmocka_unit_test(slow_body_goes_on_and_a_stopped_one_ends),
        cmocka_unit_test(body_has_an_end_of_its_time),
        cmocka_unit_test(patient_application_is_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

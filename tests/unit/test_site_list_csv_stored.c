/* Lists of the store as CSV: of any length, and never cut without notice. */
#include "unit.h"

#include <errno.h>

#include "site_fixture.h"

#include "http/bounds.h"
#include "site/data/corrections_csv.h"
#include "site/frame/handlers.h"
#include "store/public/member.h"

enum { ROW_SIZE = 64 * 1024, ROWS_OF_PART = 8 };

#define HEADER "number,filler\r\n"

/* A list of `rows` rows; reading row `broken` fails. */
struct test_list {
    int64_t rows, broken, read;
};

/* Each row asks the store, which a worker without a snapshot could not. */
static enum err put(void *ctx, struct db *db, struct buf *b, bool *ret_more, struct fail *fail)
{
    struct test_list *list = ctx;
    for (int i = 0; i < ROWS_OF_PART && list->read < list->rows; i++) {
        int64_t members;
        enum err err = member_count(db, &members, fail);
        if (err)
            return err;
        if (list->read == list->broken)
            return fail_set(fail, ERR_CORRUPT, "the inside of the server");
        buf_fmt(b, "%07lld,", (long long)list->read++);
        memset(buf_reserve(b, ROW_SIZE), 'f', ROW_SIZE);
        buf_commit(b, ROW_SIZE);
        buf_text(b, "\r\n");
    }
    *ret_more = list->read < list->rows;
    return OK;
}

static enum err list_load(struct page_call *call, struct fail *fail)
{
    struct test_list *list = ARENA_NEW(call->arena, struct test_list);
    list->broken = -1;
    assert_true(str_to_i64(call->segments[0], &list->rows));
    if (!str_is_null(call->segments[1]))
        assert_true(str_to_i64(call->segments[1], &list->broken));
    return list_csv_stored_reply(
        call,
        &(struct list_csv_stored){.name = "test", .header = STR(HEADER), .list = list, .put = put},
        fail);
}

/* The site makes the first three when it starts. */
static const struct page test_pages[] = {
    {.path = "/", .template = STR_INIT("home"), .title = STR_INIT("Home"), .load = home_load},
    {.path = "/docs", .template = STR_INIT("docs"), .title = STR_INIT("Docs"), .load = docs_load},
    {.path = "/docs/{name}",
     .template = STR_INIT("docs"),
     .title = STR_INIT("Docs"),
     .load = docs_load},
    {.path = "/list/{rows}", .load = list_load},
    {.path = "/list/{rows}/{broken}", .load = list_load},
};

static int setup(void **state)
{
    return site_fixture_start(state, test_pages, sizeof test_pages / sizeof *test_pages);
}

/* Reads the whole reply, of an HTTP/1.0 client so that the body has no frames. False: the
 * connection was reset. */
static bool ask(const struct site_fixture *f, const char *target, struct buf *ret)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(f->api->port)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    char request[128];
    ssize_t n;
    assert_int_equal(inet_pton(AF_INET, "127.0.0.1", &to.sin_addr), 1);
    assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
    int size = snprintf(request, sizeof request, "GET %s HTTP/1.0\r\nHost: x\r\n\r\n", target);
    assert_int_equal(send(fd, request, (size_t)size, MSG_NOSIGNAL), size);
    while ((n = recv(fd, buf_reserve(ret, ROW_SIZE), ROW_SIZE, 0)) > 0)
        buf_commit(ret, (size_t)n);
    assert_true(n == 0 || errno == ECONNRESET);
    close(fd);
    return n == 0;
}

static struct str body_of(const struct buf *reply)
{
    ptrdiff_t end = str_find(buf_view(reply), STR("\r\n\r\n"));
    assert_true(end > 0);
    return str_slice(buf_view(reply), (size_t)end + 4, reply->n);
}

static void list_larger_than_a_reply_arrives_whole(void **state)
{
    enum { ROWS = 300, LINE_SIZE = 8 + ROW_SIZE + 2 };
    struct site_fixture *f = *state;
    struct buf reply;
    _Static_assert(ROWS * ROW_SIZE > HTTP_REPLY_MAX, "fits into one reply");
    buf_init(&reply, SIZE_MAX);
    assert_true(ask(f, "/list/300", &reply));
    assert_true(str_starts(buf_view(&reply), STR("HTTP/1.1 200 ")));
    assert_true(str_find(buf_view(&reply), STR("filename=\"stockact-test-2026-11-20.csv\"")) > 0);
    struct str body = body_of(&reply);
    assert_true(str_starts(body, STR(HEADER)));
    assert_int_equal(body.n, strlen(HEADER) + (size_t)ROWS * LINE_SIZE);
    for (int i = 0; i < ROWS; i++) {
        char number[16];
        snprintf(number, sizeof number, "%07d,", i);
        size_t at = strlen(HEADER) + (size_t)i * LINE_SIZE;
        assert_str(str_slice(body, at, at + 8), number);
    }
    buf_finish(&reply);
}

static void empty_list_is_its_header(void **state)
{
    struct buf reply;
    buf_init(&reply, SIZE_MAX);
    assert_true(ask(*state, "/list/0", &reply));
    assert_str(body_of(&reply), HEADER);
    buf_finish(&reply);
}

static void error_in_the_first_part_is_the_status(void **state)
{
    struct buf reply;
    buf_init(&reply, SIZE_MAX);
    assert_true(ask(*state, "/list/9/3", &reply));
    assert_true(str_starts(buf_view(&reply), STR("HTTP/1.1 500 ")));
    buf_finish(&reply);
}

/* HTTP/1.0 has no other mark of an incomplete body than the reset. */
static void error_in_a_later_part_resets_the_connection(void **state)
{
    struct buf reply;
    buf_init(&reply, SIZE_MAX);
    assert_false(ask(*state, "/list/90/17", &reply));
    buf_finish(&reply);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, site_fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(list_larger_than_a_reply_arrives_whole),
        TEST(empty_list_is_its_header),
        TEST(error_in_the_first_part_is_the_status),
        TEST(error_in_a_later_part_resets_the_connection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What `stockact doctor` makes of figures that a test cannot provoke on every machine, and of
 * checks that hang or crash. tests/e2e/doctor*.test.mjs provokes the rest. */
#include "unit.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/timex.h>
#include <unistd.h>

#include "base/confine.h"
#include "base/instant.h"
#include "cmd/operate/doctor_judge.h"

enum { MIB = 1 << 20 };

/* --- words */

/* Takes what the check says: "fail|found|fix". */
struct said {
    struct doctor d;
    int from;
    char text[1000];
};

static void listen_to(struct said *s)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    *s = (struct said){.d = {.now_ms = (int64_t)1000 * DAY_MS, .results = ends[1]}};
    s->from = ends[0];
    arena_init(&s->d.arena);
}

static const char *heard(struct said *s)
{
    static const char *const moods[] = {"off", "ok", "-", "warn", "fail"};
    char bytes[1000];
    struct doctor_finding f;
    ssize_t n = read(s->from, bytes, sizeof bytes);
    assert_true(n > 0);
    struct str rest = str_of(bytes, (size_t)n);
    assert_true(doctor_next(&rest, &f));
    snprintf(
        s->text, sizeof s->text, "%s|%.*s|%.*s", moods[f.mood], STR_ARG(f.found), STR_ARG(f.fix));
    return s->text;
}

static void stop_listening(struct said *s)
{
    close(s->from);
    close(s->d.results);
    arena_finish(&s->d.arena);
}

static void clocks_differ_by_a_little_or_too_much(void **state)
{
    struct said s;
    listen_to(&s);
    doctor_say_clock(&s.d, "clock", 5000, 3000);
    assert_string_equal(heard(&s), "ok|differs from this machine's by 2000 ms|");
    doctor_say_clock(&s.d, "clock", 5001, 3000);
    assert_string_equal(
        heard(&s), "warn|2.0 s ahead of this machine's|let NTP set the clocks of both machines");
    doctor_say_clock(&s.d, "clock", 0, 30000);
    assert_string_equal(
        heard(&s), "warn|30.0 s behind this machine's|let NTP set the clocks of both machines");
    doctor_say_clock(&s.d, "clock", 0, 30001);
    assert_true(strncmp(heard(&s), "fail|30.0 s behind", 18) == 0);
    stop_listening(&s);
}

static void the_kernel_says_whether_NTP_sets_the_clock(void **state)
{
    struct said s;
    listen_to(&s);
    doctor_say_kernel_clock(&s.d, TIME_OK, STA_PLL, 12345);
    assert_string_equal(heard(&s), "ok|NTP sets it; off by 12 ms at most|");
    doctor_say_kernel_clock(&s.d, TIME_ERROR, STA_UNSYNC, 16000000);
    assert_string_equal(
        heard(&s), "warn|the kernel says that NTP does not set it|install an NTP client, such as "
                   "chrony or systemd-timesyncd, here or on the host");
    doctor_say_kernel_clock(&s.d, -EPERM, 0, 0);
    assert_string_equal(
        heard(&s), "off|the kernel does not say whether NTP sets it: Operation not permitted|");
    stop_listening(&s);
}

static void a_certificate_warns_two_weeks_before_its_end(void **state)
{
    struct said s;
    listen_to(&s);
    doctor_say_certificate(&s.d, "certificate", s.d.now_ms + (int64_t)14 * DAY_MS);
    assert_string_equal(heard(&s), "ok|valid until 1972-10-11, 14 days|");
    doctor_say_certificate(&s.d, "certificate", s.d.now_ms + (int64_t)14 * DAY_MS - 1);
    assert_string_equal(
        heard(&s), "warn|valid until 1972-10-10, 13 days|renew the certificate on that machine");
    doctor_say_certificate(&s.d, "certificate", s.d.now_ms + (int64_t)2 * DAY_MS - 1);
    assert_string_equal(
        heard(&s), "warn|valid until 1972-09-28, 1 day|renew the certificate on that machine");
    doctor_say_certificate(&s.d, "certificate", s.d.now_ms);
    assert_string_equal(
        heard(&s), "fail|expired on 1972-09-27|renew the certificate on that machine");
    stop_listening(&s);
}

static void a_disk_has_room_or_says_why_not(void **state)
{
    static const char more[] = "make room, enlarge the disk, or raise the quota or limit";
    static const char mode[] =
        "run this as the server's user, and check the mode and the mount of the folder";
    static const struct {
        int64_t left_mib;
        int error;
        const char *result, *fix;
    } cases[] = {
        {2048, 0, "ok|/data has 2.0 GiB left|", ""},
        {2047, 0, "warn|/data has 1.9 GiB left|", more},
        {256, 0, "warn|/data has 256.0 MiB left|", more},
        {255, 0, "fail|/data has 255.0 MiB left|", more},
        {9999, ENOSPC, "fail|/data: the disk is full|", more},
        {9999, EDQUOT, "fail|/data: the disk is full: the disk quota is used up|", more},
        {9999, EACCES, "fail|/data: Permission denied|", mode},
        {9999, EROFS, "fail|/data: Read-only file system|", mode},
    };
    struct said s;
    listen_to(&s);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char expected[200];
        doctor_say_room(&s.d, STR("/data"), cases[i].left_mib * MIB, cases[i].error);
        snprintf(expected, sizeof expected, "%s%s", cases[i].result, cases[i].fix);
        assert_string_equal(heard(&s), expected);
    }
    stop_listening(&s);
}

static void a_kernel_without_landlock_is_named(void **state)
{
    struct said s;
    listen_to(&s);
    doctor_say_confinement(&s.d, &(struct confine_result){.landlock = 4});
    assert_string_equal(heard(&s), "ok|the kernel has Landlock, version 4|");
    doctor_say_confinement(&s.d, &(struct confine_result){.landlock = 0});
    assert_string_equal(
        heard(&s), "warn|the kernel has no Landlock: the server and its children can open any file "
                   "of their user|use Linux 5.13 or newer, with Landlock enabled");
    stop_listening(&s);
}

/* --- checks that do not end by themselves */

static void says_one_thing(struct doctor *d)
{
    doctor_say(d, "one", OUT_GOOD, STR("all is well"), STR_NULL);
}

static void says_one_thing_and_hangs(struct doctor *d)
{
    says_one_thing(d);
    for (;;)
        pause();
}

static void says_one_thing_and_crashes(struct doctor *d)
{
    says_one_thing(d);
    raise(SIGKILL);
}

static void a_check_that_hangs_or_crashes_stops_no_other(void **state)
{
    static const struct {
        doctor_check_fn *run;
        const char *end;
    } cases[] = {
        {says_one_thing_and_hangs, "the check did not end in time"},
        {says_one_thing_and_crashes, "the check crashed"},
        {says_one_thing, NULL},
    };
    enum { COUNT = sizeof cases / sizeof *cases };
    struct doctor d = {0};
    struct doctor_child children[COUNT];
    const char *ends[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        doctor_start(&d, cases[i].run, &children[i]);
    doctor_wait(children, COUNT, 3000, ends);
    for (size_t i = 0; i < COUNT; i++) {
        struct str said = buf_view(&children[i].said);
        struct doctor_finding f;
        assert_true(doctor_next(&said, &f));
        assert_str(f.found, "all is well");
        assert_false(doctor_next(&said, &f));
        if (cases[i].end)
            assert_string_equal(ends[i], cases[i].end);
        else
            assert_null(ends[i]);
        buf_finish(&children[i].said);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clocks_differ_by_a_little_or_too_much),
        cmocka_unit_test(the_kernel_says_whether_NTP_sets_the_clock),
        cmocka_unit_test(a_certificate_warns_two_weeks_before_its_end),
        cmocka_unit_test(a_disk_has_room_or_says_why_not),
        cmocka_unit_test(a_kernel_without_landlock_is_named),
        cmocka_unit_test(a_check_that_hangs_or_crashes_stops_no_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

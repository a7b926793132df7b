/* Sets of ports, and the ports that webhooks refuse by default. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "address/port_set.h"

static struct port_set set_of(const char *text)
{
    struct port_set set;
    struct fail fail;
    if (port_set_parse(str_from(text), &set, &fail))
        fail_msg("%s: %s", text, fail.text);
    return set;
}

static void assert_has(const char *text, const char *ports, bool expected)
{
    struct port_set set = set_of(text);
    struct str rest = str_from(ports), word;
    int64_t port;
    while (str_next_word(&rest, &word)) {
        assert_true(str_to_i64(word, &port));
        if (port_set_has(&set, (uint16_t)port) != expected)
            fail_msg("%s: port %d", text, (int)port);
    }
}

static void ports_and_ranges_apply_in_order(void **state)
{
    assert_has("25", "25", true);
    assert_has("25", "1 24 26 80 65535", false);
    assert_has("1-65535", "1 2 80 443 65534 65535", true);
    assert_has("100-200, 300\t400", "100 150 200 300 400", true);
    assert_has("100-200, 300\t400", "99 201 299 301", false);
    assert_has("100-200,-150", "149 151", true);
    assert_has("100-200,-150", "150", false);
    assert_has("100-200,-120-180,150", "119 150 181", true);
    assert_has("100-200,-120-180,150", "120 149 151 180", false);
    assert_has("default,-25,8000-8099", "22 8000 8099 3306", true);
    assert_has("default,-25,8000-8099", "25 8100", false);
    assert_has("none", "1 25 80 3306", false);
    assert_has(" none\t", "1 25 80 3306", false);
}

/* A forgotten `default` must not leave every port open. */
static void slip_gives_no_empty_set(void **state)
{
    static const char *const texts[] = {
        "", " ", ",", "-25", "-25,587", "none,25", "default,none", "none none"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct port_set set;
        struct fail fail = {0};
        if (port_set_parse(str_from(texts[i]), &set, &fail) != ERR_INVALID)
            fail_msg("valid: \"%s\"", texts[i]);
        assert_non_null(strstr(fail.text, "none"));
    }
}

static void invalid_entry_is_named(void **state)
{
    static const char *const texts[] = {"x",     "0",       "65536",       "-",         "-0",
                                        "1-",    "-1-",     "1-2-3",       "2-1",       "+1",
                                        "1.5",   "Default", "smtp",        "000000025", "99999999",
                                        "25;26", "0-5",     "70000-70001", "default-"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct port_set set;
        struct fail fail = {0};
        if (port_set_parse(str_from(texts[i]), &set, &fail) != ERR_INVALID)
            fail_msg("valid: %s", texts[i]);
        assert_non_null(strstr(fail.text, texts[i]));
    }
    struct port_set set;
    struct fail fail;
    assert_int_equal(port_set_parse(STR("25, oops ,26"), &set, &fail), ERR_INVALID);
    assert_non_null(strstr(fail.text, "\"oops\""));
}

/* Repeated here by hand: the bad ports of https://fetch.spec.whatwg.org/#port-blocking. */
static void default_has_ports_that_browsers_refuse(void **state)
{
    assert_has(
        "default",
        "1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 "
        "111 "
        "113 115 117 119 123 135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 "
        "540 "
        "548 554 556 563 587 601 636 989 990 993 995 1719 1720 1723 2049 3659 4045 4190 5060 5061 "
        "6000 6566 6665 6666 6667 6668 6669 6679 6697 10080",
        true);
}

static void default_has_ports_of_databases_and_control(void **state)
{
    assert_has(
        "default",
        "138 162 445 631 873 1433 1434 1521 1883 2181 2375 2376 2379 2380 3306 3389 4222 4369 5432 "
        "5671 5672 5900 5984 5985 5986 6379 6380 6432 6443 7687 8086 8500 8883 9042 9092 9160 9200 "
        "9300 10250 10255 11211 26257 26379 27017 27018 27019 28015",
        true);
}

static void default_leaves_ports_of_web_servers(void **state)
{
    assert_has(
        "default",
        "80 81 443 444 591 1024 3000 3001 4000 4443 5000 5001 7000 7070 8000 8001 8008 8080 8081 "
        "8088 "
        "8090 8181 8443 8444 8800 8888 9000 9001 9090 9443 10000 10443 12345 32768 40000 49152 "
        "65535",
        false);
}

/* The ports in the rows of the table under "### Refused ports" of docs/webhooks.md. */
static void read_documented(struct port_set *ret)
{
    static char text[256 * 1024];
    char path[4096];
    const char *source = getenv("STOCKACT_SOURCE_ROOT");
    assert_non_null(source);
    snprintf(path, sizeof path, "%s/docs/webhooks.md", source);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    struct str rest = str_of(text, fread(text, 1, sizeof text, file)), line, list = STR_NULL;
    fclose(file);
    ptrdiff_t from = str_find(rest, STR("### Refused ports"));
    assert_true(from >= 0);
    rest = str_slice(rest, (size_t)from + 3, rest.n);
    ptrdiff_t to = str_find(rest, STR("\n#"));
    rest = str_slice(rest, 0, to < 0 ? rest.n : (size_t)to);
    while (str_split(&rest, '\n', &line)) {
        struct port_set row;
        struct str cell = STR_NULL, cells = line;
        for (int i = 0; i < 3 && str_split(&cells, '|', &list); i++)
            cell = list;
        if (!str_starts(line, STR("|")) || !cell.n || port_set_parse(cell, &row, NULL))
            continue; /* the head of the table */
        for (size_t i = 0; i < PORT_SET_WORDS; i++)
            ret->bits[i] |= row.bits[i];
    }
}

static void documentation_lists_the_default(void **state)
{
    struct port_set documented = {{0}}, set = set_of("default");
    read_documented(&documented);
    for (uint32_t port = 1; port <= UINT16_MAX; port++)
        if (port_set_has(&documented, (uint16_t)port) != port_set_has(&set, (uint16_t)port))
            fail_msg("port %u", port);
}

/* A receiver may be on a port that the kernel chose. */
static void default_leaves_free_ports(void **state)
{
    struct port_set set = set_of("default");
    for (uint32_t port = 32768; port <= UINT16_MAX; port++)
        assert_false(port_set_has(&set, (uint16_t)port));
}

static void table_is_ordered_and_named(void **state)
{
    size_t count;
    const struct port_service *services = port_services(&count);
    for (size_t i = 0; i < count; i++) {
        assert_true(services[i].from <= services[i].to);
        assert_true(services[i].from > (i ? services[i - 1].to : 0));
        assert_true(strlen(services[i].name) > 1);
        assert_ptr_equal(port_service_of(services[i].to), &services[i]);
    }
    assert_string_equal(port_service_of(5432)->name, "PostgreSQL");
    assert_null(port_service_of(443));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ports_and_ranges_apply_in_order),
        cmocka_unit_test(slip_gives_no_empty_set),
        cmocka_unit_test(invalid_entry_is_named),
        cmocka_unit_test(default_has_ports_that_browsers_refuse),
        cmocka_unit_test(default_has_ports_of_databases_and_control),
        cmocka_unit_test(default_leaves_ports_of_web_servers),
        cmocka_unit_test(default_leaves_free_ports),
        cmocka_unit_test(documentation_lists_the_default),
        cmocka_unit_test(table_is_ordered_and_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

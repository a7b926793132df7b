/* Codes of second factors, recovery codes, QR codes, origins of sessions, limits of sign-ins. */
#include "unit.h"

#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "account/attempts.h"
#include "account/origin.h"
#include "account/password.h"
#include "account/qr.h"
#include "account/second_factor.h"
#include "base/instant.h"

#define NOW INT64_C(1790000000000)

/* RFC 6238, appendix B, SHA-1; the last six of its eight digits. */
static void codes_are_those_of_rfc_6238(void **state)
{
    static const struct {
        int64_t at_s;
        const char *code;
    } vectors[] = {
        {59, "287082"},         {1111111109, "081804"}, {1111111111, "050471"},
        {1234567890, "005924"}, {2000000000, "279037"}, {20000000000, "353130"},
    };
    const uint8_t *secret = (const uint8_t *)"12345678901234567890";
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        struct str code = str_from(vectors[i].code);
        int64_t now_ms = vectors[i].at_s * SECOND_MS, step;
        assert_true(totp_matches(secret, code, now_ms, &step));
        assert_int_equal(step, vectors[i].at_s / 30);
        assert_true(totp_matches(secret, code, now_ms + 30 * SECOND_MS, &step));
        assert_int_equal(step, vectors[i].at_s / 30);
        assert_false(totp_matches(secret, code, now_ms + 60 * SECOND_MS, &step));
    }
    int64_t step;
    assert_true(totp_matches(secret, STR(" 005 924 "), 1234567890 * (int64_t)SECOND_MS, &step));
    assert_false(totp_matches(secret, STR("00592"), 1234567890 * (int64_t)SECOND_MS, &step));
    assert_false(totp_matches(secret, STR("0059244"), 1234567890 * (int64_t)SECOND_MS, &step));
    assert_false(totp_matches(secret, STR("-05924"), 1234567890 * (int64_t)SECOND_MS, &step));
    assert_false(totp_matches(secret, STR(""), 0, &step));
    assert_false(totp_matches(secret, STR("287082"), -1, &step));
}

static void address_of_a_secret_is_escaped(void **state)
{
    struct arena arena;
    arena_init(&arena);
    const uint8_t *secret = (const uint8_t *)"12345678901234567890";
    assert_str(totp_text(secret, &arena), "GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ");
    assert_str(
        totp_address(secret, STR("127.0.0.1:8080"), STR("a&b?c#d @example.org"), &arena),
        "otpauth://totp/127.0.0.1%3A8080:a%26b%3Fc%23d%20@example.org"
        "?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=127.0.0.1%3A8080");
    arena_finish(&arena);
}

static void recovery_codes_are_read_in_any_spelling(void **state)
{
    struct recovery_codes codes;
    uint8_t first[SHA256_SIZE], other[SHA256_SIZE];
    recovery_make(&codes);
    for (int i = 0; i < RECOVERY_COUNT; i++) {
        assert_int_equal(strlen(codes.text[i]), RECOVERY_SIZE);
        assert_true(recovery_hash(str_from(codes.text[i]), first));
        for (int j = 0; j < i; j++)
            assert_string_not_equal(codes.text[i], codes.text[j]);
    }
    assert_true(recovery_hash(STR("ABCD EFGH IJKL MNOP"), first));
    assert_true(recovery_hash(STR("abcdefghijklmnop"), other));
    assert_memory_equal(first, other, sizeof first);
    static const char *const wrong[] = {
        "",
        "abcd",
        "abcd-efgh-ijkl-mno",
        "abcd-efgh-ijkl-mnopq",
        "abcd-efgh-ijkl-mno0",
        "abcd-efgh-ijkl-mno\xc3\xa9"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(recovery_hash(str_from(wrong[i]), first));
    assert_false(recovery_hash(str_of("abcdefghijklmno\0", 16), first));
}

static void qr_code_is_well_formed_at_every_size(void **state)
{
    char text[QR_TEXT_MAX + 1];
    struct fail fail;
    memset(text, 'x', sizeof text);
    for (size_t n = 1; n <= QR_TEXT_MAX; n += 93) {
        struct buf b;
        buf_init(&b, 1 << 20);
        assert_int_equal(qr_put_svg(&b, str_of(text, n), STR("a \"<&"), &fail), OK);
        assert_true(str_starts(buf_view(&b), STR("<svg xmlns=")));
        assert_true(str_ends(buf_view(&b), STR("</svg>")));
        assert_true(str_find(buf_view(&b), STR("aria-label=\"a &quot;&lt;&amp;\"")) > 0);
        assert_false(b.overflow);
        buf_finish(&b);
    }
    struct buf b;
    buf_init(&b, 1 << 20);
    assert_int_equal(qr_put_svg(&b, str_of(text, sizeof text), STR(""), &fail), ERR_LIMIT);
    assert_int_equal(qr_put_svg(&b, STR(""), STR(""), &fail), ERR_LIMIT);
    buf_finish(&b);
}

/* --- with other programs */

/* What the program prints, without the final newline. */
static void output_of(const char *const *arguments, char *ret, size_t size)
{
    int ends[2], status = 0;
    size_t n = 0;
    ssize_t got;
    pid_t child;
    posix_spawn_file_actions_t actions;
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    assert_int_equal(
        posix_spawnp(
            &child, arguments[0], &actions, NULL, (char *const *)(uintptr_t)arguments, environ),
        0);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    while (n < size - 1 && (got = read(ends[0], ret + n, size - 1 - n)) > 0)
        n += (size_t)got;
    close(ends[0]);
    ret[n && ret[n - 1] == '\n' ? n - 1 : n] = '\0';
    assert_int_equal(waitpid(child, &status, 0), child);
    if (status != 0)
        fail_msg("%s ended with status %d: %s", arguments[0], status, ret);
}

static void codes_are_those_of_oathtool(void **state)
{
    struct arena arena;
    uint8_t secret[TOTP_SECRET_SIZE];
    arena_init(&arena);
    for (int i = 0; i < 5; i++) {
        char text[64], at[32], code[64];
        int64_t now_ms = NOW + i * (int64_t)DAY_MS, step;
        random_bytes(secret, sizeof secret);
        snprintf(text, sizeof text, "%.*s", STR_ARG(totp_text(secret, &arena)));
        snprintf(at, sizeof at, "@%lld", (long long)(now_ms / SECOND_MS));
        const char *const arguments[] = {"oathtool", "--totp", "--base32", text, "--now", at, NULL};
        output_of(arguments, code, sizeof code);
        assert_true(totp_matches(secret, str_from(code), now_ms, &step));
        assert_int_equal(step, now_ms / SECOND_MS / 30);
    }
    arena_finish(&arena);
}

enum { MODULES_MAX = 200, SCALE = 4 };

/* The number after the text that *at is before; moves behind it. */
static int number_after(const char **at, const char *text)
{
    char *end;
    assert_int_equal(strncmp(*at, text, strlen(text)), 0);
    long n = strtol(*at + strlen(text), &end, 10);
    assert_true(n >= 0 && n <= MODULES_MAX);
    *at = end;
    return (int)n;
}

/* Paints the runs of the path, `Mx yhnv1h-nz`, into a picture of gray bytes. Its width in modules.
 */
static int paint(struct str svg, unsigned char pixels[MODULES_MAX * SCALE][MODULES_MAX * SCALE])
{
    static const char begin[] = "fill=\"#000\" d=\"";
    const char *at = strstr(svg.p, "viewBox=\"0 0 ");
    int size = number_after(&at, "viewBox=\"0 0 ");
    memset(pixels, 255, (size_t)MODULES_MAX * SCALE * MODULES_MAX * SCALE);
    for (at = strstr(svg.p, begin) + strlen(begin); *at != '"';) {
        int x = number_after(&at, "M"), y = number_after(&at, " "), n = number_after(&at, "h");
        assert_int_equal(number_after(&at, "v1h-"), n);
        assert_true(*at++ == 'z');
        for (int row = y * SCALE; row < (y + 1) * SCALE; row++)
            memset(&pixels[row][x * SCALE], 0, (size_t)(n * SCALE));
    }
    return size;
}

static void qr_code_is_read_by_zbarimg(void **state)
{
    static unsigned char pixels[MODULES_MAX * SCALE][MODULES_MAX * SCALE];
    static const char text[] = "otpauth://totp/trades.example.org:ada@example.org"
                               "?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=trades.example.org";
    struct fail fail;
    struct buf svg;
    char path[] = "/tmp/stockact-qr.XXXXXX", name[64], found[512];
    buf_init(&svg, 1 << 20);
    assert_int_equal(qr_put_svg(&svg, str_from(text), STR("code"), &fail), OK);
    buf_char(&svg, '\0');
    int size = paint(buf_view(&svg), pixels) * SCALE;
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *file = fdopen(fd, "w");
    fprintf(file, "P5 %d %d 255\n", size, size);
    for (int y = 0; y < size; y++)
        fwrite(pixels[y], 1, (size_t)size, file);
    fclose(file);
    snprintf(name, sizeof name, "pgm:%s", path);
    const char *const arguments[] = {"zbarimg", "--quiet", "--raw", name, NULL};
    output_of(arguments, found, sizeof found);
    unlink(path);
    assert_string_equal(found, text);
    buf_finish(&svg);
}

/* --- origins */

static void browsers_have_short_names(void **state)
{
    static const char *const cases[][2] = {
        {"Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
         "Firefox on Linux"},
        {"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
         "Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0",
         "Edge on Windows"},
        {"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
         "Version/17.5 Safari/605.1.15",
         "Safari on macOS"},
        {"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like "
         "Gecko) CriOS/126.0 Mobile/15E148 Safari/604.1",
         "Chrome on iPhone"},
        {"Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 "
         "Mobile Safari/537.36",
         "Chrome on Android"},
        {"curl/7.88.1", "curl"},
        {"<script>alert(1)</script>", "Unknown browser"},
        {"", "Unknown browser"},
    };
    struct arena arena;
    arena_init(&arena);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_str(origin_browser(str_from(cases[i][0]), &arena), cases[i][1]);
    arena_finish(&arena);
}

static void place_is_a_network_and_never_an_address(void **state)
{
    static const char *const cases[][2] = {
        {"203.0.113.77", "203.0.113.0/24"},
        {"2001:db8:12:34::56", "2001:db8:12::/48"},
        {"127.0.0.1", "this machine"},
        {"::1", "this machine"},
        {"::", "this machine"},
    };
    struct arena arena;
    arena_init(&arena);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct address address = ADDRESS_UNIX;
        if (strcmp(cases[i][0], "::") != 0)
            assert_true(address_parse(str_from(cases[i][0]), &address));
        assert_str(origin_make(&address, STR_NULL, &arena).place, cases[i][1]);
    }
    arena_finish(&arena);
}

/* --- limits */

static struct attempts *make_attempts(void)
{
    struct attempts *attempts;
    struct fail fail;
    const struct limits_options options = {.master_key = STR("0123456789abcdef0123456789abcdef")};
    assert_int_equal(attempts_create(&options, &attempts, &fail), OK);
    return attempts;
}

enum outcome { WRONG, RIGHT, RIGHT_CODE_NEEDED };

static enum err attempt(
    struct attempts *attempts, const char *email, uint32_t client, int64_t now_ms,
    enum outcome outcome)
{
    const struct address address = {
        {[10] = 0xff, [11] = 0xff, 198, 51, (uint8_t)(client >> 8), (uint8_t)client}};
    struct attempt_draw draw;
    struct fail fail;
    int64_t retry_s;
    enum err err = attempts_draw_password(
        attempts, str_from(email), STR_NULL, &address, now_ms, &draw, &retry_s, &fail);
    assert_int_equal(retry_s > 0, err != OK);
    if (!err && outcome == RIGHT)
        attempts_succeeded(attempts, &draw);
    if (!err && outcome == WRONG)
        attempts_failed(attempts, &draw);
    return err;
}

static void account_is_limited_from_any_number_of_addresses(void **state)
{
    struct attempts *attempts = make_attempts();
    int granted = 0;
    for (uint32_t i = 0; i < 10000; i++)
        granted +=
            attempt(attempts, i % 2 ? "ada@example.org" : "ADA@Example.org", i, NOW, WRONG) == OK;
    assert_int_equal(granted, ATTEMPTS_STRANGERS);
    assert_int_equal(attempt(attempts, "ben@example.org", 1, NOW, WRONG), OK);
    assert_int_equal(attempt(attempts, "ada@example.org", 1, NOW + MINUTE_MS, WRONG), OK);
    attempts_destroy(attempts);
}

static void network_of_an_account_is_limited_before_the_account(void **state)
{
    struct attempts *attempts = make_attempts();
    for (uint32_t i = 0; i < 100; i++)
        assert_int_equal(
            attempt(attempts, "ada@example.org", i, NOW, WRONG),
            i < ATTEMPTS_PER_ACCOUNT ? OK : ERR_LIMIT);
    assert_int_equal(attempt(attempts, "ada@example.org", 0x100, NOW, RIGHT), OK);
    attempts_destroy(attempts);
}

static enum err known_attempt(struct attempts *attempts, const char *id, enum outcome outcome)
{
    struct attempt_draw draw;
    struct fail fail;
    int64_t retry_s;
    enum err err = attempts_draw_password(
        attempts, STR("ada@example.org"), str_from(id), NULL, NOW, &draw, &retry_s, &fail);
    if (!err && outcome == RIGHT)
        attempts_succeeded(attempts, &draw);
    if (!err && outcome == WRONG)
        attempts_failed(attempts, &draw);
    return err;
}

static void known_browser_has_tries_of_its_own(void **state)
{
    struct attempts *attempts = make_attempts();
    for (uint32_t i = 0; i < 10000; i++)
        (void)attempt(attempts, "ada@example.org", i, NOW, WRONG);
    assert_int_equal(attempt(attempts, "ada@example.org", 1, NOW, RIGHT), ERR_LIMIT);
    assert_int_equal(known_attempt(attempts, "one", RIGHT), OK);
    for (int i = 0; i < ATTEMPTS_PER_ACCOUNT; i++)
        assert_int_equal(known_attempt(attempts, "one", WRONG), OK);
    assert_int_equal(known_attempt(attempts, "one", RIGHT), ERR_LIMIT);
    assert_int_equal(known_attempt(attempts, "other", RIGHT), OK);
    attempts_destroy(attempts);
}

static void address_is_limited_over_any_number_of_accounts(void **state)
{
    struct attempts *attempts = make_attempts();
    int granted = 0;
    for (int i = 0; i < 10000; i++) {
        char email[32];
        snprintf(email, sizeof email, "user%d@example.org", i);
        granted += attempt(attempts, email, 7, NOW, WRONG) == OK;
    }
    assert_int_equal(granted, ATTEMPTS_PER_ADDRESS);
    assert_int_equal(attempt(attempts, "user1@example.org", 8, NOW, WRONG), OK);
    attempts_destroy(attempts);
}

static void successes_have_a_limit_of_their_own(void **state)
{
    struct attempts *attempts = make_attempts();
    for (uint32_t i = 0; i < 100; i++) /* from many addresses */
        assert_int_equal(
            attempt(attempts, "ada@example.org", i, NOW, RIGHT),
            i < ATTEMPTS_SUCCEEDED ? OK : ERR_LIMIT);
    /* another account from one of these addresses, whose attempts did not count */
    for (int i = 0; i < ATTEMPTS_SUCCEEDED; i++)
        assert_int_equal(attempt(attempts, "ben@example.org", 1, NOW, RIGHT), OK);
    assert_int_equal(attempt(attempts, "ada@example.org", 1, NOW + MINUTE_MS, RIGHT), OK);
    attempts_destroy(attempts);
}

static void wrong_passwords_use_up_no_success(void **state)
{
    struct attempts *attempts = make_attempts();
    for (int i = 0; i < ATTEMPTS_PER_ACCOUNT - 1; i++)
        assert_int_equal(attempt(attempts, "ada@example.org", 7, NOW, WRONG), OK);
    for (int i = 0; i < ATTEMPTS_SUCCEEDED; i++)
        assert_int_equal(attempt(attempts, "ada@example.org", 7, NOW, RIGHT), OK);
    assert_int_equal(attempt(attempts, "ada@example.org", 7, NOW, RIGHT), ERR_LIMIT);
    attempts_destroy(attempts);
}

/* Else every sign-in would give five more codes to try. */
static void password_without_its_code_counts_as_wrong(void **state)
{
    struct attempts *attempts = make_attempts();
    int granted = 0;
    for (int i = 0; i < 20; i++)
        granted += attempt(attempts, "ada@example.org", 7, NOW, RIGHT_CODE_NEEDED) == OK;
    assert_int_equal(granted, ATTEMPTS_PER_ACCOUNT);
    attempts_destroy(attempts);
}

/* --- the gate in front of Argon2id */

enum { HASHERS = 12 };

static void *hash_one(void *arg)
{
    bool equal, stale;
    struct fail fail;
    *(enum err *)arg = password_compare(STR_NULL, STR("password"), false, &equal, &stale, &fail);
    return NULL;
}

/* Each takes 64 MiB: twelve at once would take 768. */
static void storm_of_hashes_is_refused_above_the_bound(void **state)
{
    pthread_t threads[HASHERS];
    enum err results[HASHERS];
    int done = 0;
    for (int i = 0; i < HASHERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, hash_one, &results[i]), 0);
    for (int i = 0; i < HASHERS; i++) {
        pthread_join(threads[i], NULL);
        assert_true(results[i] == OK || results[i] == ERR_BUSY);
        done += results[i] == OK;
    }
    assert_true(done >= 1 && done < HASHERS);
    enum err again;
    hash_one(&again);
    assert_int_equal(again, OK);
}

static void password_is_verified_whole(void **state)
{
    char hash[PASSWORD_HASH_SIZE], longest[PASSWORD_MAX + 1];
    struct fail fail;
    memset(longest, 'x', sizeof longest);
    assert_int_equal(password_hash(str_of(longest, PASSWORD_MAX), hash, &fail), OK);
    assert_true(password_verify(str_from(hash), str_of(longest, PASSWORD_MAX)));
    assert_false(password_verify(str_from(hash), str_of(longest, PASSWORD_MAX - 1)));
    assert_false(password_verify(str_from(hash), str_of(longest, PASSWORD_MAX + 1)));
    assert_false(password_is_stale(str_from(hash)));
    assert_false(password_verify(STR("no hash"), STR("password")));
    assert_false(password_verify(STR(""), STR("")));
    assert_true(strncmp(hash, "$argon2id$v=19$m=65536,t=2,p=1$", 31) == 0);
    /* bytes, with a NUL among them */
    assert_int_equal(password_hash(str_of("ten\0bytes.", 10), hash, &fail), OK);
    assert_true(password_verify(str_from(hash), str_of("ten\0bytes.", 10)));
    assert_false(password_verify(str_from(hash), str_of("ten\0bytes!", 10)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes_are_those_of_rfc_6238),
        cmocka_unit_test(address_of_a_secret_is_escaped),
        cmocka_unit_test(recovery_codes_are_read_in_any_spelling),
        cmocka_unit_test(qr_code_is_well_formed_at_every_size),
        cmocka_unit_test(codes_are_those_of_oathtool),
        cmocka_unit_test(qr_code_is_read_by_zbarimg),
        cmocka_unit_test(browsers_have_short_names),
        cmocka_unit_test(place_is_a_network_and_never_an_address),
        cmocka_unit_test(account_is_limited_from_any_number_of_addresses),
        cmocka_unit_test(network_of_an_account_is_limited_before_the_account),
        cmocka_unit_test(known_browser_has_tries_of_its_own),
        cmocka_unit_test(address_is_limited_over_any_number_of_accounts),
        cmocka_unit_test(successes_have_a_limit_of_their_own),
        cmocka_unit_test(wrong_passwords_use_up_no_success),
        cmocka_unit_test(password_without_its_code_counts_as_wrong),
        cmocka_unit_test(storm_of_hashes_is_refused_above_the_bound),
        cmocka_unit_test(password_is_verified_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

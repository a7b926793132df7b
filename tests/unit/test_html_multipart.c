/* multipart/form-data: fields, files, and every way in which such a body can be wrong. */
#include "arena_fixture.h"

#include <string.h>

#include "html/form.h"

#define TYPE "multipart/form-data; boundary=x"
#define FIELD(name, value) "Content-Disposition: form-data; name=\"" name "\"\r\n\r\n" value
#define FILE_HEAD(name) "Content-Disposition: form-data; name=\"files\"; filename=\"" name "\"\r\n"

static struct form form;
static struct fail fail;

static enum err read_as(const char *type, struct str body)
{
    return form_read_multipart(&form, &arena, str_from(type), body, NULL, &fail);
}

static enum err read_body(const char *body)
{
    return read_as(TYPE, str_from(body));
}

static void fields_and_files_are_read(void **state)
{
    /* clang-format off */
    static const char body[] =
        "--x\r\n" FIELD("csrf", "token") "\r\n"
        "--x\r\n" FILE_HEAD("a.pdf") "Content-Type: application/pdf\r\n\r\none\0\r\n--y\r\n\r\n"
        "--x\r\n" FILE_HEAD("b.pdf") "\r\n\r\n"
        "--x\r\n" FILE_HEAD("") "\r\n\r\n"
        "--x--\r\n";
    /* clang-format on */
    assert_int_equal(read_as(TYPE, str_of(body, sizeof body - 1)), OK);
    assert_int_equal(form.count, 1);
    assert_str(form_value(&form, "csrf"), "token");
    assert_int_equal(form.file_count, 2);
    assert_str(form.files[0].name, "a.pdf");
    assert_int_equal(form.files[0].bytes.n, 4 + strlen("\r\n--y\r\n"));
    assert_str(form.files[1].name, "b.pdf");
    assert_int_equal(form.files[1].bytes.n, 0);
}

static void boundary_may_be_quoted(void **state)
{
    assert_int_equal(
        read_as("Multipart/Form-Data; charset=utf-8; boundary=\"a'(b)\"", STR("--a'(b)--")), OK);
    assert_int_equal(form.count + form.file_count, 0);
}

static void invalid_type_is_refused(void **state)
{
    static const char *const types[] = {
        "",
        "multipart/form-data",
        "multipart/form-data; boundary=",
        "multipart/form-data; boundary=\"\"",
        "multipart/form-data; boundary=\"x",
        "multipart/form-data; boundary=x; boundary=x",
        "multipart/form-data; boundary=x y",
        "multipart/form-data; boundary",
        "multipart/mixed; boundary=x",
        ("multipart/form-data; boundary="
         "00000000000000000000000000000000000000000000000000000000000000000000000"),
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        assert_int_equal(read_as(types[i], STR("--x--")), ERR_INVALID);
    assert_int_equal(
        form_read_multipart(&form, &arena, STR_NULL, STR("--x--"), NULL, &fail), ERR_INVALID);
}

static void invalid_body_is_refused(void **state)
{
    static const char *const bodies[] = {
        "",
        "--",
        "--x",
        "--x\r\n",
        "\r\n--x--",
        "text\r\n--x--",
        "--y--",
        "--x-\r\n",
        "--x--\r\n\r\n",
        "--x--more",
        "--x \r\n" FIELD("a", "b") "\r\n--x--",
        "--x\n" FIELD("a", "b") "\r\n--x--",
        "--x\r\n" FIELD("a", "b") "\r\n--x",
        "--x\r\n" FIELD("a", "b") "--x--",
        "--x\r\n\r\nno head\r\n--x--",
        "--x\r\nContent-Type: text/plain\r\n\r\nb\r\n--x--",
        "--x\r\nno colon\r\n\r\nb\r\n--x--",
        "--x\r\n: b\r\n\r\nb\r\n--x--",
        "--x\r\nContent-Disposition: attachment; name=\"a\"\r\n\r\nb\r\n--x--",
        "--x\r\nContent-Disposition: form-data\r\n\r\nb\r\n--x--",
        "--x\r\nContent-Disposition: form-data; name\r\n\r\nb\r\n--x--",
        "--x\r\nContent-Disposition: form-data; name=\"a\r\n\r\nb\r\n--x--",
        "--x\r\nContent-Disposition: form-data; name=\"a\"; name=\"b\"\r\n\r\nb\r\n--x--",
        "--x\r\nContent-Disposition: form-data; name=\"\"\r\n\r\nb\r\n--x--",
        "--x\r\nContent-Transfer-Encoding: base64\r\n" FIELD("a", "b") "\r\n--x--",
        "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n" FIELD("a", "b") "\r\n--x--",
        "--x\r\n" FIELD("a", "b") "\r\n--x\r\n" FIELD("a", "c") "\r\n--x--",
        "--x\r\n" FIELD("a", "\xff") "\r\n--x--",
    };
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        assert_int_equal(read_body(bodies[i]), ERR_INVALID);
        assert_int_equal(form.count + form.file_count, 0);
    }
}

static void odd_file_names_are_kept_as_sent(void **state)
{
    static const char *const names[] = {
        "../../etc/passwd",
        "C:\\docs\\a.pdf",
        "a\\\"b.pdf",
        "a%22b.pdf",
        "a\"b.pdf",
        ("\xe2\x80\xae"
         "fdp.exe"),
        "\xff\x01",
        "a; name=b",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct str body = arena_fmt(
            &arena,
            "--x\r\nContent-Disposition: form-data; filename=\"%s\"; name=f\r\n\r\nb\r\n--x--",
            names[i]);
        assert_int_equal(read_as(TYPE, body), OK);
        assert_int_equal(form.file_count, 1);
        assert_str(form.files[0].name, names[i]);
    }
}

static void limits_are_refused_as_limits(void **state)
{
    struct buf b;
    buf_init(&b, 4 << 20);
    for (int i = 0; i <= FORM_FILES_MAX; i++)
        buf_text(&b, "--x\r\n" FILE_HEAD("a") "\r\nbytes\r\n");
    buf_text(&b, "--x--");
    assert_int_equal(read_as(TYPE, buf_view(&b)), ERR_LIMIT);

    buf_reset(&b);
    for (int i = 0; i < 10000; i++)
        buf_fmt(&b, "--x\r\n" FIELD("f%d", "") "\r\n", i);
    buf_text(&b, "--x--");
    assert_int_equal(read_as(TYPE, buf_view(&b)), ERR_LIMIT);

    /* Inputs without a chosen file are no files, and still work. */
    buf_reset(&b);
    for (int i = 0; i <= FORM_FIELDS_MAX + FORM_FILES_MAX; i++)
        buf_text(&b, "--x\r\n" FILE_HEAD("") "\r\n\r\n");
    buf_text(&b, "--x--");
    assert_int_equal(read_as(TYPE, buf_view(&b)), ERR_LIMIT);
    assert_string_equal(fail.text, "the upload has more than 200 parts");

    buf_reset(&b);
    buf_text(&b, "--x\r\nX-Long: ");
    for (int i = 0; i < FORM_PART_HEAD_MAX; i++)
        buf_char(&b, 'a');
    buf_text(&b, "\r\n" FIELD("a", "b") "\r\n--x--");
    assert_int_equal(read_as(TYPE, buf_view(&b)), ERR_LIMIT);

    buf_reset(&b);
    buf_text(&b, "--x\r\n");
    for (int i = 0; i < 100; i++)
        buf_text(&b, "X-Other: a\r\n");
    buf_text(&b, FIELD("a", "b") "\r\n--x--");
    assert_int_equal(read_as(TYPE, buf_view(&b)), ERR_LIMIT);

    buf_reset(&b);
    buf_text(&b, "--x\r\n" FIELD("a", ""));
    for (int i = 0; i < FORM_SIZE_MAX; i++)
        buf_char(&b, 'a');
    buf_text(&b, "\r\n--x--");
    assert_int_equal(read_as(TYPE, buf_view(&b)), ERR_LIMIT);
    buf_finish(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_and_files_are_read),
        cmocka_unit_test(boundary_may_be_quoted),
        cmocka_unit_test(invalid_type_is_refused),
        cmocka_unit_test(invalid_body_is_refused),
        cmocka_unit_test(odd_file_names_are_kept_as_sent),
        cmocka_unit_test(limits_are_refused_as_limits),
    };
    return cmocka_run_group_tests(tests, arena_setup, arena_teardown);
}

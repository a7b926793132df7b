/* The gate in front of pages, with a table of pages of its own. */
#include "unit.h"

#include "site_fixture.h"

#include <pthread.h>

#include "account/password.h"
#include "http/bounds.h"
#include "site/frame/handlers.h"
#include "site/frame/page_call.h"
#include "site/frame/page_carry.h"

#define PASSWORD "correct horse battery"
#define SAME_ORIGIN "Sec-Fetch-Site: same-origin\r\n"
#define SESSION_HEADER "Cookie: __Host-session="

/* --- pages */

static int notes; /* written by note_act */
static bool full; /* the store refuses notes */

static enum err show_form(struct page_call *call, struct fail *fail)
{
    view_str(call->view, "action", STR("/account/note"));
    form_show(call->view, call->form, "text", STR(""));
    return OK;
}

static enum err write_note(const struct act *act, void *work)
{
    if (full)
        return fail_set(act->fail, ERR_LIMIT, "you have all the notes of your plan");
    notes++;
    return OK;
}

static enum err note_act(struct page_call *call, struct fail *fail)
{
    if (form_value(call->form, "text").n == 0)
        page_fault(call, "text", "a note needs a text");
    if (form_is_faulty(call->form))
        return OK;
    enum err err = page_write(call, write_note, NULL, fail);
    if (!err)
        page_redirect(call, STR("/account/note"), FLASH_SAVED);
    return err;
}

/* What another request commits after the gate has looked at the session. */
static writer_run *meanwhile;

static enum err end_sessions(struct db *db, void *ctx, struct fail *fail)
{
    int64_t count;
    return session_end_all(
        &(struct act){.db = db, .fail = fail}, ((struct account *)ctx)->no, STR_NULL, &count);
}

static enum err disable_account(struct db *db, void *ctx, struct fail *fail)
{
    return account_disable(
        &(struct act){.db = db, .now_ms = clock_wall_ms(), .fail = fail},
        ((struct account *)ctx)->email);
}

static enum err take_role(struct db *db, void *ctx, struct fail *fail)
{
    return account_set_role(
        &(struct act){.db = db, .fail = fail}, ((struct account *)ctx)->email, ROLE_MEMBER);
}

static enum err late_act(struct page_call *call, struct fail *fail)
{
    enum err err =
        writer_call(call->config->writer, WRITER_PUBLISH, meanwhile, &call->visitor.account, fail);
    return err ? err : note_act(call, fail);
}

static enum err secret_act(struct page_call *call, struct fail *fail)
{
    enum err err = page_write(call, write_note, NULL, fail);
    view_str(call->view, "action", form_value(call->form, "text"));
    if (!err)
        page_show(call, 201, STR("carried_form"), STR("Shown once"));
    return err;
}

static enum err sign_in_test_act(struct page_call *call, struct fail *fail)
{
    page_session_start(call, form_value(call->form, "token"), &call->visitor.account);
    page_carry_return(call, form_value(call->form, "next"));
    return OK;
}

static enum err own_load(struct page_call *call, struct fail *fail)
{
    if (!str_eq(call->segments[0], call->visitor.account.id))
        return fail_set(fail, ERR_NOT_FOUND, "not yours");
    return show_form(call, fail);
}

/* Fails as the last part of its address says. */
static enum err broken_load(struct page_call *call, struct fail *fail)
{
    static const struct {
        const char *name;
        enum err err;
    } kinds[] = {{"busy", ERR_BUSY},       {"full", ERR_FULL},       {"timeout", ERR_TIMEOUT},
                 {"corrupt", ERR_CORRUPT}, {"invalid", ERR_INVALID}, {"missing", ERR_NOT_FOUND},
                 {"away", ERR_UNAVAILABLE}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (str_eq(call->segments[0], str_from(kinds[i].name)))
            return fail_set(fail, kinds[i].err, "the inside of the server");
    page_too_many(call, 42);
    return OK;
}

/* Does not end before the test has its answer. */
static pthread_mutex_t slow_lock = PTHREAD_MUTEX_INITIALIZER;

static enum err slow_load(struct page_call *call, struct fail *fail)
{
    pthread_mutex_lock(&slow_lock);
    pthread_mutex_unlock(&slow_lock);
    return show_form(call, fail);
}

static enum err slow_act(struct page_call *call, struct fail *fail)
{
    page_redirect(call, STR("/"), FLASH_SAVED);
    return slow_load(call, fail);
}

#define FORM .template = STR_INIT("carried_form"), .title = STR_INIT("Form")

static const struct page test_pages[] = {
    {.path = "/", .template = STR_INIT("home"), .title = STR_INIT("Home"), .load = home_load},
    {.path = "/docs", .template = STR_INIT("docs"), .title = STR_INIT("Docs"), .load = docs_load},
    {.path = "/docs/{name}",
     .template = STR_INIT("docs"),
     .title = STR_INIT("Docs"),
     .load = docs_load},
    {.path = "/sign-in", FORM, .load = show_form, .act = sign_in_test_act},
    {.path = "/account/note", .access = PAGE_OWNER, FORM, .load = show_form, .act = note_act},
    {.path = "/account/other", .access = PAGE_OWNER, FORM, .act = note_act},
    {.path = "/account/late", .access = PAGE_OWNER, FORM, .load = show_form, .act = late_act},
    {.path = "/account/secret",
     .access = PAGE_OWNER,
     .reauth = true,
     FORM,
     .load = show_form,
     .act = secret_act},
    {.path = "/account/of/{id}", .access = PAGE_OWNER, FORM, .load = own_load},
    {.path = "/account/api/keys",
     .access = PAGE_OWNER,
     .load = account_api_keys_load,
     .act = account_api_keys_act},
    {.path = "/account/act/{id}", .access = PAGE_OWNER, FORM, .act = note_act},
    {.path = "/broken/{kind}", FORM, .load = broken_load},
    {.path = "/slow", FORM, .load = slow_load},
    {.path = "/files", FORM, .upload = true, .one_click = true, .act = slow_act},
    {.path = "/desk", .access = PAGE_REVIEWER, FORM, .load = show_form},
    {.path = "/admin", .access = PAGE_ADMIN, FORM, .load = show_form, .act = note_act},
};

/* --- visitors */

struct test_person {
    struct account account;
    char token[SESSION_TOKEN_SIZE + 1];
    char cookie[128]; /* the header */
};

static struct test_person ada, ben, ida, oda; /* two members, a reviewer, an admin */

static void begin_session(struct store_fixture *s, struct test_person *person)
{
    struct session session;
    const struct session_origin origin = {STR("203.0.113.0/24"), STR("Firefox on Linux")};
    assert_ok(s, db_begin(s->db, &s->fail));
    assert_ok(
        s, session_create(
               &(struct act){
                   .db = s->db, .now_ms = clock_wall_ms(), .arena = &s->arena, .fail = &s->fail},
               person->account.no, &origin, person->token, &session));
    assert_ok(s, db_commit(s->db, &s->fail));
    person->token[SESSION_TOKEN_SIZE] = '\0';
    snprintf(person->cookie, sizeof person->cookie, SESSION_HEADER "%s\r\n", person->token);
}

static void make_person(
    struct store_fixture *s, struct test_person *person, const char *email, enum role role)
{
    char hash[PASSWORD_HASH_SIZE];
    struct str address = str_from(email);
    assert_ok(s, password_make(STR(PASSWORD), address, false, hash, &s->fail));
    assert_ok(s, db_begin(s->db, &s->fail));
    assert_ok(
        s, account_create(
               &(struct act){
                   .db = s->db, .now_ms = clock_wall_ms(), .arena = &s->arena, .fail = &s->fail},
               address, PLAN_PACK, role, &person->account));
    assert_ok(
        s, account_replace_password(
               &(struct act){.db = s->db, .now_ms = clock_wall_ms(), .fail = &s->fail},
               person->account.no, STR_NULL, str_from(hash)));
    assert_ok(s, db_commit(s->db, &s->fail));
    begin_session(s, person);
}

static int setup(void **state)
{
    int result = site_fixture_start(state, test_pages, sizeof test_pages / sizeof *test_pages);
    struct site_fixture *f = *state;
    if (result)
        return result;
    make_person(f->api->store, &ada, "ada@example.org", ROLE_MEMBER);
    make_person(f->api->store, &ben, "ben@example.org", ROLE_MEMBER);
    make_person(f->api->store, &ida, "ida@example.org", ROLE_REVIEWER);
    make_person(f->api->store, &oda, "oda@example.org", ROLE_ADMIN);
    notes = 0;
    full = false;
    return 0;
}

/* --- requests */

static struct api_reply open_as(
    struct site_fixture *f, const struct test_person *person, const char *path)
{
    char headers[512];
    snprintf(headers, sizeof headers, FROM_BROWSER "%s", person ? person->cookie : "");
    return api_get(f->api, path, headers);
}

/* The value of a hidden field of a page, as a string of the caller. */
static void field_of(const struct api_reply *page, const char *name, char *ret, size_t size)
{
    char mark[128];
    snprintf(mark, sizeof mark, "name=\"%s\" value=\"", name);
    ptrdiff_t at = str_find(page->body, str_from(mark));
    if (at < 0)
        fail_msg("no field %s in\n%.*s", name, STR_ARG(page->body));
    struct str rest = str_slice(page->body, (size_t)at + strlen(mark), page->body.n);
    ptrdiff_t end = str_find_char(rest, '"');
    snprintf(ret, size, "%.*s", (int)end, rest.p);
}

struct tokens {
    char csrf[128], once[64];
};

static struct tokens tokens_of(struct site_fixture *f, const struct test_person *person)
{
    struct tokens tokens;
    struct api_reply page = open_as(f, person, "/account/note");
    assert_int_equal(page.status, 200);
    field_of(&page, "csrf", tokens.csrf, sizeof tokens.csrf);
    field_of(&page, "once", tokens.once, sizeof tokens.once);
    api_reply_finish(&page);
    return tokens;
}

static struct api_reply post(
    struct site_fixture *f, const char *path, const char *headers, const char *type,
    const char *body)
{
    char all[1024];
    struct buf request;
    snprintf(
        all, sizeof all, "%sContent-Type: %s\r\nContent-Length: %zu\r\n", headers, type,
        strlen(body));
    buf_init(&request, 1 << 20);
    buf_fmt(
        &request, "POST %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n%s\r\n%s", path, all, body);
    buf_char(&request, '\0');
    struct api_reply reply = api_exchange(f->api, request.p);
    buf_finish(&request);
    return reply;
}

static struct api_reply send_form(
    struct site_fixture *f, const struct test_person *person, const char *path, const char *more,
    const struct tokens *tokens, const char *fields)
{
    char headers[512], body[4096];
    snprintf(headers, sizeof headers, FROM_BROWSER "%s%s", more, person ? person->cookie : "");
    snprintf(
        body, sizeof body, "csrf=%s&once=%s&%s", tokens ? tokens->csrf : "",
        tokens ? tokens->once : "", fields);
    return post(f, path, headers, "application/x-www-form-urlencoded", body);
}

static void expect(struct api_reply reply, int status, const char *text)
{
    if (reply.status != status || !site_body_has(&reply, text))
        fail_msg(
            "expected %d and \"%s\", got\n%.*s\n%.*s", status, text, STR_ARG(reply.head),
            STR_ARG(reply.body));
    api_reply_finish(&reply);
}

/* --- tests */

static void visitor_is_sent_to_sign_in_and_back(void **state)
{
    struct api_reply reply = open_as(*state, NULL, "/account/note?a=b%20c");
    assert_int_equal(reply.status, 303);
    assert_str(api_header(&reply, "Location"), "/sign-in?next=%2Faccount%2Fnote%3Fa%3Db%2520c");
    api_reply_finish(&reply);
    /* too long for a local path, as it is or encoded */
    for (int n = 300; n < 1100; n += 50) {
        char path[1200];
        size_t begin = (size_t)snprintf(path, sizeof path, "/account/note?");
        memset(path + begin, ';', (size_t)n);
        path[begin + (size_t)n] = '\0';
        reply = open_as(*state, NULL, path);
        assert_int_equal(reply.status, 303);
        assert_true(str_starts(api_header(&reply, "Location"), STR("/sign-in")));
        api_reply_finish(&reply);
    }
}

static void role_decides_who_may_open_a_page(void **state)
{
    struct site_fixture *f = *state;
    static const struct {
        const char *path;
        int stranger, member, reviewer, admin;
    } cases[] = {
        {"/", 200, 200, 200, 200},
        {"/account/note", 303, 200, 200, 200},
        {"/desk", 303, 403, 200, 200},
        {"/admin", 303, 403, 403, 200},
        {"/account/other", 405, 405, 405, 405},
        {"/account/none", 404, 404, 404, 404},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expect(open_as(f, NULL, cases[i].path), cases[i].stranger, "");
        expect(open_as(f, &ada, cases[i].path), cases[i].member, "");
        expect(open_as(f, &ida, cases[i].path), cases[i].reviewer, "");
        expect(open_as(f, &oda, cases[i].path), cases[i].admin, "");
    }
}

static void demanded_second_factor_is_needed_for_the_role(void **state)
{
    struct site_fixture *f = *state;
    static const char *const paths[] = {"/desk", "/admin"};
    struct tokens tokens = tokens_of(f, &oda);
    char headers[512];
    f->account.second_factor = SECOND_FACTOR_REVIEWERS;
    for (size_t i = 0; i < 2; i++) {
        struct api_reply reply = open_as(f, &oda, paths[i]);
        assert_int_equal(reply.status, 303);
        assert_str(api_header(&reply, "Location"), "/account/settings/second-factor");
        api_reply_finish(&reply);
    }
    expect(send_form(f, &oda, "/admin", SAME_ORIGIN, &tokens, "text=a"), 403, "second factor");
    snprintf(headers, sizeof headers, "Accept: application/json\r\n%s", oda.cookie);
    expect(api_get(f->api, "/admin", headers), 403, "second factor");
    assert_int_equal(notes, 0);
    /* its own pages are open: it is set up there */
    expect(open_as(f, &oda, "/account/note"), 200, "");
    expect(open_as(f, &ada, "/account/note"), 200, "");

    struct store_fixture *s = f->api->store;
    const struct account_totp totp = {.sealed = STR("sealed"), .at = clock_wall_ms()};
    assert_ok(s, db_begin(s->db, &s->fail));
    assert_ok(
        s, account_set_totp(&(struct act){.db = s->db, .fail = &s->fail}, oda.account.no, &totp));
    assert_ok(s, db_commit(s->db, &s->fail));
    for (size_t i = 0; i < 2; i++)
        expect(open_as(f, &oda, paths[i]), 200, "");
    expect(open_as(f, &ida, "/desk"), 303, "");
}

static void bytes_that_are_no_text_reach_no_page(void **state)
{
    struct site_fixture *f = *state;
    static const char *const paths[] = {
        "/account/note?x=%00",    "/account/note?x=a%ffb", "/account/note?%fe=x",
        "/account/note?x=%c0%80", "/account/of/a%ff",      "/account/of/%ed%a0%80",
    };
    struct tokens tokens = tokens_of(f, &ada);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        expect(open_as(f, &ada, paths[i]), 400, "not valid");
    expect(send_form(f, &ada, "/account/act/a%ff", SAME_ORIGIN, &tokens, "text=a"), 400, "");
    /* a path with NUL leads nowhere */
    expect(open_as(f, &ada, "/account/of/%00"), 404, "");
    expect(send_form(f, &ada, "/account/act/%00", SAME_ORIGIN, &tokens, "text=a"), 404, "");
    assert_int_equal(notes, 0);
    expect(send_form(f, &ada, "/account/act/%c3%a9", SAME_ORIGIN, &tokens, "text=a"), 303, "");
}

static void thing_of_another_account_is_not_found(void **state)
{
    struct site_fixture *f = *state;
    char path[64];
    snprintf(path, sizeof path, "/account/of/%.*s", STR_ARG(ada.account.id));
    expect(open_as(f, &ada, path), 200, "<form");
    expect(open_as(f, &ben, path), 404, "Nothing is here");
    expect(open_as(f, &oda, path), 404, "Nothing is here");
}

static void form_acts_with_the_token_of_its_session(void **state)
{
    struct site_fixture *f = *state;
    struct tokens tokens = tokens_of(f, &ada);
    struct api_reply reply = send_form(f, &ada, "/account/note", "", &tokens, "text=a");
    assert_int_equal(reply.status, 303);
    assert_str(api_header(&reply, "Location"), "/account/note");
    assert_true(str_starts(
        api_header(&reply, "Set-Cookie"),
        STR("__Host-flash=saved; Max-Age=60; Path=/; HttpOnly; SameSite=Lax; Secure")));
    api_reply_finish(&reply);
    assert_int_equal(notes, 1);
}

static void token_differs_on_each_page_and_is_not_guessed(void **state)
{
    struct site_fixture *f = *state;
    struct tokens first = tokens_of(f, &ada), second = tokens_of(f, &ada);
    assert_string_not_equal(first.csrf, second.csrf);
    assert_string_not_equal(first.once, second.once);
    for (size_t i = 0; i < strlen(first.csrf); i++) {
        struct tokens wrong = first;
        wrong.csrf[i] = wrong.csrf[i] == 'A' ? 'B' : 'A';
        expect(send_form(f, &ada, "/account/note", "", &wrong, "text=a"), 403, "no longer valid");
    }
    expect(send_form(f, &ada, "/account/note", "", &second, "text=a"), 303, "");
    assert_int_equal(notes, 1);
}

static void form_without_a_token_is_refused(void **state)
{
    struct site_fixture *f = *state;
    expect(send_form(f, &ada, "/account/note", "", NULL, "text=a"), 403, "no longer valid");
    assert_int_equal(notes, 0);
}

static void form_of_another_site_is_refused_and_not_carried(void **state)
{
    struct site_fixture *f = *state;
    struct tokens tokens = tokens_of(f, &ada);
    static const char *const origins[] = {
        "Sec-Fetch-Site: cross-site\r\n",   "Sec-Fetch-Site: same-site\r\n",
        "Sec-Fetch-Site: none\r\n",         "Origin: null\r\n",
        "Origin: https://evil.example\r\n", "Origin: http://stockact.example.net\r\n",
    };
    for (size_t i = 0; i < sizeof origins / sizeof *origins; i++) {
        struct api_reply with =
            send_form(f, &ada, "/account/note", origins[i], &tokens, "text=words");
        assert_false(site_body_has(&with, "words"));
        expect(with, 403, "another site");
        struct api_reply without =
            send_form(f, NULL, "/account/note", origins[i], &tokens, "text=words");
        assert_false(site_body_has(&without, "words"));
        expect(without, 403, "another site");
    }
    assert_int_equal(notes, 0);
    expect(
        send_form(
            f, &ada, "/account/note", "Origin: https://stockact.example.net\r\n", &tokens,
            "text=a"),
        303, "");
}

static void form_acts_once(void **state)
{
    struct site_fixture *f = *state;
    struct tokens tokens = tokens_of(f, &ada);
    expect(send_form(f, &ada, "/account/note", SAME_ORIGIN, &tokens, "text=a"), 303, "");
    expect(
        send_form(f, &ada, "/account/note", SAME_ORIGIN, &tokens, "text=a"), 409,
        "This form was already sent");
    assert_int_equal(notes, 1);
    /* another form of the same page */
    expect(send_form(f, &ada, "/account/other", SAME_ORIGIN, &tokens, "text=a"), 303, "");
    assert_int_equal(notes, 2);
}

static void form_without_a_number_does_nothing(void **state)
{
    struct site_fixture *f = *state;
    struct tokens tokens = tokens_of(f, &ada);
    tokens.once[0] = '\0';
    char body[512];
    snprintf(body, sizeof body, "csrf=%s&text=a", tokens.csrf);
    char headers[256];
    snprintf(headers, sizeof headers, FROM_BROWSER "%s", ada.cookie);
    expect(post(f, "/account/note", headers, "application/x-www-form-urlencoded", body), 422, "");
    assert_int_equal(notes, 0);
}

static void form_whose_action_failed_can_be_sent_again(void **state)
{
    struct site_fixture *f = *state;
    struct tokens tokens = tokens_of(f, &ada);
    full = true;
    expect(send_form(f, &ada, "/account/note", SAME_ORIGIN, &tokens, "text=a"), 422, "<form");
    full = false;
    expect(send_form(f, &ada, "/account/note", SAME_ORIGIN, &tokens, "text=a"), 303, "");
    assert_int_equal(notes, 1);
}

static void fault_of_a_page_that_only_acts_is_a_page(void **state)
{
    struct site_fixture *f = *state;
    struct tokens tokens = tokens_of(f, &ada);
    full = true;
    expect(
        send_form(f, &ada, "/account/other", SAME_ORIGIN, &tokens, "text=a"), 422,
        "ou have all the notes of your plan");
}

/* "a<b" and what else a form may hold, as the fields of a page carry it. */
#define WORDS "text=a%3Cb+%26+%22c%22"
#define CARRIED "a&lt;b &amp; &quot;c&quot;"

static void form_of_another_session_is_shown_with_a_button(void **state)
{
    struct site_fixture *f = *state;
    struct tokens tokens = tokens_of(f, &ben);
    struct api_reply page = send_form(f, &ada, "/account/note", SAME_ORIGIN, &tokens, WORDS);
    assert_int_equal(page.status, 200);
    assert_true(site_body_has(&page, "Send it now"));
    assert_true(site_body_has(&page, CARRIED));
    assert_int_equal(notes, 0);
    field_of(&page, "csrf", tokens.csrf, sizeof tokens.csrf);
    field_of(&page, "once", tokens.once, sizeof tokens.once);
    api_reply_finish(&page);
    expect(send_form(f, &ada, "/account/note", SAME_ORIGIN, &tokens, WORDS), 303, "");
    assert_int_equal(notes, 1);
}

static void form_after_the_end_of_its_session_is_carried_through_the_sign_in(void **state)
{
    struct site_fixture *f = *state;
    struct tokens tokens = tokens_of(f, &ada);
    struct api_reply page = send_form(f, NULL, "/account/note", SAME_ORIGIN, &tokens, WORDS);
    assert_int_equal(page.status, 200);
    char path[64], words[128], visitor[128], fields[512];
    field_of(&page, "carried-path", path, sizeof path);
    assert_string_equal(path, "/account/note");
    field_of(&page, "carried.0.text", words, sizeof words);
    assert_string_equal(words, CARRIED);
    field_of(&page, "csrf", tokens.csrf, sizeof tokens.csrf);
    field_of(&page, "once", tokens.once, sizeof tokens.once);
    struct str cookie = api_header(&page, "Set-Cookie");
    assert_true(str_starts(cookie, STR("__Host-visitor=")));
    snprintf(
        visitor, sizeof visitor, SAME_ORIGIN "Cookie: %.*s\r\n", (int)str_find_char(cookie, ';'),
        cookie.p);
    api_reply_finish(&page);

    snprintf(
        fields, sizeof fields, "token=%s&carried-path=%%2Faccount%%2Fnote&carried.0.%s", ada.token,
        WORDS);
    page = send_form(f, NULL, "/sign-in", visitor, &tokens, fields);
    assert_int_equal(page.status, 200);
    assert_true(site_body_has(&page, "action=\"/account/note\""));
    field_of(&page, "text", words, sizeof words);
    assert_string_equal(words, CARRIED);
    field_of(&page, "csrf", tokens.csrf, sizeof tokens.csrf);
    field_of(&page, "once", tokens.once, sizeof tokens.once);
    api_reply_finish(&page);
    expect(send_form(f, &ada, "/account/note", SAME_ORIGIN, &tokens, WORDS), 303, "");
    assert_int_equal(notes, 1);
}

static void session_that_ends_before_the_write_does_nothing(void **state)
{
    struct site_fixture *f = *state;
    static writer_run *const ends[] = {end_sessions, disable_account};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct tokens tokens = tokens_of(f, &ada);
        meanwhile = ends[i];
        struct api_reply page = send_form(f, &ada, "/account/late", SAME_ORIGIN, &tokens, WORDS);
        assert_int_equal(page.status, 200);
        assert_true(site_body_has(&page, "name=\"carried.0.text\" value=\"" CARRIED));
        assert_false(site_body_has(&page, "ada@example.org"));
        assert_true(str_find(page.head, STR("__Host-session=; Max-Age=0")) > 0);
        api_reply_finish(&page);
        assert_int_equal(notes, 0);
        begin_session(f->api->store, &ada);
    }
}

static void program_whose_session_ends_before_the_write_is_401(void **state)
{
    struct site_fixture *f = *state;
    char headers[512];
    struct tokens tokens = tokens_of(f, &ada);
    meanwhile = end_sessions;
    snprintf(
        headers, sizeof headers, "Accept: application/json\r\nX-CSRF-Token: %s\r\n%s", tokens.csrf,
        ada.cookie);
    expect(
        post(f, "/account/late", headers, "application/json", "{\"text\":\"a\"}"), 401,
        "\"sign_in_required\"");
    assert_int_equal(notes, 0);
}

static void role_that_is_taken_before_the_write_does_nothing(void **state)
{
    struct site_fixture *f = *state;
    struct tokens tokens = tokens_of(f, &oda);
    meanwhile = take_role;
    expect(send_form(f, &oda, "/account/late", SAME_ORIGIN, &tokens, WORDS), 403, "role");
    assert_int_equal(notes, 0);
    /* the number is not used up */
    expect(send_form(f, &oda, "/account/late", SAME_ORIGIN, &tokens, WORDS), 303, "");
    assert_int_equal(notes, 1);
}

static void form_of_unknown_origin_is_not_carried(void **state)
{
    struct site_fixture *f = *state;
    struct tokens tokens = tokens_of(f, &ada);
    struct api_reply page = send_form(f, NULL, "/account/note", "", &tokens, WORDS);
    assert_false(site_body_has(&page, CARRIED));
    expect(page, 403, "no longer valid");
    page = send_form(f, &ben, "/account/note", "", &tokens, WORDS);
    assert_false(site_body_has(&page, CARRIED));
    expect(page, 403, "no longer valid");
    assert_int_equal(notes, 0);
}

static void sign_in_leads_to_local_paths_only(void **state)
{
    struct site_fixture *f = *state;
    static const struct {
        const char *next, *location;
    } cases[] = {
        {"%2Faccount%2Fnote", "/account/note"},
        {"%2F%2Fevil.example", "/account"},
        {"%2F%5Cevil.example", "/account"},
        {"https%3A%2F%2Fevil.example", "/account"},
        {"%2Fa%0D%0ASet-Cookie%3A+x%3Dy", "/account"},
        {"", "/account"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct api_reply page = open_as(f, NULL, "/sign-in");
        struct tokens tokens;
        char more[256], fields[256];
        struct str cookie = api_header(&page, "Set-Cookie");
        field_of(&page, "csrf", tokens.csrf, sizeof tokens.csrf);
        field_of(&page, "once", tokens.once, sizeof tokens.once);
        snprintf(
            more, sizeof more, SAME_ORIGIN "Cookie: %.*s\r\n", (int)str_find_char(cookie, ';'),
            cookie.p);
        api_reply_finish(&page);
        snprintf(fields, sizeof fields, "token=%s&next=%s", ada.token, cases[i].next);
        struct api_reply reply = send_form(f, NULL, "/sign-in", more, &tokens, fields);
        assert_int_equal(reply.status, 303);
        assert_str(api_header(&reply, "Location"), cases[i].location);
        char set[256];
        snprintf(
            set, sizeof set,
            "__Host-session=%s; Max-Age=7776000; Path=/; HttpOnly; SameSite=Lax; Secure",
            ada.token);
        assert_str(api_header(&reply, "Set-Cookie"), set);
        api_reply_finish(&reply);
    }
}

static void session_is_read_from_one_well_formed_cookie(void **state)
{
    struct site_fixture *f = *state;
    char twice[400], other_name[200], longer[300];
    snprintf(
        twice, sizeof twice, FROM_BROWSER SESSION_HEADER "%s; __Host-session=%s\r\n", ada.token,
        ben.token);
    snprintf(other_name, sizeof other_name, FROM_BROWSER "Cookie: session=%s\r\n", ada.token);
    snprintf(longer, sizeof longer, FROM_BROWSER SESSION_HEADER "%sA\r\n", ada.token);
    const char *const wrong[] = {
        twice,
        other_name,
        longer,
        FROM_BROWSER SESSION_HEADER "\r\n",
        FROM_BROWSER SESSION_HEADER "%00\r\n",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        expect(api_get(f->api, "/account/note", wrong[i]), 303, "");
    /* an unknown session is removed from the browser */
    struct api_reply reply = api_get(f->api, "/account/note", longer);
    assert_true(str_starts(api_header(&reply, "Set-Cookie"), STR("__Host-session=; Max-Age=0;")));
    api_reply_finish(&reply);
}

static void session_that_has_ended_is_a_visitor(void **state)
{
    struct site_fixture *f = *state;
    api_set_clock(f->api, "2026-12-05T08:12:45.123Z");
    struct api_reply reply;
    do /* the server reads its clock again after a moment */
        reply = open_as(f, &ada, "/account/note");
    while (reply.status == 200 && (api_reply_finish(&reply), true));
    assert_int_equal(reply.status, 303);
    api_reply_finish(&reply);
}

static void fault_keeps_what_was_typed(void **state)
{
    struct site_fixture *f = *state;
    struct tokens tokens = tokens_of(f, &ada);
    struct api_reply reply = send_form(
        f, &ada, "/account/note", SAME_ORIGIN, &tokens,
        "text=&other="
        "kept");
    assert_int_equal(reply.status, 422);
    assert_str(api_header(&reply, "Cache-Control"), "no-store");
    api_reply_finish(&reply);
    assert_int_equal(notes, 0);
}

static void message_is_shown_once(void **state)
{
    struct site_fixture *f = *state;
    struct api_reply page =
        api_get(f->api, "/", FROM_BROWSER "Cookie: __Host-flash=signed-out\r\n");
    assert_true(site_body_has(&page, "You are signed out."));
    assert_true(str_starts(api_header(&page, "Set-Cookie"), STR("__Host-flash=; Max-Age=0;")));
    api_reply_finish(&page);
    page = api_get(f->api, "/", FROM_BROWSER "Cookie: __Host-flash=You-have-won\r\n");
    assert_false(site_body_has(&page, "won"));
    api_reply_finish(&page);
    page = api_get(
        f->api, "/", FROM_BROWSER "Cookie: __Host-flash=draft-published_house-20990001\r\n");
    assert_true(site_body_has(&page, "The filing is public. <a href=\"/desk/house-20990001\""));
    api_reply_finish(&page);
    page = api_get(f->api, "/", FROM_BROWSER "Cookie: __Host-flash=draft-published_a_b\r\n");
    assert_true(site_body_has(&page, "The filing is public.</p>"));
    api_reply_finish(&page);
}

static void password_is_asked_again_and_carries_the_form(void **state)
{
    struct site_fixture *f = *state;
    struct tokens tokens = tokens_of(f, &ada);
    expect(
        send_form(f, &ada, "/account/secret", SAME_ORIGIN, &tokens, "text=/fresh"), 201, "/fresh");
    assert_int_equal(notes, 1);

    struct api_reply page;
    api_set_clock(f->api, "2026-11-20T08:30:00.000Z");
    do { /* the server reads its clock again after a moment; each try uses a new form */
        tokens = tokens_of(f, &ada);
        page = send_form(f, &ada, "/account/secret", SAME_ORIGIN, &tokens, WORDS);
    } while (page.status == 201 && (api_reply_finish(&page), true));
    int before = notes;
    assert_int_equal(page.status, 200);
    assert_true(site_body_has(&page, "Enter your password again"));
    assert_true(site_body_has(&page, CARRIED));
    field_of(&page, "csrf", tokens.csrf, sizeof tokens.csrf);
    field_of(&page, "once", tokens.once, sizeof tokens.once);
    api_reply_finish(&page);

    page = send_form(
        f, &ada, "/account/secret", SAME_ORIGIN, &tokens, WORDS "&confirm_password=wrong+one");
    assert_int_equal(page.status, 422);
    assert_true(site_body_has(&page, CARRIED));
    assert_true(site_body_has(&page, "aria-invalid=\"true\""));
    assert_false(site_body_has(&page, "wrong one"));
    api_reply_finish(&page);
    assert_int_equal(notes, before);

    expect(
        send_form(
            f, &ada, "/account/secret", SAME_ORIGIN, &tokens,
            WORDS "&confirm_password=correct+horse+battery"),
        201, CARRIED);
    assert_int_equal(notes, before + 1);
    tokens = tokens_of(f, &ada);
    expect(send_form(f, &ada, "/account/secret", SAME_ORIGIN, &tokens, WORDS), 201, CARRIED);
}

static void program_gets_the_view_as_json(void **state)
{
    struct site_fixture *f = *state;
    char headers[512], body[256], token[128];
    snprintf(headers, sizeof headers, "Accept: application/json\r\n%s", ada.cookie);
    struct api_reply reply = api_get(f->api, "/account/note", headers);
    assert_int_equal(reply.status, 200);
    assert_str(api_header(&reply, "Content-Type"), "application/json");
    assert_true(site_body_has(&reply, "\"action\":\"/account/note\""));
    assert_false(site_body_has(&reply, "\"nav\""));
    assert_true(str_is_null(api_header(&reply, "Access-Control-Allow-Origin")));
    ptrdiff_t at = str_find(reply.body, STR("\"csrf\":\""));
    assert_true(at > 0);
    struct str rest = str_slice(reply.body, (size_t)at + 8, reply.body.n);
    snprintf(token, sizeof token, "%.*s", (int)str_find_char(rest, '"'), rest.p);
    api_reply_finish(&reply);

    const char *json = "application/json";
    snprintf(body, sizeof body, "{\"text\":\"a\"}");
    expect(post(f, "/account/note", headers, json, body), 403, "\"invalid_csrf_token\"");
    snprintf(
        headers, sizeof headers, "Accept: application/json\r\nX-CSRF-Token: %s\r\n%s", token,
        ada.cookie);
    expect(
        post(f, "/account/note", headers, json, body), 200,
        "{\"location\":\"/account/note\",\"message\":\"Your changes are saved.\"}");
    assert_int_equal(notes, 1);
    expect(
        post(f, "/account/note", headers, json, "{\"text\":\"\"}"), 422,
        "\"fields\":{\"text\":\"A note needs a text.\"}");
    expect(post(f, "/account/note", headers, json, "{\"text\":[]}"), 400, "\"bad_request\"");
    expect(post(f, "/account/note", headers, "text/plain", "text=a"), 400, "\"bad_request\"");
    full = true;
    expect(
        post(f, "/account/note", headers, json, body), 422, "ou have all the notes of your plan");
    expect(
        api_get(f->api, "/account/note", "Accept: application/json\r\n"), 401,
        "\"sign_in_required\"");
    expect(api_get(f->api, "/account/none", headers), 404, "\"not_found\"");
    snprintf(headers, sizeof headers, "Accept: application/json\r\n%s", ada.cookie);
    expect(api_get(f->api, "/admin", headers), 403, "\"forbidden\"");
}

/* Blocks the writer thread until `open` is set. */
struct stopper {
    pthread_mutex_t lock;
    pthread_cond_t moved;
    bool entered, open;
};

static enum err stop_here(struct db *db, void *ctx, struct fail *fail)
{
    struct stopper *stopper = ctx;
    pthread_mutex_lock(&stopper->lock);
    stopper->entered = true;
    pthread_cond_broadcast(&stopper->moved);
    while (!stopper->open)
        pthread_cond_wait(&stopper->moved, &stopper->lock);
    pthread_mutex_unlock(&stopper->lock);
    return OK;
}

static enum err do_nothing(struct db *db, void *ctx, struct fail *fail)
{
    return OK;
}

/* The writer has as many jobs of pages as it takes. */
static void fill_queue(struct writer *writer, struct stopper *stopper)
{
    pthread_mutex_init(&stopper->lock, NULL);
    pthread_cond_init(&stopper->moved, NULL);
    stopper->entered = stopper->open = false;
    assert_int_equal(writer_post(writer, WRITER_PUBLISH, stop_here, NULL, stopper), OK);
    pthread_mutex_lock(&stopper->lock);
    while (!stopper->entered)
        pthread_cond_wait(&stopper->moved, &stopper->lock);
    pthread_mutex_unlock(&stopper->lock);
    for (int i = 0; i < WRITER_QUEUE_MAX; i++)
        assert_int_equal(writer_post(writer, WRITER_PUBLISH, do_nothing, NULL, NULL), OK);
}

static void empty_queue(struct writer *writer, struct stopper *stopper)
{
    struct fail fail;
    pthread_mutex_lock(&stopper->lock);
    stopper->open = true;
    pthread_cond_broadcast(&stopper->moved);
    pthread_mutex_unlock(&stopper->lock);
    while (writer_call(writer, WRITER_SWEEP, do_nothing, NULL, &fail))
        ;
}

/* Not 422, which blames the form, and not the plan's limit of keys. */
static void full_queue_of_the_writer_is_503(void **state)
{
    struct site_fixture *f = *state;
    struct stopper stopper;
    char headers[512], token[128];
    struct tokens tokens = tokens_of(f, &ada);
    snprintf(headers, sizeof headers, "Accept: application/json\r\n%s", ada.cookie);
    struct api_reply reply = api_get(f->api, "/account/note", headers);
    ptrdiff_t at = str_find(reply.body, STR("\"csrf\":\""));
    assert_true(at > 0);
    struct str rest = str_slice(reply.body, (size_t)at + 8, reply.body.n);
    snprintf(token, sizeof token, "%.*s", (int)str_find_char(rest, '"'), rest.p);
    api_reply_finish(&reply);
    snprintf(headers, sizeof headers, "X-CSRF-Token: %s\r\n%s", token, ada.cookie);

    fill_queue(f->writer, &stopper);
    expect(
        send_form(f, &ada, "/account/note", SAME_ORIGIN, &tokens, "text=a"), 503,
        "cannot answer right now");
    expect(
        post(f, "/account/api/keys", headers, "application/json", "{\"name\":\"k\"}"), 503,
        "\"service_unavailable\"");
    empty_queue(f->writer, &stopper);
    expect(send_form(f, &ada, "/account/note", SAME_ORIGIN, &tokens, "text=a"), 303, "");
    expect(
        post(f, "/account/api/keys", headers, "application/json", "{\"name\":\"k\"}"), 201,
        "\"data\"");
    assert_int_equal(notes, 1);
}

static void large_form_is_read_and_a_larger_one_refused(void **state)
{
    struct site_fixture *f = *state;
    struct tokens tokens = tokens_of(f, &ada);
    static char body[HTTP_LARGE_BODY_MAX + 100];
    char headers[512];
    snprintf(headers, sizeof headers, FROM_BROWSER SAME_ORIGIN "%s", ada.cookie);
    int n = snprintf(body, sizeof body, "csrf=%s&once=%s&text=", tokens.csrf, tokens.once);
    memset(body + n, 'x', HTTP_LARGE_BODY_MAX - (size_t)n);
    const char *type = "application/x-www-form-urlencoded";
    expect(post(f, "/account/note", headers, type, body), 303, "");
    memset(body + n, 'x', sizeof body - 1 - (size_t)n);
    expect(post(f, "/account/note", headers, type, body), 413, "This is too much text");
    expect(post(f, "/desk", headers, type, body), 413, "This is too much text");
    assert_int_equal(notes, 1);
}

static void body_that_is_no_form_is_refused(void **state)
{
    struct site_fixture *f = *state;
    char headers[512];
    snprintf(headers, sizeof headers, FROM_BROWSER SAME_ORIGIN "%s", ada.cookie);
    static const char *const bodies[] = {"text=%", "text=%00", "text=a&text=b", "text=%ff"};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        expect(
            post(f, "/account/note", headers, "application/x-www-form-urlencoded", bodies[i]), 400,
            "not valid");
    expect(post(f, "/account/note", headers, "multipart/form-data; boundary=x", "x"), 400, "");
    expect(post(f, "/account/note", headers, "application/json", "{}"), 400, "");
    assert_int_equal(notes, 0);
}

static void method_that_a_page_lacks_is_named(void **state)
{
    struct site_fixture *f = *state;
    struct api_reply reply = api_ask(f->api, "PUT", "/account/note", FROM_BROWSER);
    assert_int_equal(reply.status, 405);
    assert_str(api_header(&reply, "Allow"), "GET, HEAD, OPTIONS, POST");
    api_reply_finish(&reply);
    reply = api_ask(f->api, "OPTIONS", "/account/note", "Origin: https://evil.example\r\n");
    assert_int_equal(reply.status, 204);
    assert_true(str_is_null(api_header(&reply, "Access-Control-Allow-Origin")));
    api_reply_finish(&reply);
}

static void failure_is_a_page_without_its_inside(void **state)
{
    struct site_fixture *f = *state;
    static const struct {
        const char *path;
        int status;
        const char *retry, *title;
    } cases[] = {
        {"/broken/busy", 503, "1", "cannot answer right now"},
        {"/broken/full", 503, "1", "cannot answer right now"},
        {"/broken/timeout", 503, "1", "cannot answer right now"},
        {"/broken/away", 503, "1", "cannot answer right now"},
        {"/broken/corrupt", 500, NULL, "The server failed"},
        {"/broken/invalid", 500, NULL, "The server failed"},
        {"/broken/missing", 404, NULL, "Nothing is here"},
        {"/broken/often", 429, "42", "Too many attempts"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct api_reply reply = open_as(f, &ada, cases[i].path);
        assert_int_equal(reply.status, cases[i].status);
        assert_true(site_body_has(&reply, cases[i].title));
        assert_false(site_body_has(&reply, "inside"));
        if (cases[i].retry)
            assert_str(api_header(&reply, "Retry-After"), cases[i].retry);
        if (reply.status == 500) { /* to find the line of the log */
            char id[64];
            snprintf(id, sizeof id, "%.*s", STR_ARG(api_header(&reply, "X-Request-Id")));
            assert_true(site_body_has(&reply, id));
        }
        api_reply_finish(&reply);
    }
    expect(api_get(f->api, "/broken/away", ""), 503, "\"service_unavailable\"");
    expect(
        api_get(f->api, "/broken/often", ""), 429,
        "{\"error\":\"rate_limited\",\"retryAfterSeconds\":42}");
}

static void head_of_a_page_has_its_size_and_no_body(void **state)
{
    struct site_fixture *f = *state;
    char headers[256];
    snprintf(headers, sizeof headers, FROM_BROWSER "%s", ada.cookie);
    struct api_reply reply = api_ask(f->api, "HEAD", "/account/note", headers);
    assert_int_equal(reply.status, 200);
    assert_int_equal(reply.body.n, 0);
    assert_true(api_number(&reply, "Content-Length") > 500);
    api_reply_finish(&reply);
}

static int setup_impatient(void **state)
{
    site_fixture_limits = (struct http_limits){.reply_ms = 50, .patient_reply_ms = 50};
    int result = setup(state);
    site_fixture_limits = (struct http_limits){0};
    return result;
}

static void request_that_takes_too_long_is_not_called_undone(void **state)
{
    struct site_fixture *f = *state;
    const char *form = "application/x-www-form-urlencoded", *json = "Accept: application/json\r\n";
    pthread_mutex_lock(&slow_lock);
    expect(api_get(f->api, "/slow", FROM_BROWSER), 503, "What you sent may still be carried out");
    expect(
        post(f, "/files", FROM_BROWSER, form, "a=b"), 503,
        "The import goes on without this page. Its drafts appear on the desk");
    expect(post(f, "/files", json, form, "a=b"), 503, "\"still_reading\"");
    pthread_mutex_unlock(&slow_lock);
}

static void only_local_paths_are_local(void **state)
{
    static const char *const local[] = {"/", "/account", "/a/b?c=d&e=%2F%2F", "/a//b", "/~a"};
    static const char *const other[] = {
        "",     "a",    "//a",   "/\\a", "\\/a", "https://a", "/a b",
        "/a\n", "/a\t", "/\x7f", "/a\"", "/<a>", "/\xc3\xa9",
    };
    for (size_t i = 0; i < sizeof local / sizeof *local; i++)
        assert_str(page_local(str_from(local[i])), local[i]);
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        if (!str_is_null(page_local(str_from(other[i]))))
            fail_msg("\"%s\" is taken for a local path", other[i]);
    assert_true(str_is_null(page_local(STR_NULL)));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, site_fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(visitor_is_sent_to_sign_in_and_back),
        TEST(role_decides_who_may_open_a_page),
        TEST(demanded_second_factor_is_needed_for_the_role),
        TEST(bytes_that_are_no_text_reach_no_page),
        TEST(thing_of_another_account_is_not_found),
        TEST(form_acts_with_the_token_of_its_session),
        TEST(token_differs_on_each_page_and_is_not_guessed),
        TEST(form_without_a_token_is_refused),
        TEST(form_of_another_site_is_refused_and_not_carried),
        TEST(form_acts_once),
        TEST(form_without_a_number_does_nothing),
        TEST(form_whose_action_failed_can_be_sent_again),
        TEST(fault_of_a_page_that_only_acts_is_a_page),
        TEST(form_of_another_session_is_shown_with_a_button),
        TEST(form_after_the_end_of_its_session_is_carried_through_the_sign_in),
        TEST(session_that_ends_before_the_write_does_nothing),
        TEST(program_whose_session_ends_before_the_write_is_401),
        TEST(role_that_is_taken_before_the_write_does_nothing),
        TEST(form_of_unknown_origin_is_not_carried),
        TEST(sign_in_leads_to_local_paths_only),
        TEST(session_is_read_from_one_well_formed_cookie),
        TEST(session_that_has_ended_is_a_visitor),
        TEST(fault_keeps_what_was_typed),
        TEST(message_is_shown_once),
        TEST(password_is_asked_again_and_carries_the_form),
        TEST(program_gets_the_view_as_json),
        TEST(full_queue_of_the_writer_is_503),
        TEST(large_form_is_read_and_a_larger_one_refused),
        TEST(body_that_is_no_form_is_refused),
        TEST(method_that_a_page_lacks_is_named),
        TEST(failure_is_a_page_without_its_inside),
        TEST(head_of_a_page_has_its_size_and_no_body),
        cmocka_unit_test_setup_teardown(
            request_that_takes_too_long_is_not_called_undone, setup_impatient,
            site_fixture_teardown),
        cmocka_unit_test(only_local_paths_are_local),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

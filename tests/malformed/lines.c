/* Both ends of the request line: methods (known, registered elsewhere, misspelled), and versions
 * (all pairs of digits, and unusual spellings). */
#include "corpus.h"

#include <stdio.h>

/* Known methods are answered; others are not implemented (HT-02). */
static const char *const known[] = {"GET", "OPTIONS", "POST", "PUT", "DELETE", "PATCH", "TRACE"};
static const char *const unknown[] = {
    "ACL",
    "BASELINE-CONTROL",
    "BIND",
    "CHECKIN",
    "CHECKOUT",
    "COPY",
    "LABEL",
    "LINK",
    "LOCK",
    "MERGE",
    "MKACTIVITY",
    "MKCALENDAR",
    "MKCOL",
    "MKREDIRECTREF",
    "MKWORKSPACE",
    "MOVE",
    "ORDERPATCH",
    "PRI",
    "PROPPATCH",
    "QUERY",
    "REBIND",
    "REPORT",
    "SEARCH",
    "UNBIND",
    "UNCHECKOUT",
    "UNLINK",
    "UNLOCK",
    "UPDATE",
    "UPDATEREDIRECTREF",
    "VERSION-CONTROL",
    "PURGE",
    "BAN",
    "SOURCE",
    "NOTIFY",
    "SUBSCRIBE",
    "DEBUG",
    "TRACK",
    "Get",
    "gET",
    "GETT",
    "GE",
    "G",
    "0",
    "GET0",
    "XGET",
    "GET-",
    "post",
    "Options",
    "GETPOST",
    "HEADER",
    "HTTP",
};

static const struct form method_forms[] = {
    FORM("a method", HOLE " / HTTP/1.1\r\n" HOST END, "200", ""),
    FORM(
        "a method with a body", HOLE " /b HTTP/1.1\r\n" HOST "Content-Length: 2\r\n" END "ab",
        "200", ""),
    FORM("a method, second", GET HOST END HOLE " /s HTTP/1.1\r\n" HOST END, "200 200", "200 "),
};

static void add_methods(struct corpus *c, const char *const *names, size_t n, const char *outcome)
{
    for (size_t i = 0; i < n; i++) {
        struct http_case row = {names[i], str_from(names[i]), outcome};
        size_t forms = outcome[0] == 'o' ? COUNT_OF(method_forms) : 1 + i % 2;
        for (size_t f = 0; f < forms; f++)
            corpus_fill(c, &method_forms[f], &row);
    }
}

static const struct form version_forms[] = {
    FORM("a version", "GET /v " HOLE "\r\n" HOST END, "200", ""),
    FORM("a version, second", NEXT "GET /v " HOLE "\r\n" HOST END, "200 200", "200 "),
};

static const struct http_case odd_versions[] = {
    CASE("a name alone", "HTTP", "400!"),
    CASE("a slash", "HTTP/", "400!"),
    CASE("a dot", "HTTP/.", "400!"),
    CASE("no major", "HTTP/.1", "400!"),
    CASE("no minor", "HTTP/1.", "400!"),
    CASE("a comma", "HTTP/1,1", "400!"),
    CASE("no slash", "HTTP1.1", "400!"),
    CASE("two slashes", "HTTP//1.1", "400!"),
    CASE("a backslash", "HTTP\\1.1", "400!"),
    CASE("a colon", "HTTP:1.1", "400!"),
    CASE("three numbers", "HTTP/1.1.1", "400!"),
    CASE("leading zero of minor", "HTTP/1.01", "400!"),
    CASE("two digits", "HTTP/11.1", "400!"),
    CASE("eleven", "HTTP/1.11", "400!"),
    CASE("a sign", "HTTP/+1.1", "400!"),
    CASE("a minus", "HTTP/-1.1", "400!"),
    CASE("hex", "HTTP/0x1.1", "400!"),
    CASE("letters", "HTTP/a.b", "400!"),
    CASE("a letter after", "HTTP/1.1a", "400!"),
    CASE("a letter before", "xHTTP/1.1", "400!"),
    CASE("mixed case", "Http/1.1", "400!"),
    CASE("last letter small", "HTTp/1.1", "400!"),
    CASE("HTTPS", "HTTPS/1.1", "400!"),
    CASE("ICY", "ICY/1.1", "400!"),
    CASE("RTSP", "RTSP/1.0", "400!"),
    CASE("SIP", "SIP/2.0", "400!"),
    CASE("HTP", "HTP/1.0", "400!"),
    CASE("twice", "HTTP/1.1 HTTP/1.1", "400!"),
    CASE("twice without a space", "HTTP/1.1HTTP/1.1", "400!"),
    CASE("a huge minor", "HTTP/1.99999999999999999999", "400!"),
    CASE("a minor that wraps to 1", "HTTP/1.4294967297", "400!"),
    CASE("a major that wraps to 1", "HTTP/257.1", "400!"),
    CASE("a tab after", "HTTP/1.1\t", "400!"),
    CASE("two spaces after", "HTTP/1.1  ", "400!"),
    CASE("two spaces before", "  HTTP/1.1", "400!"),
    CASE("a space inside", "HTTP/1. 1", "400!"),
    CASE("a space before the slash", "HTTP /1.1", "400!"),
    CASE("a fullwidth digit", "HTTP/1.\xef\xbc\x91", "400!"),
    CASE("in quotes", "\"HTTP/1.1\"", "400!"),
    CASE("percent-encoded", "HTTP%2f1.1", "400!"),
    CASE("a header behind it", "HTTP/1.1 X-A: b", "400!"),
};

static void add_versions(struct corpus *c)
{
    for (int i = 0; i < 100; i++) {
        char text[16];
        snprintf(text, sizeof text, "HTTP/%d.%d", i / 10, i % 10);
        struct http_case row = {text, str_from(text), i == 11 ? "ok" : i == 10 ? "200!" : "400!"};
        for (size_t f = 0; f < (i < 20 ? 2 : 1); f++)
            corpus_fill(c, &version_forms[f], &row);
    }
    PRODUCT(c, version_forms, odd_versions);
}

void corpus_add_lines(struct corpus *c)
{
    add_methods(c, known, COUNT_OF(known), "ok");
    add_methods(c, unknown, COUNT_OF(unknown), "501");
    add_versions(c);
}

/* Headers about the connection: Connection by version (RFC 9112 9.3: close wins, 1.0 is kept only
 * on request), Expect (RFC 9110 10.1.1), Upgrade, and similar names. */
#include "corpus.h"

/* A second request follows each: "stays" if it is answered. */
struct wish {
    const char *name;
    struct str headers;
    bool stays_1_1, stays_1_0;
};

#define WISH(name, headers, ...)                                                                   \
    {                                                                                              \
        name, STR_INIT(headers), __VA_ARGS__                                                       \
    }

static const struct wish wishes[] = {
    WISH("nothing, X-A only", "X-A: b\r\n", true, false),
    WISH("close", "Connection: close\r\n", false, false),
    WISH("keep-alive", "Connection: keep-alive\r\n", true, true),
    WISH("Close", "connection: Close\r\n", false, false),
    WISH("KEEP-ALIVE", "connection: KEEP-ALIVE\r\n", true, true),
    WISH("close with tabs", "Connection:\tclose\t\r\n", false, false),
    WISH("empty", "Connection:\r\n", true, false),
    WISH("commas", "Connection: ,,\r\n", true, false),
    WISH("another word", "Connection: whatever\r\n", true, false),
    WISH("close, then keep-alive", "Connection: close, keep-alive\r\n", false, false),
    WISH("keep-alive, then close", "Connection: keep-alive, close\r\n", false, false),
    WISH("close without a space", "Connection: x,close\r\n", false, false),
    WISH("close after an empty member", "Connection: ,close\r\n", false, false),
    WISH("close before an empty member", "Connection: close,\r\n", false, false),
    WISH("keep-alive in a list", "Connection: x, keep-alive\r\n", true, true),
    WISH("two lines, close first", "Connection: close\r\nConnection: keep-alive\r\n", false, false),
    WISH("two lines, close last", "Connection: keep-alive\r\nConnection: close\r\n", false, false),
    WISH("two lines, keep-alive", "Connection: x\r\nConnection: keep-alive\r\n", true, true),
    WISH("closed", "Connection: closed\r\n", true, false),
    WISH("xclose", "Connection: xclose\r\n", true, false),
    WISH("close-x", "Connection: close-x\r\n", true, false),
    WISH("keep-alives", "Connection: keep-alives\r\n", true, false),
    WISH("keepalive", "Connection: keepalive\r\n", true, false),
    WISH("close and a word", "Connection: close x\r\n", true, false),
    WISH("close in quotes", "Connection: \"close\"\r\n", true, false),
    WISH("close with a parameter", "Connection: close;a=b\r\n", true, false),
    WISH("Keep-Alive alone", "Keep-Alive: timeout=5, max=10\r\n", true, false),
    WISH("Keep-Alive and keep-alive", "Connection: keep-alive\r\nKeep-Alive: 5\r\n", true, true),
    WISH("Proxy-Connection: close", "Proxy-Connection: close\r\n", true, false),
    WISH("Proxy-Connection: keep-alive", "Proxy-Connection: keep-alive\r\n", true, false),
    WISH("Connections: close", "Connections: close\r\n", true, false),
    WISH("Upgrade without Connection", "Upgrade: websocket\r\n", true, false),
    WISH("an upgrade", "Connection: upgrade\r\nUpgrade: h2c\r\n", true, false),
    WISH("an upgrade and close", "Connection: upgrade, close\r\nUpgrade: h2c\r\n", false, false),
    WISH("an upgrade, kept", "Connection: upgrade, keep-alive\r\nUpgrade: x\r\n", true, true),
    WISH("Host named as hop by hop", "Connection: Host\r\n", true, false),
    WISH("the credential as hop by hop", "Connection: Authorization, X-Api-Key\r\n", true, false),
    WISH("the address as hop by hop", "Connection: X-Forwarded-For\r\n", true, false),
};

static void add_wish(struct corpus *c, const struct wish *wish)
{
    static const struct form forms[] = {
        FORM("Connection in 1.1", "GET /k HTTP/1.1\r\n" HOST HOLE END NEXT, "", ""),
        FORM("Connection in 1.0", "GET /k HTTP/1.0\r\n" HOST HOLE END NEXT, "", ""),
        FORM(
            "Connection beside a body",
            "POST /k HTTP/1.1\r\n" HOLE HOST "Content-Length: 3\r\n" END "abc" NEXT, "", ""),
    };
    struct http_case row = {wish->name, wish->headers, wish->stays_1_1 ? "200 200" : "200!"};
    corpus_fill(c, &forms[0], &row);
    corpus_fill(c, &forms[2], &row);
    row.outcome = wish->stays_1_0 ? "200 200" : "200!";
    corpus_fill(c, &forms[1], &row);
}

static const struct http_case expectations[] = {
    CASE("100-continue", "100-continue", "ok"),
    CASE("in capitals", "100-CONTINUE", "ok"),
    CASE("spaces around", "  100-continue  ", "ok"),
    CASE("empty", "", "400!"),
    CASE("100", "100", "400!"),
    CASE("continue", "continue", "400!"),
    CASE("a space for the dash", "100 continue", "400!"),
    CASE("another", "200-ok", "400!"),
    CASE("twice in a list", "100-continue, 100-continue", "400!"),
    CASE("another in a list", "100-continue, x=y", "400!"),
    CASE("a parameter", "100-continue;a=b", "400!"),
    CASE("in quotes", "\"100-continue\"", "400!"),
    CASE("one letter more", "100-continued", "400!"),
    CASE("one letter less", "100-continu", "400!"),
};

static const struct form expect_forms[] = {
    FORM(
        "Expect of a body", POST HOST "Content-Length: 3\r\nExpect: " HOLE "\r\n" END "abc" NEXT,
        "200 200", ""),
    FORM(
        "Expect of chunks",
        POST HOST "Transfer-Encoding: chunked\r\nExpect: " HOLE "\r\n" END "0\r\n\r\n", "200", ""),
    FORM("Expect of nothing", GET HOST "X-E: x\r\nExpect: " HOLE "\r\n" END NEXT, "200 200", ""),
};

void corpus_add_connections(struct corpus *c)
{
    for (size_t i = 0; i < COUNT_OF(wishes); i++)
        add_wish(c, &wishes[i]);
    PRODUCT(c, expect_forms, expectations);
}

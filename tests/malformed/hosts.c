/* Host (RFC 9110 7.2, RFC 3986 3.2): the same values as a header of either version and with an
 * absolute target, where the header counts too; and the header at wrong places. */
#include "corpus.h"

static const struct http_case hosts[] = {
    CASE("one letter", "a", "ok"),
    CASE("a name with digits", "a1.2b.example", "ok"),
    CASE("a dot at the end", "a.example.", "ok"),
    CASE("a dash first", "-a", "ok"),
    CASE("an underscore", "_a.example", "ok"),
    CASE("all capitals", "A.EXAMPLE", "ok"),
    CASE("punycode", "xn--nxasmq6b.example", "ok"),
    CASE("percent-encoded", "a%41", "ok"),
    CASE("port 0", "a.example:0", "ok"),
    CASE("port 00080", "a.example:00080", "ok"),
    CASE("an IPv4 address", "192.0.2.1", "ok"),
    CASE("a number", "3232235777", "ok"),
    CASE("five numbers", "1.2.3.4.5", "ok"),
    CASE("IPv6", "[2001:db8::1]", "ok"),
    CASE("IPv6 with IPv4", "[::ffff:192.0.2.1]:8080", "ok"),
    CASE("IPv6 and an empty port", "[::1]:", "ok"),
    CASE("a space around", " \t a.example \t ", "ok"),
    CASE("a port alone", ":80", "400!"),
    CASE("a colon", ":", "400!"),
    CASE("two colons", "a.example::80", "400!"),
    CASE("IPv6 without brackets", "2001:db8::1", "400!"),
    CASE("a port with a space before", "a.example :80", "400!"),
    CASE("a port with a space", "a.example: 80", "400!"),
    CASE("a port with a sign", "a.example:+80", "400!"),
    CASE("a port in hex", "a.example:0x50", "400!"),
    CASE("a port of six digits", "a.example:655350", "400!"),
    CASE("a port that wraps to 80", "a.example:4294967376", "400!"),
    CASE("a port and a path", "a.example:80/", "400!"),
    CASE("a path", "a.example/x", "400!"),
    CASE("a query", "a.example?x", "400!"),
    CASE("a fragment", "a.example#x", "400!"),
    CASE("an address", "http://a.example", "400!"),
    CASE("a user", "u@a.example", "400!"),
    CASE("a user and a password", "u:p@a.example", "400!"),
    CASE("an at sign at the end", "a.example@", "400!"),
    CASE("two with a space", "a.example b.example", "400!"),
    CASE("two with a comma and space", "a.example, b.example", "400!"),
    CASE("two with a tab", "a.example\tb.example", "400!"),
    CASE("in quotes", "\"a.example\"", "400!"),
    CASE("in angle brackets", "<a.example>", "400!"),
    CASE("a backslash", "a\\b", "400!"),
    CASE("a caret", "a^b", "400!"),
    CASE("a pipe", "a|b", "400!"),
    CASE("a brace", "{a}", "400!"),
    CASE("a grave accent", "a`b", "400!"),
    CASE("a bracket at the end", "a]", "400!"),
    CASE("a bracket inside", "a[b]", "400!"),
    CASE("an open bracket", "[", "400!"),
    CASE("empty brackets and a port", "[]:80", "400!"),
    CASE("text after brackets", "[::1]a", "400!"),
    CASE("text before brackets", "a[::1]", "400!"),
    CASE("two brackets", "[[::1]]", "400!"),
    CASE("a zone", "[fe80::1%25eth0]", "400!"),
    CASE("a slash in brackets", "[::1/64]", "400!"),
    CASE("letters in brackets", "[abc]", "400!"),
    CASE("a name in brackets", "[a.example]", "400!"),
    CASE("IPv4 in brackets", "[192.0.2.1]", "400!"),
    CASE("three colons in brackets", "[:::]", "400!"),
    CASE("nine groups", "[1:2:3:4:5:6:7:8:9]", "400!"),
    CASE("two gaps", "[1::2::3]", "400!"),
    CASE("a group of five digits", "[12345::1]", "400!"),
    CASE("an address of the future", "[v1.a]", "400!"),
    CASE("a percent alone", "a%", "400!"),
    CASE("a percent and a digit", "a%4", "400!"),
    CASE("a percent and letters", "a%zz", "400!"),
    CASE("UTF-8", "\xc3\xa9.example", "400!"),
    CASE(
        "an overlong dot",
        "a\xc0\xae"
        "b",
        "400!"),
    CASE("a space only", " ", "400!"),
    CASE("a tab only", "\t", "400!"),
    CASE("a line of JSON", "{\"host\":\"a\"}", "400!"),
};

static const struct form forms[] = {
    FORM("Host", "GET /h HTTP/1.1\r\nHost: " HOLE "\r\n" END, "200", ""),
    FORM("Host in 1.0", "GET /h HTTP/1.0\r\nHost: " HOLE "\r\n" END, "200!", ""),
    FORM(
        "Host beside an absolute target",
        "GET http://a.example/h HTTP/1.1\r\nHost: " HOLE "\r\n" END, "200", ""),
    FORM(
        "Host as the last header", "GET /h HTTP/1.1\r\nX-A: b\r\nhost:" HOLE "\r\n" END, "200", ""),
};

static const struct http_case headers[] = {
    CASE("Host after a value of its own name", "Host: Host\r\n", "ok"),
    CASE("X-Host only", "X-Host: a\r\n", "400!"),
    CASE("Hos only", "Hos: a\r\n", "400!"),
    CASE("Hostt only", "Hostt: a\r\n", "400!"),
    CASE("X-Forwarded-Host only", "X-Forwarded-Host: a\r\n", "400!"),
    CASE(":authority", ":authority: a\r\n", "400!"),
    CASE("Host and X-Host", HOST "X-Host: b\r\n", "ok"),
    CASE("Host and X-Forwarded-Host", HOST "X-Forwarded-Host: b\r\n", "ok"),
    CASE("Host and Forwarded", HOST "Forwarded: host=b\r\n", "ok"),
    CASE("Host three times", HOST HOST HOST, "400!"),
    CASE("Host, then an empty one", HOST "Host:\r\n", "400!"),
    CASE("an empty Host, then one", "Host:\r\n" HOST, "400!"),
    CASE("Host in two cases", HOST "hOST: a.example\r\n", "400!"),
    CASE("Host far apart", HOST "X-A: b\r\nX-B: c\r\nHost: b.example\r\n", "400!"),
    CASE("Host, then one with a space before the colon", HOST "Host : b.example\r\n", "400!"),
    CASE("Host with a space before the colon only", "Host : a.example\r\n", "400!"),
    CASE("Host folded", "Host:\r\n a.example\r\n", "400!"),
    CASE("Host, folded on", "Host: a\r\n .example\r\n", "400!"),
    CASE("Host indented", " Host: a.example\r\n", "400!"),
    CASE("Host without a colon", "Host a.example\r\n", "400!"),
    CASE("Host= in place of a colon", "Host=a.example\r\n", "400!"),
    CASE("Host in an earlier value", "X-A: b\\r\\nHost: c\r\n", "400!"),
};

static const struct form header_forms[] = {
    FORM("headers", GET HOLE END NEXT, "200 200", ""),
    FORM(
        "headers of an absolute target", "GET http://a.example/ HTTP/1.1\r\n" HOLE END NEXT,
        "200 200", ""),
    FORM("headers of a second request", NEXT "DELETE /d HTTP/1.1\r\n" HOLE END, "200 200", "200 "),
};

void corpus_add_hosts(struct corpus *c)
{
    PRODUCT(c, forms, hosts);
    PRODUCT(c, header_forms, headers);
}

/* Header lines that resemble a framing header: some parser on the way may mistake them for it. This
 * parser either refuses the line or treats it as an unknown header. */
#include "corpus.h"

/* "ok": another header, which is ignored. */
static const struct http_case lines[] = {
    CASE("TE, an underscore", "Transfer_Encoding: chunked\r\n", "ok"),
    CASE("TE, no dash", "TransferEncoding: chunked\r\n", "ok"),
    CASE("TE, two dashes", "Transfer--Encoding: chunked\r\n", "ok"),
    CASE("TE, a dot", "Transfer.Encoding: chunked\r\n", "ok"),
    CASE("TE, one letter less", "Transfer-Encodin: chunked\r\n", "ok"),
    CASE("TE, one letter more", "Transfer-Encodings: chunked\r\n", "ok"),
    CASE("TE, X before", "X-Transfer-Encoding: chunked\r\n", "ok"),
    CASE("TE, Content before", "Content-Transfer-Encoding: chunked\r\n", "ok"),
    CASE("TE, Content-Encoding", "Content-Encoding: chunked\r\n", "ok"),
    CASE("TE, a mark before", "!Transfer-Encoding: chunked\r\n", "ok"),
    CASE("TE, a mark behind", "Transfer-Encoding~: chunked\r\n", "ok"),
    CASE("TE, the short name", "TE: chunked\r\n", "ok"),
    CASE("TE, the short name with trailers", "TE: trailers, chunked\r\n", "ok"),
    CASE("TE, percent-encoded", "Transfer%2dEncoding: chunked\r\n", "ok"),
    CASE("TE, in a value", "X-A: Transfer-Encoding: chunked\r\n", "ok"),
    CASE("TE, behind a backslash n", "X-A: b\\nTransfer-Encoding: chunked\r\n", "ok"),
    CASE("TE, in a Trailer header", "Trailer: Transfer-Encoding\r\n", "ok"),
    CASE("TE, in Connection", "Connection: Transfer-Encoding\r\n", "ok"),
    CASE("TE, a space before", " Transfer-Encoding: chunked\r\n", "400!"),
    CASE("TE, a tab before", "\tTransfer-Encoding: chunked\r\n", "400!"),
    CASE("TE, a space before the colon", "Transfer-Encoding : chunked\r\n", "400!"),
    CASE("TE, a tab before the colon", "Transfer-Encoding\t: chunked\r\n", "400!"),
    CASE("TE, a space inside", "Transfer Encoding: chunked\r\n", "400!"),
    CASE("TE, two colons", "Transfer-Encoding:: chunked\r\n", "400!"),
    CASE("TE, an equals sign", "Transfer-Encoding= chunked\r\n", "400!"),
    CASE("TE, a semicolon", "Transfer-Encoding; chunked\r\n", "400!"),
    CASE("TE, no colon", "Transfer-Encoding chunked\r\n", "400!"),
    CASE("TE, in quotes", "\"Transfer-Encoding\": chunked\r\n", "400!"),
    CASE("TE, the value folded", "Transfer-Encoding:\r\n chunked\r\n", "400!"),
    CASE("TE, the value folded by a tab", "Transfer-Encoding:\r\n\tchunked\r\n", "400!"),
    CASE("TE, folded from another", "X-A: b\r\n Transfer-Encoding: chunked\r\n", "400!"),
    CASE("TE, folded behind", "Transfer-Encoding: chunked\r\n , gzip\r\n", "400!"),
    CASE("TE, behind an LF", "X-A: b\nTransfer-Encoding: chunked\r\n", "400!"),
    CASE("TE, behind a CR", "X-A: b\rTransfer-Encoding: chunked\r\n", "400!"),
    CASE("TE, behind CR CR", "X-A: b\r\rTransfer-Encoding: chunked\r\n", "400!"),
    CASE("TE, behind NUL", "X-A: b\0Transfer-Encoding: chunked\r\n", "400!"),
    CASE("TE, behind a line separator", "X-A: b\xe2\x80\xa8Transfer-Encoding: chunked\r\n", "ok"),
    CASE(
        "TE, a dash of Unicode",
        "Transfer\xe2\x80\x90"
        "Encoding: chunked\r\n",
        "400!"),
    CASE(
        "TE, a long s",
        "Tran\xc5\xbf"
        "fer-Encoding: chunked\r\n",
        "400!"),
    CASE("TE, ended by LF", "Transfer-Encoding: chunked\n", "400!"),
    CASE("TE, ended by CR", "Transfer-Encoding: chunked\r", "400!"),
    CASE("CL, an underscore", "Content_Length: 20\r\n", "ok"),
    CASE("CL, no dash", "ContentLength: 20\r\n", "ok"),
    CASE("CL, X before", "X-Content-Length: 20\r\n", "ok"),
    CASE("CL, one letter less", "Content-Lengt: 20\r\n", "ok"),
    CASE("CL, one letter more", "Content-Lengths: 20\r\n", "ok"),
    CASE("CL, a mark behind", "Content-Length!: 20\r\n", "ok"),
    CASE("CL, in a value", "X-A: Content-Length: 20\r\n", "ok"),
    CASE("CL, in a range", "Content-Range: bytes 0-19/20\r\n", "ok"),
    CASE("CL, in Connection", "Connection: Content-Length\r\n", "ok"),
    CASE("CL, a space before", " Content-Length: 20\r\n", "400!"),
    CASE("CL, a space before the colon", "Content-Length : 20\r\n", "400!"),
    CASE("CL, a tab before the colon", "Content-Length\t: 20\r\n", "400!"),
    CASE("CL, a space inside", "Content Length: 20\r\n", "400!"),
    CASE("CL, two colons", "Content-Length:: 20\r\n", "400!"),
    CASE("CL, an equals sign", "Content-Length=20\r\n", "400!"),
    CASE("CL, no colon", "Content-Length 20\r\n", "400!"),
    CASE("CL, the value folded", "Content-Length:\r\n 20\r\n", "400!"),
    CASE("CL, folded behind", "X-A: b\r\n Content-Length: 20\r\n", "400!"),
    CASE("CL, behind an LF", "X-A: b\nContent-Length: 20\r\n", "400!"),
    CASE("CL, behind a CR", "X-A: b\rContent-Length: 20\r\n", "400!"),
    CASE("CL, behind NUL", "X-A: b\0Content-Length: 20\r\n", "400!"),
    CASE("CL, NUL in the name", "Content\0-Length: 20\r\n", "400!"),
};

static const struct form forms[] = {
    FORM(
        "disguised beside a length", POST HOST "Content-Length: 5\r\n" HOLE END "0\r\n\r\n" NEXT,
        "200 200", ""),
    FORM(
        "disguised before a length", POST HOLE HOST "Content-Length: 5\r\n" END "0\r\n\r\n" NEXT,
        "200 200", ""),
    FORM(
        "disguised beside chunked",
        POST HOST HOLE "Transfer-Encoding: chunked\r\n" END "0\r\n\r\n" NEXT, "200 200", ""),
    FORM("disguised alone", GET HOST HOLE END NEXT, "200 200", ""),
};

void corpus_add_disguises(struct corpus *c)
{
    PRODUCT(c, forms, lines);
}

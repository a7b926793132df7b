/*
 * The fixed bounds of the HTTP edge: sizes of buffers, and what the contract names. Those that an
 * operator may set are struct http_limits (http_config.h).
 */
#pragma once

enum {
    HTTP_HEAD_MAX = 16 * 1024,       /* 431 above */
    HTTP_HEADERS_MAX = 100,          /* 431 above */
    HTTP_TARGET_MAX = 8192,          /* 414 above: decision 18 */
    HTTP_METHOD_MAX = 64,            /* 400 above */
    HTTP_BODY_MAX = 8192,            /* 413 above: decision 17 */
    HTTP_CHUNKED_MAX = 64 * 1024,    /* chunk headers, chunks and trailers as sent; 413 above */
    HTTP_REPLY_MAX = 16 << 20,       /* 500 above */
    HTTP_REPLY_HEAD_MAX = 16 * 1024, /* the application's own lines; 500 above */
    HTTP_LINGER_MAX = 64 * 1024,     /* bytes dropped after the last reply */
    HTTP_SEND_BUFFER = 128 * 1024,   /* of a TCP connection; the kernel takes twice that at most */
    HTTP_ACCEPT_BATCH = 16,          /* connections accepted in one wake */
    HTTP_HANDSHAKE_MS = 50,          /* from the last SYN we take to the last connection */
    HTTP_DESCRIPTOR_RESERVE = 128,   /* left for the database, logs, outgoing connections */
};

/*
 * The fixed bounds of the HTTP edge: buffer sizes and limits of the contract. The bounds that an
 * operator can set are in struct http_limits (http_config.h).
 */
#pragma once

enum {
    HTTP_HEAD_MAX = 16 * 1024,        /* 431 above */
    HTTP_HEADERS_MAX = 100,           /* 431 above */
    HTTP_TARGET_MAX = 8192,           /* 414 above: decision 18 */
    HTTP_METHOD_MAX = 64,             /* 400 above */
    HTTP_BODY_MAX = 8192,             /* 413 above: decision 17 */
    HTTP_LARGE_BODY_MAX = 64 * 1024,  /* where http_app.body_rule allows it: forms */
    HTTP_LARGE_BODIES_MAX = 16 << 20, /* of all bodies above HTTP_BODY_MAX; 503 above */
    HTTP_SPOOL_MAX = 96 << 20,        /* where http_app.body_rule allows it: uploads */
    HTTP_SPOOLS_MAX = 192 << 20,      /* of all uploads in progress; 503 above */
    HTTP_SPOOLS_ARRIVING_MAX = 64,    /* uploads that arrive at the same time; 503 above */
    HTTP_SPOOL_FLOOR = 4096,          /* bytes a second that the client of an upload must send */
    HTTP_DROP_MAX = 1 << 30, /* a larger upload is read and dropped up to here, so that its client
                                sees the 413; larger ones are cut */
    HTTP_CHUNKED_MAX = 64 * 1024,    /* chunk headers, chunks and trailers as sent; 413 above */
    HTTP_REPLY_MAX = 16 << 20,       /* 500 above */
    HTTP_REPLY_HEAD_MAX = 16 * 1024, /* the application's own lines; 500 above */
    HTTP_LINGER_MAX = 64 * 1024,     /* bytes dropped after the last reply */
    HTTP_SEND_BUFFER = 128 * 1024,   /* of a TCP connection; the kernel uses at most twice that */
    HTTP_RECEIVE_BUFFER = 64 * 1024, /* likewise; a request has 24 KB at most */
    HTTP_CONNECTION_MEMORY = 64 * 1024, /* of a connection at most, except its parked reply */
    HTTP_READER_STEP = 64 * 1024,       /* a slow reader may be ahead by this: conn_reader.h */
    HTTP_ACCEPT_BATCH = 16,             /* connections accepted in one wake */
    HTTP_HANDSHAKE_MS = 50,             /* from the last accepted SYN to the last connection */
    HTTP_DESCRIPTOR_RESERVE = 128,      /* left for the database, logs, outgoing connections */
};

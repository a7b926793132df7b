/*
 * The version of this build and its commit. script/version makes the definition that stockact and
 * stockact-mcp are linked with, so that a commit rebuilds one object. Other programs, such as
 * tests, get that of build.c.
 */
#pragma once

#include "base/str.h"

extern const struct build {
    struct str version; /* 0.2.0, or 0.2.0+git20261127204157.063569df1234 after it */
    struct str commit;  /* 40 hexadecimal digits; null if not known */
    struct str title;   /* both, for people */
    /* User-Agent of requests: */
    struct str agent;
    struct str listen_agent;
    struct str mcp_agent;
} build;

#define BUILD(number, note, ...)                                                                   \
    {                                                                                              \
        .version = STR_INIT(number), .title = STR_INIT(number note),                               \
        .agent = STR_INIT("stockact/" number),                                                     \
        .listen_agent = STR_INIT("stockact-listen/" number),                                       \
        .mcp_agent = STR_INIT("stockact-mcp/" number), __VA_ARGS__                                 \
    }

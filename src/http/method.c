/* The methods by name; all others are answered 501 (decision 18). */
#include "http/http.h"

static const struct str names[] = {
    [HTTP_GET] = STR_INIT("GET"),         [HTTP_HEAD] = STR_INIT("HEAD"),
    [HTTP_OPTIONS] = STR_INIT("OPTIONS"), [HTTP_POST] = STR_INIT("POST"),
    [HTTP_PUT] = STR_INIT("PUT"),         [HTTP_DELETE] = STR_INIT("DELETE"),
    [HTTP_PATCH] = STR_INIT("PATCH"),     [HTTP_TRACE] = STR_INIT("TRACE"),
    [HTTP_CONNECT] = STR_INIT("CONNECT"), [HTTP_UNKNOWN] = STR_INIT(""),
};

struct str http_method_name(enum http_method method)
{
    return names[method];
}

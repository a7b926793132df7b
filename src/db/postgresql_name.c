/* Pairs the hosts of an address with their ports; see postgresql_name.h. */
#include "db/postgresql_name.h"

#include "base/buf.h"
#include "base/mem.h"

static struct str text_of(const char *text)
{
    return str_from(text ? text : "");
}

struct str postgresql_name(const char *hosts, const char *ports, const char *database)
{
    struct str rest = text_of(hosts), ports_rest = text_of(ports), host, port = ports_rest;
    bool each = str_find_char(port, ',') >= 0;
    BUF_SCOPED(text, 1000);
    buf_fmt(&text, "postgresql://");
    for (const char *comma = ""; str_split(&rest, ',', &host); comma = ",") {
        if (each && !str_split(&ports_rest, ',', &port))
            port = (struct str){NULL, 0};
        buf_fmt(&text, "%s%.*s%s%.*s", comma, STR_ARG(host), port.n ? ":" : "", STR_ARG(port));
    }
    buf_fmt(&text, "/%.*s", STR_ARG(text_of(database)));
    return str_of(mem_strdup(buf_view(&text)), text.n);
}

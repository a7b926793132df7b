/* Sends a datagram to systemd; see service_manager.h and sd_notify(3). */
#include "serve/service_manager.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/disk.h"
#include "base/log.h"

void service_manager_tell(const char *lines)
{
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    const char *name = getenv("NOTIFY_SOCKET");
    size_t n = name ? strlen(name) : 0;
    if (n < 2 || n >= sizeof to.sun_path || (name[0] != '/' && name[0] != '@'))
        return;
    memcpy(to.sun_path, name, n);
    if (name[0] == '@') /* an abstract socket */
        to.sun_path[0] = '\0';
    FD_CLOSED int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n);
    ssize_t sent =
        fd < 0 ? -1
               : sendto(fd, lines, strlen(lines), MSG_NOSIGNAL, (const struct sockaddr *)&to, size);
    if (sent < 0)
        log_line(
            LOG_WARN, "the service manager was not told how the server is",
            LOG_S("lines", str_from(lines)));
}

/* Tells systemd how the server is: `systemctl start` waits until it answers and reports a start
 * that fails, `systemctl status` shows how far it is, and a server that no longer tells that it
 * lives is started again (the unit has Type=notify and WatchdogSec). */
#pragma once

/* Sends lines of sd_notify(3), such as "READY=1", to the socket that NOTIFY_SOCKET names. Does
 * nothing without that variable. */
void service_manager_tell(const char *lines);

/* Tells systemd that the server answers, so that `systemctl start` waits for it and reports a start
 * that fails (the unit has Type=notify). */
#pragma once

/* Sends READY=1 to the socket that NOTIFY_SOCKET names. Does nothing without that variable. */
void service_manager_ready(void);

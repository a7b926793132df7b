/* Publishes invented filings live: `demo --publish` and `demo --live`. Private to src/cmd/operate.
 */
#pragma once

#include "cmd/operate/store_access.h"

/* Publishes --publish filings with a pause of --every between them, and prints each. */
enum err demo_publish(struct cmd *cmd, struct db *db, struct fail *fail) MUST_CHECK;

/* Runs the server until a signal stops it. Meanwhile a child process publishes a filing --every so
 * often and prints it. The child ends with the server, also if that is killed: a pipe tells
 * it, because a confined server cannot send signals to it. */
enum err demo_publish_while_serving(struct cmd *cmd, struct fail *fail) MUST_CHECK;

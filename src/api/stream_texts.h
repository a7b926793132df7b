/* What OpenAPI and the reference say about resuming a stream. */
#pragma once

#define STREAM_RESUME_NAME "Last-Event-ID"
#define STREAM_RESUME_ACCEPTS "the id of an event"
#define STREAM_RESUME_MEANING                                                                      \
    "The id of the last event that you have: the stream continues after it. EventSource sends it " \
    "when it connects again. Without it the stream begins at `since`, or else after the newest "   \
    "trade."

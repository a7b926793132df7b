-- Step 18 of the schema: what owners of webhooks see and do (decisions 33, 37, 44 and 45).

-- The owner's words for an endpoint.

ALTER TABLE endpoint ADD COLUMN description {text};

-- Why a delivery is sent: for its event, again by hand, or as a test. The last two may be sent to an
-- endpoint that is not enabled.

ALTER TABLE delivery ADD COLUMN cause {text} NOT NULL DEFAULT 'event'
    CHECK ({one_of cause event replay test});

ALTER TABLE delivery ADD COLUMN replayed_at {int};

CREATE INDEX delivery_by_hand ON delivery (endpoint_no, due_at, no)
    WHERE state = 'pending' AND cause <> 'event';

-- An endpoint has one test on its way at a time.

CREATE UNIQUE INDEX delivery_test ON delivery (endpoint_no)
    WHERE state = 'pending' AND cause = 'test';

CREATE INDEX event_test ON event (created_at) WHERE type = 'test';

-- The log of an endpoint by state, newest first.

CREATE INDEX delivery_log ON delivery (endpoint_no, state, no);

-- An attempt: where it was sent, and the head of the request as it was sent. The signatures in it
-- cannot be made again after a rotation.

ALTER TABLE attempt ADD COLUMN url {text};

ALTER TABLE attempt ADD COLUMN request {text};

-- Whose health the attempt is part of; null for a test, which is part of none.

ALTER TABLE attempt ADD COLUMN endpoint_no {int} REFERENCES endpoint (no);

UPDATE attempt SET endpoint_no =
    (SELECT d.endpoint_no FROM delivery d WHERE d.no = attempt.delivery_no);

CREATE INDEX attempt_endpoint ON attempt (endpoint_no, started_at);

-- Replays of many deliveries, which servers carry out in small batches: those of an endpoint in one
-- state that ended from `since` until before `until`. `after_no` is the last delivery examined.

CREATE TABLE bulk_replay (
    no {id},
    endpoint_no {int} NOT NULL REFERENCES endpoint (no),
    state {text} NOT NULL CHECK ({one_of state failed expired}),
    since {int} NOT NULL,
    until {int} NOT NULL,
    after_no {int} NOT NULL DEFAULT 0,
    matched {int} NOT NULL,
    replayed {int} NOT NULL DEFAULT 0,
    created_at {int} NOT NULL,
    ended_at {int}
) {strict};

CREATE UNIQUE INDEX bulk_replay_open ON bulk_replay (endpoint_no) WHERE ended_at IS NULL;

-- Step 21 of the schema: lists that stay fast when there are many deliveries, tests or revoked keys.

-- The log of an endpoint by state and time, for each combination of filters. It replaces the two
-- indexes by number.

CREATE INDEX delivery_log_at ON delivery (endpoint_no, state, created_at, no);

DROP INDEX delivery_log;

DROP INDEX delivery_endpoint;

-- Events without tests: readers of events skip any number of tests.

CREATE INDEX event_real ON event (no) WHERE type <> 'test';

-- An account's active keys and endpoints, and its revoked keys in pages, whatever it had before.

CREATE INDEX api_key_active ON api_key (account_no, no) WHERE revoked_at IS NULL;

CREATE INDEX api_key_revoked ON api_key (account_no, no) WHERE revoked_at IS NOT NULL;

CREATE INDEX endpoint_kept ON endpoint (account_no, no) WHERE state <> 'deleted';

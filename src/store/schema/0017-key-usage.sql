-- Step 17 of the schema: what keys are used for (decision 43).
--
-- Responses per key and UTC day, for 13 months; the latest errors of each key, at most 20; and the
-- path of the last request. Several servers add to the same rows.

CREATE TABLE key_day (
    key_no {int} NOT NULL REFERENCES api_key (no),
    day {int} NOT NULL,
    ok {int} NOT NULL,
    not_modified {int} NOT NULL,
    client_errors {int} NOT NULL,
    rate_limited {int} NOT NULL,
    server_errors {int} NOT NULL,
    PRIMARY KEY (key_no, day)
) {strict};

CREATE INDEX key_day_day ON key_day (day);

CREATE TABLE key_error (
    no {id},
    key_no {int} NOT NULL REFERENCES api_key (no),
    at {int} NOT NULL,
    status {int} NOT NULL,
    error {text} NOT NULL,
    path {text},
    count {int} NOT NULL
) {strict};

CREATE INDEX key_error_key ON key_error (key_no, at);

ALTER TABLE api_key ADD COLUMN last_used_for {text};

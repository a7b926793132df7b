-- Step 20 of the schema: an endpoint's last 24 hours are counted without reading the attempts, each
-- of which has the request and the answer beside it.

CREATE INDEX attempt_health ON attempt (endpoint_no, started_at, error);

DROP INDEX attempt_endpoint;

-- Step 29 of the schema: how long it takes to accept a clean draft on the desk. Nothing says who.

CREATE TABLE review_time (
    no {id},
    at {int} NOT NULL,
    row_count {int} NOT NULL,
    took_ms {int} NOT NULL CHECK (took_ms >= 0)
) {strict};

CREATE INDEX review_time_at ON review_time (at);

-- Step 19 of the schema: the state of the service that admins look at.
--
-- Each run of a job, so that a failed or interrupted one stays visible after the next. `ended_at`
-- and `failed` are null while it runs, and stay null if its process ends first. `server` is for
-- people. job.run_no is the run that has the lease, or had it last.

CREATE TABLE job_run (
    no {id},
    name {text} NOT NULL,
    server {text},
    started_at {int} NOT NULL,
    ended_at {int},
    failed {int} CHECK (failed BETWEEN 0 AND 1),
    result {text},
    CHECK ((ended_at IS NULL) = (failed IS NULL))
) {strict};

CREATE INDEX job_run_name ON job_run (name, no);

ALTER TABLE job ADD COLUMN run_no {int};

INSERT INTO job_run (name, started_at, ended_at, failed, result)
    SELECT name, started_at, ended_at, CASE WHEN result LIKE '%"error"%' THEN 1 ELSE 0 END, result
    FROM job WHERE started_at IS NOT NULL AND ended_at IS NOT NULL;

-- The program and the start of each server. `started_at` is of the clock of `beat_at`.

ALTER TABLE node ADD COLUMN version {text};
ALTER TABLE node ADD COLUMN started_at {int};

-- E-mails that were given up, newest first.

CREATE INDEX mail_given_up ON mail (no) WHERE ended_at IS NOT NULL AND error IS NOT NULL;

-- Counts documents by state without their rows.

CREATE INDEX document_fetch ON document (kind, state, index_gone_at, indexed_at);

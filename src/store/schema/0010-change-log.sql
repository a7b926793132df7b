-- Step 10 of the schema: one sequence of everything that changed for readers (decision 47).

-- `seq` has no gaps: an entry takes the number after the newest one, under the lock that orders
-- publications. Two transactions that did not wait for each other would take the same number, and
-- the primary key rejects the second. trade_no is null for entries about a filing alone.
-- correction_no and history_no name the row of those logs that the entry shows. The columns have no
-- REFERENCES, because each entry is selected from the rows that it names, and a bulk import adds a
-- million.

CREATE TABLE change_log (
    seq {int} PRIMARY KEY,
    at {int} NOT NULL,
    kind {text} NOT NULL CHECK ({one_of kind published corrected withdrawn reinstated signal}),
    filing_no {int} NOT NULL,
    trade_no {int},
    correction_no {int},
    history_no {int}
) {strict};

-- What happened before this step, in the order of time. A trade's first signal came with its
-- publication, so a line of the history that is not later is no change.

INSERT INTO change_log (seq, at, kind, filing_no, trade_no, correction_no, history_no)
    SELECT row_number() OVER (ORDER BY e.at, e.class, e.class_no),
        e.at, e.kind, e.filing_no, e.trade_no, e.correction_no, e.history_no
    FROM (
        SELECT p.at AS at, 1 AS class, t.no AS class_no, 'published' AS kind,
            t.filing_no AS filing_no, t.no AS trade_no,
            CAST(NULL AS {int}) AS correction_no, CAST(NULL AS {int}) AS history_no
        FROM trade t JOIN publication p ON p.no = t.publication_no
        UNION ALL
        SELECT p.at, 2, f.no, 'published', f.no, CAST(NULL AS {int}), CAST(NULL AS {int}),
            CAST(NULL AS {int})
        FROM filing f JOIN publication p ON p.no = f.publication_no
        WHERE f.state <> 'withdrawn' AND f.no NOT IN (SELECT filing_no FROM trade)
        UNION ALL
        SELECT c.at, 3, c.no, CASE c.kind WHEN 'field' THEN 'corrected' ELSE c.kind END,
            f.no, t.no, c.no, CAST(NULL AS {int})
        FROM correction c JOIN filing f ON f.id = c.filing_id
        LEFT JOIN trade t ON t.id = c.trade_id
        UNION ALL
        SELECT h.at, 4, h.no, 'signal', t.filing_no, t.no, CAST(NULL AS {int}), h.no
        FROM finding_history h JOIN trade t ON t.no = h.trade_no
        JOIN publication p ON p.no = t.publication_no
        WHERE h.at > p.at
    ) e;

{append_only change_log};

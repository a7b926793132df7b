-- Step 42 of the schema: who filed a report that is known, by its index or its draft, so that the
-- reports of a member can be counted before they are read (store/public/known.h), usable from 36.
--
-- A row without a member: no member matches the printed name. The row of an index says that the
-- reports which it names were matched.

CREATE TABLE document_filer (
    document_no {int} PRIMARY KEY REFERENCES document (no),
    member_no {int} REFERENCES member (no)
) {strict};

CREATE INDEX document_filer_member ON document_filer (member_no);

INSERT INTO document_filer (document_no, member_no)
    SELECT d.no, r.member_no FROM document d
    JOIN draft r ON r.filing_id = d.chamber || '-' || d.source_id AND r.member_no IS NOT NULL
    WHERE d.kind IN ('house', 'senate') AND r.revision =
        (SELECT max(x.revision) FROM draft x WHERE x.filing_id = r.filing_id);

-- Step 31 of the schema: how the filing on paper was entered before its last publication; null: it was
-- read from its document, or is bulk history. A draft that is claimed again loses its acceptances.

ALTER TABLE filing ADD COLUMN entry {text} CHECK (entry IN ('single', 'double'));

UPDATE filing SET entry = (
    SELECT CASE WHEN d.entry = 'twice' THEN 'double' ELSE 'single' END FROM draft d
    WHERE d.filing_id = filing.id AND d.manual = 1
        AND d.revision = (SELECT max(p.revision) FROM draft p WHERE p.filing_id = filing.id
            AND (p.publication_no IS NOT NULL OR p.state IN ('published', 'amended'))));

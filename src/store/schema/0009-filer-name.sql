-- Step 9 of the schema: a published trade keeps the filer's name as it was at publication (decision
-- 7). For filings from before this step that is the name which their trades showed until now.

ALTER TABLE filing ADD COLUMN member_name {text};

UPDATE filing SET member_name = (SELECT m.name FROM member m WHERE m.no = filing.member_no)
WHERE member_no IS NOT NULL;

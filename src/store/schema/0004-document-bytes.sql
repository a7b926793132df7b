-- Step 4 of the schema: the bytes of documents, so that their pages can be shown beside what is
-- entered from them (docs/adr/0015-document-bytes.md). In a table of their own: whoever reads
-- versions does not pass over them. A version without a row came before this step, was refused, or
-- is too large to be kept.

CREATE TABLE document_bytes (
    version_no {int} PRIMARY KEY REFERENCES document_version (no),
    bytes {blob} NOT NULL
) {strict};
